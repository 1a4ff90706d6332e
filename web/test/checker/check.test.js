// One answer about an object, found in a worker.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { check, LoadError, loadGardener } from "trellis-policy";
import { startChecker } from "trellis-policy/checker";
import { isAnswer } from "../../dist/checker/messages.js";
import { serve } from "../../dist/checker/serve.js";
import { nodeWorker } from "../../dist/worker/node.js";
import { example } from "../examples.js";

const [cloudProfile, shoot] = await example("five-mistakes.yaml");
const now = "2026-06-01T00:00:00Z";
const zone = "/spec/provider/infrastructureConfig/networks/zones/0/workers";

/** A checker whose worker's messages are in `sent`. */
function listening() {
  const sent = [];
  const worker = () => {
    const real = nodeWorker(new URL("../../dist/checker-thread-node.js", import.meta.url), isAnswer);
    return { ...real, addEventListener: real.addEventListener.bind(real), terminate: () => real.terminate(), postMessage: (message) => (sent.push(message), real.postMessage(message)) };
  };
  const checker = startChecker({ worker });
  after(() => checker.close());
  return { checker, sent };
}

const { checker } = listening();
const data = (answer) => JSON.parse(JSON.stringify(answer));

test("the answer is that of `check`, with the same ways to look at it", async () => {
  const tricky = structuredClone(shoot);
  tricky.spec.provider.infrastructureConfig.networks.vpc = {};
  const project = { kind: "Project", metadata: { name: "dev" }, spec: { namespace: shoot.metadata.namespace } };
  const requests = [
    { object: shoot, context: { cloudProfile }, now },
    { object: shoot, context: { cloudProfile: JSON.stringify(cloudProfile), project, featureGates: {}, subresource: "status" }, now: new Date(now), gardenerVersion: "1.145.0" },
    { object: JSON.stringify(shoot).replace('"region":', '"region":"a","region":'), now },
    { object: shoot, oldObject: tricky, context: { cloudProfile }, now },
    { object: { ...shoot, metadata: { ...shoot.metadata, uid: "u" } }, create: true, openapi: { Shoot: { spec: {} } }, now },
    { object: shoot, kubernetes: "1.34", context: { cloudProfile }, now },
    { object: tricky, now },
    { object: { apiVersion: "v1", kind: "List", items: [shoot, cloudProfile] }, now },
  ];
  for (const request of requests) {
    const { object, ...settings } = request;
    const [own, other] = [await check(request), await checker.check(object, settings)];
    assert.ok(own.findings.length > 0);
    assert.deepEqual(data(other), data(own));
    assert.deepEqual(other.byPointer(), own.byPointer());
    for (const pointer of [zone, "/spec", "/spec/provider/infrastructureConfig/networks/vpc/id"]) assert.deepEqual(other.at(pointer), own.at(pointer));
    assert.deepEqual(other.rest([zone]), own.rest([zone]));
    assert.deepEqual(other.messages({ zone }), own.messages({ zone }));
  }
});

test("bad input is the same answer, or the same error", async () => {
  const requests = [
    {}, { object: shoot, context: { cloudprofile: {} } }, { object: shoot, context: 5 }, { object: shoot, context: { cloudProfile: "{" } }, { object: shoot, context: { cloudProfile: 5 } },
    { object: shoot, openapi: 5 }, { object: shoot, openapi: { definitions: {} } }, { object: shoot, facts: 5 }, { object: shoot, now: "then" }, { object: shoot, kubernetes: "new" }, { object: shoot, other: 5 }, { object: "{" }, { object: { a: 5n } },
    { object: { kind: "Project", apiVersion: "core.gardener.cloud/v1beta1" } },
  ];
  for (const request of requests) {
    const { object, ...settings } = request;
    const [own, other] = [await check(request), await checker.check(object, settings)];
    assert.ok(own.error.message);
    assert.deepEqual(other, own);
  }
  assert.match((await checker.check(shoot, 5)).error.message, /not 5/);
  assert.match((await checker.check(shoot, { object: shoot })).error.message, /there is no member `object`/);
  await assert.rejects(checker.check(shoot, {}, { signl: 5 }), /no option `signl`/);
  const { at, messages } = await checker.check(shoot, { context: { cloudProfile } });
  assert.throws(() => at(undefined), TypeError);
  assert.throws(() => messages(undefined), TypeError);
});

