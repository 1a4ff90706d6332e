// What policies are sent of the objects next to an object: no more than they read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, loadGardener } from "trellis-policy";
import { cut } from "../../dist/check/reads.js";
import { Policies } from "../../dist/checker/policies.js";
import { Reviewer } from "../../dist/checker/review.js";
import { longManifest, longProfile } from "../../../page/bench/manifest.js";

/** A reviewer whose policies report what they are sent, as `[policy, function, request]`. */
function listening() {
  const sent = [];
  const telling = (name, policy) => {
    const reported = (called) => (request) => {
      sent.push([name, called, JSON.parse(request)]);
      return policy[called](request);
    };
    return { ...policy, validate: reported("validate"), default: reported("default") };
  };
  const loaders = {
    load: async (options) => telling(options.provider, await load(options)),
    loadGardener: async () => telling("gardener", await loadGardener()),
  };
  return { sent, reviewer: new Reviewer(new Policies(loaders, () => {})) };
}

test("a policy is sent as much of a profile as it reads", async () => {
  const { sent, reviewer } = listening();
  const text = longManifest().replace(/cloudProfile:\n {4}kind: .*\n {4}name: .*/, "cloudProfile:\n    name: clouds");
  await reviewer.review({ text, context: longProfile(20_000), wait: true });
  const profiles = new Map(sent.filter(([, , { object }]) => object.kind === "Shoot").map(([name, called, { context }]) => [`${name} ${called}`, context.cloudProfile]));
  assert.deepEqual([...profiles.keys()], ["gardener default", "alicloud default", "gardener validate", "alicloud validate"]);
  assert.ok(profiles.get("gardener validate").spec.machineTypes[0].cpu);
  assert.equal(profiles.get("alicloud validate"), undefined);
  const { metadata, spec } = profiles.get("alicloud default");
  assert.deepEqual(metadata, { name: "clouds" });
  assert.deepEqual(Object.keys(spec), ["machineTypes"]);
  assert.deepEqual(Object.keys(spec.machineTypes[0]), ["name"]);
  assert.ok(sent.every(([, called, { context }]) => called === "default" || context.request === true));
});

test("what is cut down is cut down once for each text", () => {
  const json = JSON.stringify({ a: [{ b: 1, c: 2 }, 3, null], d: { e: [4], f: 5 }, g: 6 });
  const context = { one: json, two: json, three: "true" };
  const pointers = ["/one/a/*/b", "/one/d/e", "/one/none/x", "/two/g", "/three"];
  const found = cut(context, pointers);
  assert.deepEqual(found, { one: '{"a":[{"b":1},3,null],"d":{"e":[4]}}', two: '{"g":6}', three: "true" });
  const { parse } = JSON;
  let parsed = 0;
  JSON.parse = (...given) => ((parsed += 1), parse(...given));
  try {
    assert.deepEqual(cut({ ...context }, pointers), found);
    assert.equal(parsed, 0);
    cut({ ...context, one: `${json} ` }, pointers);
    assert.equal(parsed, 1);
  } finally {
    JSON.parse = parse;
  }
});
