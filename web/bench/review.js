// How long a review of 500 lines takes, within the worker and as a page sees it, in Node.

import { readFile } from "node:fs/promises";
import { load } from "trellis-policy";
import { startChecker } from "trellis-policy/checker";
import { isAnswer } from "../dist/checker/messages.js";
import { serve } from "../dist/checker/serve.js";
import { median } from "./measure.js";

const LINES = 500;
const WARMING = 60;
const SAMPLES = 200;

/** The example with as many pools and machine types as make 500 lines, which differ in one character. */
async function texts() {
  const example = await readFile(new URL("../../examples/five-mistakes.yaml", import.meta.url), "utf8");
  const pool = /^ {4}- name: worker-xoluy\n(?: {5,}.*\n)*/m;
  const type = /^ {2}- name: ecs[^]*?(?=^ {2}\w)/m;
  let text = example;
  for (let number = 0; text.split("\n").length < LINES; number += 1) {
    text = text
      .replace(pool, (found) => found + found.replace("xoluy", `pool${number}`))
      .replace(type, (found) => found + found.replace("g7.large", `g${number}.huge`));
  }
  return Array.from({ length: 10 }, (_, digit) => text.replace("maximum: 4", `maximum: ${digit}`));
}

async function measured(review) {
  const given = await texts();
  const once = async (sample) => {
    const begin = performance.now();
    await review({ text: given[sample % given.length] });
    return performance.now() - begin;
  };
  for (let sample = 0; sample < WARMING; sample += 1) await once(sample);
  const found = [];
  for (let sample = 0; sample < SAMPLES; sample += 1) found.push(await once(sample));
  return median(found);
}

let answered;
const handle = serve(load, (message) => isAnswer(message) && (answered = message));
const within = await measured(async (input) => {
  await handle({ task: "review", arguments: [input] });
  if (!("answer" in answered)) throw new Error(answered.failed.message);
});
const checker = startChecker();
const outside = await measured((input) => checker.review(input));
checker.close();
console.log(`review of ${LINES} lines: ${within.toFixed(1)} ms in the worker, ${outside.toFixed(1)} ms with the messages`);
