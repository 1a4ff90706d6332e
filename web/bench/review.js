// What a key costs the checker in a Shoot of 500 lines, by all rules, within the worker and as a page sees it, in Node.

import { readFile } from "node:fs/promises";
import { check, load, loadAddresses, loadGardener, loadInfrastructure, loadRendering } from "trellis-policy";
import { startChecker } from "trellis-policy/checker";
import { parse } from "trellis-policy/yaml";
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

/** The Shoot of an example, and a long profile that has what the Shoot names. */
const [object] = parse(await readFile(new URL("../../examples/two-zones.yaml", import.meta.url), "utf8")).map(({ json }) => JSON.parse(json));
const whole = JSON.parse(parse(longProfile(546_000))[0].json);
whole.metadata.name = object.spec.cloudProfile.name;
whole.spec.kubernetes.versions.push({ version: object.spec.kubernetes.version });
whole.spec.machineTypes.push({ name: object.spec.provider.workers[0].machine.type, cpu: "2", gpu: "0", memory: "8Gi", architecture: "amd64" });
const json = JSON.stringify(whole);
for (const [name, cloudProfile] of Object.entries({ "without a profile": undefined, "with a profile as text": json, "with a profile as an object": whole })) {
  const asked = async ({ text }) => {
    const answer = await check({ object: { ...object, metadata: { ...object.metadata, labels: { a: text } } }, context: { cloudProfile }, now: "2026-06-01T00:00:00Z" });
    if ("error" in answer || answer.verdict === "reject") throw new Error(JSON.stringify(answer.error ?? answer.findings));
  };
  console.log(`check ${name}: ${(await measured(asked, (text) => ({ text: text.match(/maximum: (\d)/)[1] }), processor)).toFixed(1)} ms of the processor`);
}
console.log(`that profile has ${Math.round(json.length / 1000)} kB`);
