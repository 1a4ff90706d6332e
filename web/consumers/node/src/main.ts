// What a program or a test of Node does with the package; writes how it went as JSON.

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { load, type Policy } from "trellis-policy";
import { startChecker } from "trellis-policy/checker";
import { startWorker } from "trellis-policy/worker";
import { graft, schemas, type JsonSchema, type Schemas } from "trellis-policy/schema";

const object = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", spec: { provider: { type: "alicloud" } } };

function verdict(answer: ReturnType<Policy["validate"]>): string {
  return "error" in answer ? answer.error.message : answer.verdict;
}

const policy = await load({ provider: "alicloud" });
const module = await readFile(fileURLToPath(import.meta.resolve("trellis-policy/equinixmetal.wasm")));
const fromBytes = await load({ provider: "equinixmetal", module });
const info = fromBytes.info();
const worker = await startWorker({ provider: "alicloud" });
const checker = startChecker();
const review = await checker.review({ text: JSON.stringify(object) });

// Gardener's schemas may have more than one type, and a provider not every kind.
const open: JsonSchema = { type: ["object", "null"] };
const isPartial: undefined extends Schemas[string] ? true : false = true;

console.log(
  JSON.stringify({
    verdict: verdict(policy.validate({ object })),
    fromWorker: verdict(await worker.validate({ object })),
    fromChecker: review.documents[0]?.ruling?.verdict,
    fromBytes: "provider" in info ? info.provider : info.error.message,
    isPartial,
    left: graft(open, {}),
    kinds: Object.keys(await schemas("alicloud")),
    imported: Object.keys(await import("trellis-policy")).sort(),
  }),
);
worker.close();
checker.close();
