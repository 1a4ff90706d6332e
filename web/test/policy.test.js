import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { load } from "trellis-policy";
import { parseAllDocuments } from "yaml";

const module = await readFile(fileURLToPath(import.meta.resolve("trellis-policy/trellis_bg.wasm")));
const policy = await load({ provider: "alicloud", module });

/** The documents of an example, as plain objects. */
async function example(name) {
  const text = await readFile(new URL(`../../examples/${name}`, import.meta.url), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS());
}

test("a Shoot in good order is accepted", async () => {
  const [object] = await example("two-zones.yaml");
  const answer = policy.validate({ object });
  assert.deepEqual(answer.findings, []);
  assert.equal(answer.verdict, "accept");
});

test("each of five mistakes is found, with a pointer to it", async () => {
  const [cloudProfile, object] = await example("five-mistakes.yaml");
  const { verdict, findings } = policy.validate({ object, context: { cloudProfile } });
  assert.equal(verdict, "reject");
  assert.equal(findings.length, 5);
  assert.equal(new Set(findings.map(({ rule }) => rule)).size, 5);
  for (const { pointer, remedy } of findings) {
    assert.match(pointer, /^\/spec\//);
    assert.notEqual(remedy, "");
  }
});

test("defaults come with the patch that sets them", async () => {
  const [object] = await example("two-zones.yaml");
  const answer = policy.default({ object });
  assert.notEqual(answer.patch.length, 0);
  assert.equal(answer.object.spec.provider.controlPlaneConfig.csi.enableADController, true);
});

test("JSON text and the object it holds get the same answer", async () => {
  const [object] = await example("one-zone.yaml");
  assert.deepEqual(policy.validate(JSON.stringify({ object })), policy.validate({ object }));
});

test("bad input is answered, not thrown", () => {
  assert.equal(typeof policy.validate("{").error.message, "string");
});

test("rules are listed and info names the provider", () => {
  assert.ok(policy.rules().rules.length > 0);
  assert.equal(policy.info().provider, "alicloud");
});
