// From a module's bytes to the first answer, and a validation when warm, in Node and in Chromium.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { launch } from "../browser/chromium.js";
import { serve } from "../browser/server.js";
import { median } from "./measure.js";

/** Processes and pages that are started to measure the first answer. */
const STARTS = 21;

const folder = (path) => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);

/** A process of Node that answers once, and goes on if asked. */
async function node(...args) {
  const { stdout } = await run(process.execPath, [folder("node.js"), ...args]);
  return JSON.parse(stdout);
}

/** A page that answers once, and goes on if asked. */
async function page(browser, url, isWarm) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    return await page.evaluate(async (isWarm) => {
      const loaders = await import("/dist/index.js");
      const { firstAnswer, warmAnswers } = await import("/bench/measure.js");
      const object = await (await fetch("/benches/two-zones.json")).json();
      const module = await (await fetch(`/dist/policies/${object.spec.provider.type}_bg.wasm`)).arrayBuffer();
      const first = await firstAnswer(loaders.load, module, object);
      return { first, ...(isWarm ? await warmAnswers(loaders, object) : {}) };
    }, isWarm);
  } finally {
    await context.close();
  }
}

/** The medians of an engine. */
async function measure(engine) {
  const starts = [];
  for (let start = 0; start < STARTS; start += 1) starts.push((await engine(false)).first);
  const { warm, both, rendered } = await engine(true);
  return { first: median(starts), warm, both, rendered };
}

const server = await serve({
  "/dist/": folder("../dist/"),
  "/bench/": folder("./"),
  "/benches/": folder("../../core/benches/"),
});
const browser = await launch();
try {
  const engines = {
    [`Node ${process.versions.node}`]: await measure((isWarm) => node(...(isWarm ? ["--warm"] : []))),
    [`Chromium ${browser.version()}`]: await measure((isWarm) => page(browser, server.url, isWarm)),
  };
  const line = (...cells) => console.log(`| ${cells.join(" | ")} |`);
  const names = Object.keys(engines);
  const row = (label, budget, digits, key) =>
    line(label, `${budget} ms`, ...names.map((name) => `${engines[name][key].toFixed(digits)} ms`));
  line("median", "budget", ...names);
  line("---", "---", ...names.map(() => "---"));
  row("from module bytes to the first answer", "10", 1, "first");
  row("one validation, warm", "0.03", 3, "warm");
  row("one validation by Gardener's policy, too, warm", "0.1", 3, "both");
  row("one control plane rendered, warm", "5", 3, "rendered");
} finally {
  await browser.close();
  server.close();
}
