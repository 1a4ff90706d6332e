// Parts of a Shoot, as an editor of its workers shows them.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { parse as parseYaml, stringify } from "yaml";
import { nameOfFix, startChecker } from "trellis-policy/checker";
import { diagnosticsOf } from "trellis-policy/codemirror";
import { applyEdits } from "trellis-policy/yaml";
import { overlay } from "../../dist/yaml/overlay.js";
import { exampleText, shoot, whole } from "./texts.js";

const checker = whole(startChecker());
after(() => checker.close());

const example = (await exampleText("five-mistakes")).split(/^---$/m);
const [context, onto] = [example[0], parseYaml(example[1])];
/** The part that the dashboard's editor of workers shows. */
const { workers, infrastructureConfig } = onto.spec.provider;
const partOf = (change = () => {}) => {
  const part = structuredClone({ spec: { provider: { workers, infrastructureConfig: { networks: { zones: infrastructureConfig.networks.zones } } } } });
  change(part.spec.provider);
  return stringify(part);
};
const reported = ({ findings }) => findings.map(({ rule, pointer }) => `${rule} ${pointer}`);
const review = async (text, more = {}) => (await checker.review({ text, onto, context, ...more })).documents[0];
const shown = (text, { range }) => text.slice(range.from, range.to);

test("the whole is judged, and each finding stands in the text, or at the nearest parent there and says where it is", async () => {
  const text = partOf();
  const { ruling, ...document } = await review(text);
  const alone = (await checker.review({ text: example[1], context })).documents[0];
  assert.deepEqual(reported(ruling).sort(), reported(alone.ruling).sort());
  assert.deepEqual([document.isPart, document.kind, document.name, document.provider], [true, "Shoot", onto.metadata.name, "alicloud"]);
  assert.deepEqual(ruling.findings.map((finding) => [finding.pointer.split("/").at(-1), shown(text, finding), finding.elsewhere]).sort(), [
    ["1", "eu-central-1c", undefined],
    ["pods", "spec", "spec.networking.pods"],
    ["size", "name", "spec.provider.workers[0].dataVolumes[0].size"],
    ["workers", "10.250.1.0/19", undefined],
    ["workers", "10.250.128.0/19", undefined],
  ]);
  assert.equal(document.defaulted, undefined);
  const [{ message }] = diagnosticsOf({ old: [], context: [], documents: [{ ...document, ruling: { ...ruling, findings: ruling.findings.filter(({ pointer }) => pointer.endsWith("/pods")) } }] });
  assert.match(message, /\n`spec\.networking\.pods` is not in this text\.$/);
});

