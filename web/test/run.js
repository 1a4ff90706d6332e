// Runs all tests of the package with one browser.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runTests } from "../browser/tests.js";

const folder = fileURLToPath(new URL("./", import.meta.url));
const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".test.js"));
await runTests(files.map((name) => folder + name));
