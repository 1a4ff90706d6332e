// Runs all tests of the page with one program and one browser.
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { runTests } from "../../web/browser/tests.js";
import { startServer } from "./program.js";

const folder = fileURLToPath(new URL("./", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".test.js"));
await runTests(files.map((name) => folder + name), async () => {
  const server = await startServer();
  return { variables: { TEST_SERVER: server.url }, end: server.stop };
});