test("lists of the text take the place of the Shoot's, a null takes away, and all else stays", () => {
  const table = [
    [{ a: [1, 2], b: { c: 1, d: 2 } }, { a: [3], b: { c: null, e: { f: null, g: 1 } } }, { a: [3], b: { d: 2, e: { g: 1 } } }],
    [{ a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    [{ a: { b: 2 } }, { a: 5 }, { a: 5 }],
    [{ a: [{ b: 1, c: 2 }] }, { a: [{ b: null }] }, { a: [{ b: null }] }],
    [{ a: 1 }, [1], [1]],
  ];
  for (const [object, part, expected] of table) assert.deepEqual(JSON.parse(overlay(JSON.stringify(object), JSON.stringify(part))), expected);
  assert.equal(overlay('{"a":{"b":1.50,"c":1}}', '{"a":{"c":2.0,"c":3}}'), '{"a":{"b":1.50,"c":2.0,"c":3}}');
  assert.equal(overlay("{", "{}"), undefined);
});

test("a fix changes the text alone, and what is elsewhere has none", async () => {
  const text = partOf();
  const { ruling } = await review(text);
  const [fixable, ...others] = ruling.findings.filter(({ isFixable, isChoosable }) => isFixable || isChoosable);
  assert.deepEqual([nameOfFix(fixable.fix), others.length], ["Set workers to 10.250.0.0/19", 0]);
  const fixed = applyEdits(text, await checker.edits(text, 0, fixable.fix));
  assert.equal(fixed, text.replace("10.250.1.0/19", "10.250.0.0/19"));
  const wrong = { ...onto, spec: { ...onto.spec, region: "eu-central-2", purpse: "testing" } };
  const { findings } = (await review(partOf(), { onto: wrong })).ruling;
  const outside = findings.filter(({ elsewhere }) => elsewhere);
  assert.ok(outside.some(({ fix, choices = [] }) => fix || choices.length > 0), "there are fixes of the Shoot");
  assert.ok(outside.every(({ isFixable, isChoosable }) => !isFixable && !isChoosable));
});

test("what the Shoot has behind a key of the text cannot be taken away by taking away the key", async () => {
  const text = "spec:\n  purpse: testing\n";
  const fixable = async (more) => (await review(text, more)).ruling.findings.find(({ pointer }) => pointer === "/spec/purpse");
  const { fix, isFixable } = await fixable();
  assert.equal(isFixable, true);
  assert.equal(applyEdits(text, await checker.edits(text, 0, fix)), "spec:\n  purpose: testing\n");
  assert.equal((await fixable({ onto: { ...onto, spec: { ...onto.spec, purpse: "evaluation" } } })).isFixable, false);
});

test("a part is an edit of a stored Shoot, and of a new Shoot it is none", async () => {
  const stored = { ...onto, metadata: { ...onto.metadata, uid: "u-1" } };
  const text = partOf((provider) => (provider.infrastructureConfig.networks.vpc = { cidr: "10.240.0.0/16" }));
  const updates = async (more) => {
    const { isUpdate, isOfItself, ruling } = await review(text, more);
    return [isUpdate, isOfItself, ruling.findings.some(({ rule }) => rule.startsWith("ALI-INFU"))];
  };
  assert.deepEqual(await updates({ onto: stored }), [true, undefined, true]);
  assert.deepEqual(await updates({ onto: stored, create: true }), [false, undefined, false]);
  assert.deepEqual(await updates({}), [false, undefined, false]);
  const other = parseYaml(shoot());
  other.metadata.uid = "u-2";
  const [worker] = other.spec.provider.workers;
  const edit = stringify({ spec: { provider: { workers: [{ ...worker, maximum: 5 }] } } });
  const { rollout } = await review(edit, { onto: other, rollouts: true });
  assert.deepEqual([rollout.baseline, rollout.pools.map(({ change }) => change)], ["old", ["resized"]]);
});

test("only a document without `apiVersion` and `kind` is a part, and only where there is a Shoot", async () => {
  const { documents } = await checker.review({ text: `${shoot()}---\n${partOf()}---\nkind: Shoot\n---\n- name: a\n`, onto, context });
  assert.deepEqual(documents.map(({ isPart, skipped }) => [isPart, skipped?.because]), [[undefined, undefined], [true, undefined], [undefined, "unnamed"], [undefined, "unreadable"]]);
  const [part] = (await checker.review({ text: partOf(), context })).documents;
  assert.deepEqual([part.isPart, part.ruling?.verdict, part.skipped.because], [undefined, undefined, "kind"]);
  assert.deepEqual((await checker.review({ text: "", onto })).documents, []);
  const twice = await review("spec:\n  region: a\n  region: b\n");
  assert.ok(twice.problems.some(({ message }) => message.includes("region")));
});

test("what else there is to ask of a text knows the whole, too", async () => {
  const text = partOf((provider) => (provider.infrastructureConfig.networks.zones = [{ name: "eu-central-1a", workers: "10.250.0.0/19" }]));
  const plan = await checker.zones({ text, onto, context }, 0, [{ name: "eu-central-1b", prefixLength: 19 }]);
  assert.match(applyEdits(text, plan.edits), /name: eu-central-1b/);
  const objects = await checker.objects({ text, onto, context }, 0);
  assert.deepEqual(objects.map(({ kind }) => kind), ["Shoot", "CloudProfile"]);
  const { addresses } = await review(text, { addresses: true });
  assert.ok(addresses);
});

test("a wrong Shoot is an error of the call", async () => {
  const table = [
    [5, "`onto` is an object, not 5"],
    [null, "`onto` is an object, not null"],
    [[], "`onto` is a Shoot of `core.gardener.cloud/v1beta1`, not an object of kind none and apiVersion none"],
    [parseYaml(context), "`onto` is a Shoot of `core.gardener.cloud/v1beta1`, not an object of kind CloudProfile and apiVersion core.gardener.cloud/v1beta1"],
    [{ apiVersion: "example.org/v1", kind: "Shoot" }, "`onto` is a Shoot of `core.gardener.cloud/v1beta1`, not an object of kind Shoot and apiVersion example.org/v1"],
    [{ ...onto, spec: { minimum: 5n } }, /^`onto` cannot be sent: the request cannot be written as JSON: /],
  ];
  for (const [wrong, message] of table) {
    await assert.rejects(checker.review({ text: partOf(), onto: wrong }), { name: "CheckError", code: "Malformed", message });
  }
});
