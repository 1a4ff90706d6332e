// What a policy says of addresses, which not every policy has.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, loadAddresses, LoadError } from "trellis-policy";
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
const reported = (name) => (request) => {
  asked.push([name, JSON.parse(request)]);
  return answers[name];
};
const addressing = { ...(await loadAddresses({ provider: "alicloud" })), addresses: reported("addresses"), zones: reported("zones") };

const loaders = (loadAddresses) => ({
  load: async () => policy,
  loadAddresses,
  loadGardener: () => Promise.reject(new Error("nobody waits for it")),
  loadInfrastructure: () => assert.fail("nothing is planned"),
});

/** What a worker with that policy answers. */
async function answer(task, ...given) {
  const messages = [];
  await serve(loaders(async () => addressing), (message) => messages.push(message))({ task, arguments: given });
  return messages.find((message) => "answer" in message).answer;
}

test("a Shoot has its addresses, as they are with the defaults", async () => {
  const { documents } = await answer("review", { text: shoot(), addresses: true });
  assert.deepEqual(documents[0].addresses, answers.addresses);
  const [name, { object }] = asked.pop();
  assert.equal(name, "addresses");
  assert.ok(object.spec.networking.providerConfig, "a default");
});

test("the families of addresses that a Shoot asks for stand next to its addresses", async () => {
  const { documents } = await answer("review", { text: shoot().replace("  networking:\n", "  networking:\n    ipFamilies:\n    - IPv4\n    - IPv6\n"), addresses: true });
  asked.pop();
  assert.deepEqual(documents[0].ipFamilies, ["IPv4", "IPv6"]);
  const [without] = (await answer("review", { text: shoot() })).documents;
  assert.equal("ipFamilies" in without, false);
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

test("a module of addresses that cannot be loaded is reported, and the object is judged all the same", async () => {
  const messages = [];
  const gone = async () => {
    throw new LoadError("gone");
  };
  await serve(loaders(gone), (message) => messages.push(message))({
    task: "review",
    arguments: [{ text: shoot(), addresses: true }],
  });
  const [{ addressesError, ruling }] = messages.find((message) => "answer" in message).answer.documents;
  assert.equal(addressesError, "gone");
  assert.ok(ruling.verdict);
});

test("no module of addresses is loaded where nobody asks for addresses", async () => {
  const messages = [];
  await serve(loaders(() => assert.fail("loaded")), (message) => messages.push(message))({
    task: "review",
    arguments: [{ text: shoot() }],
  });
  assert.equal(messages.find((message) => "answer" in message).answer.documents[0].addresses, undefined);
});
