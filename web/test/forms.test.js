// What a form shows of an answer.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { check, modules, promptOf, sentenceOf } from "trellis-policy";
import { FIELDS, fieldsOf } from "../dist/check/fields.js";
import { firstAt, messagesOf, restOf } from "../dist/check/forms.js";
import { example } from "./examples.js";

const [cloudProfile, shoot] = await example("five-mistakes.yaml");
const finding = (rule, pointer, more = {}) => ({ rule, pointer, severity: "error", field: "", type: "FieldValueInvalid", detail: "is bad", remedy: "", ...more });

test("a field shows an error before a warning, and nothing that follows from a finding elsewhere", () => {
  const findings = [
    finding("W", "/a/b", { severity: "warning" }),
    finding("F", "/a/b/c", { causedBy: { rule: "C", pointer: "/x" } }),
    finding("E", "/a/b"),
    finding("C", "/x"),
    finding("N", "/ab"),
  ];
  const at = (pointer, given = findings) => firstAt(given, pointer)?.rule;
  assert.deepEqual(["/a", "/a/b", "/a/b/c", "/x", "/ab", "/y"].map((pointer) => at(pointer)), ["E", "E", undefined, "C", "N", undefined]);
  assert.equal(at("/a/b", findings.slice(0, 1)), "W");
  assert.equal(at(""), "E");
  assert.deepEqual(restOf(findings, ["/a"]).map(({ rule }) => rule), ["C", "N"]);
  assert.deepEqual(restOf(findings, []).map(({ rule }) => rule), ["W", "E", "C", "N"]);
});

test("messages are errors, in the shape of the form's fields, because any message keeps a form from being sent", () => {
  const findings = [finding("E", "/spec/region"), finding("P", "/spec/provider/workers/0/minimum", { remedy: "Lower it." })];
  findings.push(finding("W", "/metadata/name", { severity: "warning" }));
  const fields = { region: "/spec/region", name: "/metadata/name", worker: { minimum: "/spec/provider/workers/0/minimum" } };
  assert.deepEqual(messagesOf(findings, fields, ({ rule }) => rule), { region: ["E"], name: [], worker: { minimum: ["P"] } });
});

test("an answer has its messages, the field of each, and the rest", async () => {
  const answer = await check({ object: shoot, context: { cloudProfile } });
  const zone = "/spec/provider/infrastructureConfig/networks/zones/0/workers";
  assert.equal(answer.at(zone).pointer, zone);
  const { zone: [message], name } = answer.messages({ zone, name: "/metadata/name" });
  assert.equal(message, sentenceOf(answer.at(zone)));
  assert.deepEqual(name, []);
  assert.ok(answer.rest([zone]).length > 0);
  assert.ok(answer.rest([zone]).every(({ pointer }) => pointer !== zone));
  assert.deepEqual(answer.rest([""]), []);
  const open = await check({ object: shoot });
  assert.ok(open.undecided.map(promptOf).includes("needs CloudProfile alicloud"), JSON.stringify(open.undecided));
});

test("what is open of a stored object asks for no option of a command line", async () => {
  const stored = structuredClone(shoot);
  stored.metadata.uid = "6c7a2e5e-6a4f-4c2b-9a3f-1f2a3b4c5d6e";
  stored.spec.region = "mars-1";
  const prompts = (await check({ object: stored, context: { cloudProfile } })).undecided.map(promptOf);
  assert.ok(prompts.some((prompt) => prompt.endsWith("if you changed it, give the original as the old object")), JSON.stringify(prompts));
  assert.ok(prompts.every((prompt) => !prompt.includes("--old")));
});

test("a wrong argument is a TypeError that says what to give", async () => {
  const answer = await check({ object: shoot, context: { cloudProfile } });
  const table = [
    [() => answer.at(undefined), "what `at` is given is the JSON pointer of a field, such as `/spec/region`, not undefined"],
    [() => answer.at("spec.region"), "what `at` is given is the JSON pointer of a field, such as `/spec/region`, not `spec.region`"],
    [() => answer.rest(), 'what `rest` is given is a list of JSON pointers, such as `["/spec/region"]`, not undefined'],
    [() => answer.rest("/spec"), 'what `rest` is given is a list of JSON pointers, such as `["/spec/region"]`, not `/spec`'],
    [() => answer.rest([5]), "each entry of what `rest` is given is the JSON pointer of a field, such as `/spec/region`, not 5"],
    [() => answer.messages(undefined), 'what `messages` is given is an object of fields, such as `{ region: "/spec/region" }`, not undefined'],
    [() => answer.messages({ network: { pods: null } }), "the field `pods` of `messages` is the JSON pointer of a field, such as `/spec/region`, not null"],
    [() => answer.messages({}, "words"), "the words of `messages` are a function that makes a text of a finding, not `words`"],
  ];
  for (const [call, message] of table) assert.throws(call, { name: "TypeError", message });
});

test("what one of several fields lacks is reported at each of them, and is gone with one", async () => {
  const vpc = "/spec/provider/infrastructureConfig/networks/vpc";
  const object = structuredClone(shoot);
  object.spec.provider.infrastructureConfig.networks.vpc = {};
  const answer = await check({ object, context: { cloudProfile } });
  assert.deepEqual([`${vpc}/id`, `${vpc}/cidr`].map((pointer) => answer.at(pointer)?.rule), ["ALI-INF-011", "ALI-INF-011"]);
  assert.equal(answer.at("/spec/provider/infrastructureConfig/networks/zones/0/name"), undefined);
  assert.ok(answer.rest([`${vpc}/id`]).every(({ rule }) => rule !== "ALI-INF-011"));
  assert.deepEqual(fieldsOf({ rule: "AZ-INF-020", pointer: "/a/workers" }), ["/a/workers", "/a/zones"]);
  const names = Object.keys(modules).filter((name) => !name.includes("-"));
  const known = await Promise.all(names.map(async (name) => JSON.parse(await readFile(new URL(`../dist/policies/${name}.rules.json`, import.meta.url), "utf8"))));
  for (const rule of Object.keys(FIELDS)) assert.ok(known.some((rules) => rule in rules), rule);
});

test("a wrong type at one field leaves the messages of the others", async () => {
  const wrong = structuredClone(shoot);
  wrong.spec.provider.workers[0].minimum = "2";
  const fields = { zone: "/spec/provider/infrastructureConfig/networks/zones/0/workers", minimum: "/spec/provider/workers/0/minimum" };
  const [before, after] = await Promise.all([shoot, wrong].map((object) => check({ object, context: { cloudProfile } })));
  assert.deepEqual(after.messages(fields).zone, before.messages(fields).zone);
  assert.equal(after.messages(fields).minimum.length, 1);
  assert.equal(before.messages(fields).minimum.length, 0);
});

test("a sentence is plain text: no marks of code, no message that is elsewhere, no two blanks in a row", async () => {
  const said = sentenceOf(finding("R", "/a", { detail: "a,  b or `c`", remedy: "Choose one of the listed values." }));
  assert.equal(said, "a, b or c. Choose one of the listed values.");
  assert.equal(sentenceOf(finding("R", "/a", { detail: "What now?" })), "What now?");
  for (const name of Object.keys(modules).filter((name) => !name.includes("-"))) {
    const rules = JSON.parse(await readFile(new URL(`../dist/policies/${name}.rules.json`, import.meta.url), "utf8"));
    for (const [id, { fix }] of Object.entries(rules)) {
      const sentence = sentenceOf(finding(id, "/a", { remedy: fix ?? "" }));
      assert.doesNotMatch(sentence, /the message|`| {2}/, `${id}: ${sentence}`);
    }
  }
});
