// What becomes of infrastructures, which not every policy plans.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "trellis-policy";
import { serve } from "../../dist/checker/serve.js";
import { shoot } from "./texts.js";

const policies = { alicloud: await load({ provider: "alicloud" }), equinixmetal: await load({ provider: "equinixmetal" }) };
const asked = [];
const loaded = [];
const planned = { plan: { state: {}, resources: [], changes: [], steps: [] }, findings: [] };

/** What a worker answers whose policies plan what `plan` is. */
async function answer(task, given, plan = planned) {
  const messages = [];
  const loadInfrastructure = async ({ provider }) => {
    loaded.push(provider);
    if (plan instanceof Error) throw plan;
    return { plan: (request) => (asked.push(JSON.parse(request)), plan) };
  };
  const load = async ({ provider }) => policies[provider];
  const loadAddresses = () => assert.fail("nobody asks for addresses");
  const loadGardener = () => Promise.reject(new Error("nobody waits for it"));
  await serve({ load, loadAddresses, loadGardener, loadInfrastructure }, (message) => messages.push(message))({ task, arguments: given });
  return messages.find((message) => "answer" in message).answer;
}

const review = async (input, plan) => (await answer("review", [{ plans: true, ...input }], plan)).documents;

test("a Shoot is planned with its defaults, from nothing", async () => {
  const [{ plan }] = await review({ text: shoot() });
  assert.deepEqual(plan, { baseline: "empty", plan: planned.plan, findings: [], codes: [] });
  const { request, baseline } = asked.pop();
  assert.equal(baseline, "empty");
  assert.equal(request.operation, "reconcile");
  assert.ok(request.cluster.shoot.spec.networking.providerConfig, "a default");
});

test("nothing is planned unless plans are asked for", async () => {
  const [document] = await review({ text: shoot(), plans: false });
  assert.equal(document.plan, undefined);
  assert.equal(asked.length, 0);
});

test("what plans is loaded where a Shoot is to be planned, and not before", async () => {
  loaded.length = 0;
  await review({ text: shoot(), plans: false });
  await review({ text: "apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nmetadata:\n  name: a\nspec:\n  type: alicloud\n" });
  await review({ text: shoot().replaceAll("alicloud", "equinixmetal") });
  assert.deepEqual(loaded, []);
  await review({ text: shoot() });
  assert.deepEqual(loaded, ["alicloud"]);
  asked.pop();
});

test("an edit is planned from the old object with its defaults, else from the one that was applied", async () => {
  const text = shoot().replace("maximum: 2", "maximum: 4");
  const [{ plan }] = await review({ text, old: shoot(), applied: shoot().replace("maximum: 2", "maximum: 3") });
  assert.equal(plan.baseline, "old");
  const before = asked.pop().baseline.cluster.shoot;
  assert.ok(before.spec.networking.providerConfig, "a default");
  assert.equal(before.spec.provider.workers[0].maximum, 2);
  const [applied] = await review({ text, applied: JSON.stringify(before) });
  assert.equal(applied.plan.baseline, "applied");
  assert.deepEqual(asked.pop().baseline.cluster.shoot, before);
  const [other] = await review({ text, applied: shoot().replace("name: crazy-botany", "name: other") });
  assert.equal(other.plan.baseline, "empty");
  asked.pop();
});

test("the CloudProfile of the context goes into the request, for what is and for what was", async () => {
  const profile = "apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nmetadata:\n  name: alicloud\nspec:\n  type: alicloud\n";
  await review({ text: shoot(), context: profile, applied: shoot() });
  const { request, baseline } = asked.pop();
  assert.equal(request.cluster.cloudProfile.kind, "CloudProfile");
  assert.deepEqual(baseline.cluster.cloudProfile, request.cluster.cloudProfile);
});

test("a Shoot that is rejected, and a text with problems, are not planned", async () => {
  const [rejected] = await review({ text: shoot().replace("10.250.0.0/19", "10.250.1.0/19") });
  assert.equal(rejected.ruling.verdict, "reject");
  assert.deepEqual(rejected.plan, { baseline: "empty", findings: [], codes: [] });
  const [broken] = await review({ text: `${shoot()}  name: twice\nspec: {}\n` });
  assert.equal(broken.plan, undefined);
  assert.equal(asked.length, 0);
});

test("what forbids a plan has its line and its code", async () => {
  const pointer = "/spec/provider/infrastructureConfig/networks/zones/0/workers";
  const finding = { rule: "ALI-ICV-001", severity: "error", type: "Denied", field: "x", pointer, badValue: 1, detail: "d", remedy: "r" };
  const [{ plan }] = await review({ text: shoot() }, { findings: [finding], codes: ["ERR_CONFIGURATION_PROBLEM"] });
  const line = shoot().slice(0, shoot().indexOf("workers: 10.250")).split("\n").length;
  assert.equal(plan.findings[0].line, line);
  assert.deepEqual(plan.codes, ["ERR_CONFIGURATION_PROBLEM"]);
  assert.equal(plan.plan, undefined);
  asked.pop();
});

test("a policy that makes no plan, and one that has none to make, do not spoil a review", async () => {
  const [failed] = await review({ text: shoot() }, { error: { code: "PolicyTrapped", message: "unreachable" } });
  assert.deepEqual(failed.plan.error, { code: "PolicyTrapped", message: "unreachable" });
  assert.equal(failed.ruling.verdict, "accept");
  asked.pop();
  const [unloaded] = await review({ text: shoot() }, new Error("no network"));
  assert.deepEqual(unloaded.plan.error, { code: "PolicyUnavailable", message: "no network" });
  assert.equal(unloaded.ruling.verdict, "accept");
  const metal = shoot().replaceAll("alicloud", "equinixmetal");
  const [other] = await review({ text: metal });
  assert.equal(other.plan, undefined);
  assert.equal(other.provider, "equinixmetal");
  assert.equal(asked.length, 0);
});

test("the objects of a plan are the Shoot and its CloudProfile, without Secrets", async () => {
  const beside = [
    "apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nmetadata:\n  name: alicloud\nspec:\n  type: alicloud\n",
    "apiVersion: core.gardener.cloud/v1beta1\nkind: SecretBinding\nmetadata:\n  name: my-account\n  namespace: garden-dev\nprovider:\n  type: alicloud\nsecretRef:\n  name: core-alicloud\n",
    "apiVersion: v1\nkind: Secret\nmetadata:\n  name: core-alicloud\n  namespace: garden-dev\nstringData:\n  accessKeySecret: hunter2\n",
  ].join("---\n");
  const objects = await answer("objects", [{ text: shoot(), context: beside }, 0]);
  assert.deepEqual(objects.map(({ kind }) => kind), ["Shoot", "CloudProfile"]);
  assert.ok(!JSON.stringify(objects).includes("hunter2"));
  assert.deepEqual(await answer("objects", [{ text: "kind: Deployment\n" }, 0]), []);
});
