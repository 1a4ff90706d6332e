// What a policy says of addresses, which not every policy has.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "trellis-policy";
import { applyEdits } from "trellis-policy/yaml";
import { serve } from "../../dist/checker/serve.js";
import { shoot } from "./texts.js";

const asked = [];
const policy = await load({ provider: "alicloud" });
const zones = "/spec/provider/infrastructureConfig/networks/zones/-";
const answers = {
  addresses: { spaces: [], unreadable: [] },
  zones: { zones: [], undecided: [], patch: [{ op: "add", path: zones, value: { name: "b", workers: "10.250.32.0/19" } }] },
};
const call = (name, request) => {
  if (!(name in answers)) return policy.call(name, request);
  asked.push([name, JSON.parse(request)]);
  return JSON.stringify(answers[name]);
};

/** What a worker with that policy answers. */
async function answer(task, ...given) {
  const messages = [];
  await serve(async () => ({ ...policy, call }), (message) => messages.push(message))({ task, arguments: given });
  return messages.at(-1).answer;
}

test("a Shoot has its addresses, as they are with the defaults", async () => {
  const { documents } = await answer("review", { text: shoot() });
  assert.deepEqual(documents[0].addresses, answers.addresses);
  const [name, { object }] = asked.pop();
  assert.equal(name, "addresses");
  assert.ok(object.spec.networking.providerConfig, "a default");
});

test("a plan of zones has the edits that make it, and the policy is given what is to be added", async () => {
  const text = shoot();
  const add = [{ name: "b", prefixLength: 19 }];
  const { edits } = await answer("zones", { text }, 0, add);
  const zone = "        - name: eu-central-1a\n          workers: 10.250.0.0/19\n";
  assert.ok(applyEdits(text, edits).includes(`${zone}        - name: b\n          workers: 10.250.32.0/19\n`));
  const [name, request] = asked.pop();
  assert.deepEqual([name, request.add, request.object.metadata.name], ["zones", add, "crazy-botany"]);
});