test("what has not changed is not sent a second time, and a new worker is sent all of it", async () => {
  const { checker, sent } = listening();
  const profile = structuredClone(cloudProfile);
  const rules = async () => (await checker.check(shoot, { context: { cloudProfile: profile } })).findings.map(({ rule }) => rule);
  const first = await rules();
  assert.deepEqual(await rules(), first);
  profile.spec.regions = [];
  const later = await rules();
  assert.ok(later.includes("ADM-REG-001") && !first.includes("ADM-REG-001"), "a change of the same object counts");
  assert.deepEqual(sent.map(({ texts }) => typeof texts.cloudProfile), ["string", "boolean", "string"]);
  assert.deepEqual((await checker.check(shoot)).undecided.map(({ rule }) => rule).includes("ADM-CP-001"), true, "what is not named is not there");
  const input = { text: JSON.stringify(shoot), context: JSON.stringify(profile) };
  const place = { path: ["spec", "region"], object: { kind: "Shoot", metadata: {}, spec: { cloudProfile: { name: "alicloud" } } }, beside: {}, pool: { zones: [] } };
  sent.length = 0;
  await checker.review(input);
  const choices = await checker.choices(input, place);
  assert.deepEqual(sent.map(({ texts, arguments: [given] }) => [typeof texts.context, given.context]), [["string", undefined], ["boolean", undefined]]);
  assert.deepEqual(choices, [], "the changed profile has no regions");
});

test("a worker that takes the place of another one is sent what that had", async () => {
  let made = 0;
  const sent = [];
  const worker = () => {
    made += 1;
    const listeners = {};
    const answer = serve({ loadGardener, load: () => Promise.reject(new LoadError("none")) }, (message) => listeners.message?.({ data: message }));
    const fails = made === 1;
    return {
      addEventListener: (name, listener) => (listeners[name] = listener),
      terminate() {},
      postMessage(message) {
        sent.push(message);
        if (fails && sent.length === 2) listeners.error({ message: "it fell" });
        else void answer(message);
      },
    };
  };
  const checker = startChecker({ worker });
  const ask = () => checker.check({ ...cloudProfile, spec: { ...cloudProfile.spec, type: "ironcore" } }, { context: { settings: {} } });
  await ask();
  await assert.rejects(ask(), /it fell/);
  assert.ok((await ask()).verdict);
  assert.deepEqual(sent.map(({ texts }) => texts.settings), ["{}", true, "{}"]);
  await assert.rejects(checker.check(shoot), { name: "CheckError", code: "PolicyUnavailable", message: "none" });
  checker.close();
});

test("an aborted call is dropped, and a closed checker says so", async () => {
  const { checker } = listening();
  const controller = new AbortController();
  const dropped = checker.check(shoot, {}, { signal: controller.signal });
  controller.abort(new Error("out of date"));
  await assert.rejects(dropped, /out of date/);
  checker.close();
  await assert.rejects(checker.check(shoot), { name: "CheckError", code: "WorkerFailed" });
});

test("edits of a document that is not there, and of what is no patch, are TypeErrors", async () => {
  const text = "a: 1\n";
  const wrong = (call, message) => assert.rejects(call, { name: "TypeError", message });
  await wrong(checker.edits(text, 7, []), "the text has no document 7: there is 1, and the first one is 0");
  await wrong(checker.edits("", 0, []), "the text has no document 0: there are 0, and the first one is 0");
  await wrong(checker.edits(text, undefined, []), "the document of `edits` is its number in the review, the first being 0, not undefined");
  await wrong(checker.edits(text, 0, undefined), "the patch of `edits` is a list of operations, such as the `fix` of a finding, not undefined");
});

test("what is too large to be sent is an error where nothing else could say so", async () => {
  const { checker } = listening();
  const large = JSON.stringify({ a: "a".repeat(3 * 2 ** 20) });
  for (const [input, name] of [[{ openapi: large }, "openapi"], [{ applied: large }, "applied"], [{ onto: { kind: "Shoot", metadata: { name: large } } }, "onto"]]) {
    await assert.rejects(checker.review({ text: "a: 1\n", ...input }), { name: "CheckError", code: "Malformed", message: new RegExp(`^\`${name}\` cannot be sent`) });
  }
  const { context } = await checker.review({ text: "a: 1\n", context: large });
  assert.equal(context.length, 1);
  checker.close();
});
