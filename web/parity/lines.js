// Questions on standard input, a line each as `{ "provider", "function", "request" }`; answers on standard output, a
// line each as a JSON string.
import { once } from "node:events";
import { createInterface } from "node:readline";
import { addressing, judging, planning, rendering } from "../dist/functions.js";
import { classified, providers, rendered } from "../dist/generated/providers.js";

/** Characters of requests that are answered together. */
const BATCH = 4 << 20;

/** What loads the module that answers a function of a policy: the name of an export, and its options. */
export function loaderOf({ provider, function: name }) {
  if (!providers.includes(provider)) return ["loadGardener", {}];
  if (name in judging) return ["load", { provider }];
  if (name in addressing) return ["loadAddresses", { provider }];
  if (name in planning && classified.includes(provider)) return ["loadInfrastructure", { provider }];
  return [name in rendering && rendered.includes(provider) ? "loadRendering" : "load", { provider }];
}

/** Hands the questions over in batches, in their order, and writes the answers. */
export async function answerLines(answer) {
  let questions = [];
  let size = 0;
  const flush = async () => {
    for (const text of await answer(questions)) {
      if (!process.stdout.write(`${JSON.stringify(text)}\n`)) await once(process.stdout, "drain");
    }
    questions = [];
    size = 0;
  };
  for await (const line of createInterface({ input: process.stdin })) {
    questions.push(JSON.parse(line));
    size += line.length;
    if (size > BATCH) await flush();
  }
  await flush();
}
