// Measures in this process, which loads the policy once, and writes the milliseconds as JSON.

import { readFile } from "node:fs/promises";
import * as loaders from "trellis-policy";
import { firstAnswer, warmAnswers } from "./measure.js";

const object = JSON.parse(await readFile(new URL("../../core/benches/two-zones.json", import.meta.url), "utf8"));
const module = await readFile(new URL(import.meta.resolve(`trellis-policy/${object.spec.provider.type}.wasm`)));
const first = await firstAnswer(loaders.load, module, object);
const warm = process.argv.includes("--warm") ? await warmAnswers(loaders, object) : {};
console.log(JSON.stringify({ first, ...warm }));
