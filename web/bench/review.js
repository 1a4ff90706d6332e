// What a key costs the checker in a Shoot of 500 lines, by all rules, within the worker and as a page sees it, in Node.

import { load, loadAddresses, loadGardener, loadInfrastructure, loadRendering } from "trellis-policy";
import { startChecker } from "trellis-policy/checker";
import { longManifest, longProfile } from "../../page/bench/manifest.js";
import { isAnswer } from "../dist/checker/messages.js";
import { serve } from "../dist/checker/serve.js";
import { median } from "./measure.js";

const WARMING = 20;
const SAMPLES = 20;
/** What else the machine does makes reviews longer: the best run counts, and within the worker the time of the processor. */
const RUNS = 3;
const processor = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const wall = () => performance.now();

const shoot = longManifest().replace(/cloudProfile:\n {4}kind: .*\n {4}name: .*/, "cloudProfile:\n    name: clouds");
const profile = longProfile(300_000);
const CASES = {
  "a Shoot of 500 lines": (text) => ({ text }),
  "it with a profile of 300 kB under Context": (text) => ({ text, context: profile }),
  "it with that profile in the same text": (text) => ({ text: `${text}---\n${profile}` }),
};

/** The least median of some runs, each of reviews of texts that differ in one character from the one before. */
async function measured(review, input, clock) {
  const texts = Array.from({ length: 10 }, (_, digit) => shoot.replace("maximum: 4", `maximum: ${digit}`));
  const once = async (sample) => {
    const begin = clock();
    await review({ ...input(texts[sample % texts.length]), wait: true });
    return clock() - begin;
  };
  for (let sample = 0; sample < WARMING; sample += 1) await once(sample);
  const medians = [];
  for (let run = 0; run < RUNS; run += 1) {
    const found = [];
    for (let sample = 0; sample < SAMPLES; sample += 1) found.push(await once(sample));
    medians.push(median(found));
  }
  return Math.min(...medians);
}

let answered;
const loaders = { load, loadAddresses, loadGardener, loadInfrastructure, loadRendering };
const handle = serve(loaders, (message) => isAnswer(message) && (answered = message));
const within = async (input) => {
  await handle({ task: "review", arguments: [input] });
  if (!("answer" in answered)) throw new Error(answered.failed.message);
};
const checker = startChecker();
for (const [name, input] of Object.entries(CASES)) {
  const inside = await measured(within, input, processor);
  const outside = await measured((given) => checker.review(given), input, wall);
  console.log(`review of ${name}: ${inside.toFixed(1)} ms of the processor in the worker, ${outside.toFixed(1)} ms with the messages`);
}
checker.close();
