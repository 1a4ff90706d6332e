// Objects that no rule is asked of because of what is wrong with themselves: the errors of the command line, with fixes.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startChecker } from "trellis-policy/checker";
import { problemDiagnostic } from "trellis-policy/codemirror";
import { applyEdits } from "trellis-policy/yaml";
import { shoot, whole } from "./texts.js";

const started = startChecker();
after(() => started.close());
const checker = whole(started);
const lineOf = (text, part, from = 0) => text.slice(0, text.indexOf(part, from)).split("\n").length;

test("the second of two objects of one kind, namespace and name is an error, and only the first one is judged", async () => {
  const [one, other] = [shoot("a"), shoot("a", { workers: "10.250.32.0/19" })];
  const text = `# a comment\n---\n# another one\n${one}---\n${other}`;
  const [first, second] = (await checker.review({ text })).documents;
  assert.deepEqual([first.skipped, first.ruling.verdict !== undefined], [undefined, true]);
  assert.deepEqual([second.skipped, second.ruling.verdict], [{ because: "twice", found: "4" }, undefined]);
  const [only, ...rest] = second.ruling.findings;
  assert.deepEqual([rest, only.severity, only.pointer, only.line], [[], "error", "/metadata/name", lineOf(text, "name: a", one.length + 40)]);
  assert.equal(only.detail, "the text has another Shoot `garden-dev/a`, in line 4");
  assert.equal(only.remedy, "Remove one of the two. To compare with an earlier version, give that as the old object.");
});

test("a copy of an object counts once, and objects of other names, namespaces and kinds do not meet", async () => {
  const texts = [shoot("a"), shoot("a"), shoot("b"), shoot("a", { namespace: "garden-other" }), "kind: A\nmetadata: {name: a, namespace: garden-dev}\n"];
  const { documents } = await checker.review({ text: texts.join("---\n") });
  assert.deepEqual(documents.map(({ skipped }) => skipped?.because), [undefined, "copy", undefined, undefined, "kind"]);
  assert.equal(documents[1].ruling, undefined);
});

const bucket = (version, spec) => `apiVersion: ${version}\nkind: BackupBucket\nmetadata: {name: a}\nspec: ${spec}\n`;
const ours = bucket("core.gardener.cloud/v1beta1", "{provider: {type: alicloud, region: eu-central-1}}");
const others = bucket("extensions.gardener.cloud/v1alpha1", "{type: alicloud, region: eu-central-1}");

for (const [what, text, at] of [["behind", `${ours}---\n${others}`, 0], ["in front of", `${others}---\n${ours}`, 1]]) {
  test(`an object of one kind, namespace and name in another API group is another one, also ${what} that of Gardener`, async () => {
    const { documents, old } = await checker.review({ text, old: text });
    assert.deepEqual(old, []);
    assert.deepEqual([documents[at].skipped, documents[at].isUpdate, documents[at].ruling.verdict !== undefined], [undefined, true, true]);
    assert.deepEqual([documents[1 - at].skipped, documents[1 - at].ruling], [{ because: "kind", found: "BackupBucket" }, undefined]);
    // That of the others is no old version of Gardener's.
    const alone = await checker.review({ text: ours, old: others });
    assert.deepEqual([alone.documents[0].isUpdate, alone.old], [false, []]);
  });
}

test("an object counts to Gardener's API group also where its `apiVersion` is missing, misspelt, or of the old group", async () => {
  const [, ...rest] = shoot("a").split("\n");
  for (const version of [[], ["apiVersion: garden.sapcloud.io/v1beta1"], ["apiVersion: core.gardner.cloud/v1beta1"], ["apiVersion: v1"]]) {
    const other = [...version, ...rest].join("\n").replace("10.250.0.0/19", "10.250.32.0/19");
    assert.notEqual(other, shoot("a"));
    const { documents } = await checker.review({ text: `${shoot("a")}---\n${other}` });
    assert.equal(documents[1].skipped?.because, "twice", version[0]);
    assert.deepEqual((await checker.review({ text: other, old: shoot("a") })).old, []);
  }
});

test("objects without a name, or without a kind yet, are no copies of each other", async () => {
  const { documents } = await checker.review({ text: "kind: Shoot\n---\nkind: Shoot\n---\nmetadata: {name: a}\n---\nmetadata: {name: a}\n---\nkind: ''\nmetadata: {name: a}\n---\nkind: ''\nmetadata: {name: a}\n" });
  assert.ok(documents.every(({ skipped }) => !["twice", "copy"].includes(skipped?.because)));
});

test("an object that is twice in the old text or in the context is a problem there, a copy is none, and the first one counts", async () => {
  const other = shoot("a", { workers: "10.250.32.0/19" });
  const old = `${shoot("a")}---\n${shoot("a")}---\n${other}`;
  const { old: before, context, documents } = await checker.review({ text: shoot("a"), old, context: `${shoot("b")}---\n${shoot("b", { workers: "10.250.64.0/19" })}` });
  assert.deepEqual(before.map(({ message, remedy, readable }) => [message, remedy, readable]), [["the text has another Shoot `garden-dev/a`, in line 1", "remove one of the two", true]]);
  assert.deepEqual(context.map(({ message }) => message), ["the text has another Shoot `garden-dev/b`, in line 1"]);
  assert.deepEqual(documents[0].ruling.findings.filter(({ isOfUpdate }) => isOfUpdate), []);
});

test("an editor names YAML as the source of what is wrong with the YAML alone", async () => {
  const twice = `${shoot("b")}---\n${shoot("b", { workers: "10.250.64.0/19" })}`;
  for (const [old, source] of [["a: b: c\n", "YAML"], ["a: 1\n", undefined], [shoot("b"), undefined], [`${shoot("a")}---\n${twice}`, undefined]]) {
    const { old: problems } = await checker.review({ text: shoot("a"), old });
    assert.deepEqual([...new Set(problems.map((problem) => problemDiagnostic(problem).source))], [source], old);
  }
});

test("a misspelt kind of Gardener is an error with the kind that is meant, which the fix writes", async () => {
  const text = shoot("a").replace("kind: Shoot", "kind: Shot");
  const [{ skipped, ruling }] = (await checker.review({ text })).documents;
  const [{ detail, remedy, line, fix, isFixable }] = ruling.findings;
  assert.deepEqual([skipped.because, line, isFixable], ["kind", 2, true]);
  assert.deepEqual([detail, remedy], ["Gardener has no kind `Shot` in the API group `core.gardener.cloud`", "Did you mean `Shoot`?"]);
  assert.equal(applyEdits(text, await checker.edits(text, 0, fix)), shoot("a"));
});

for (const [what, head, message] of [
  ["a kind that is near to none", "apiVersion: core.gardener.cloud/v1beta1\nkind: Garden", "Gardener has no kind `Garden` in the API group `core.gardener.cloud`"],
  ["a kind of Gardener in another group", "apiVersion: example.com/v1\nkind: Shoot", "Shoot has `apiVersion: example.com/v1`, and Gardener's kind has `apiVersion: core.gardener.cloud/v1beta1`"],
  ["a kind that is missing", "apiVersion: core.gardener.cloud/v1beta1", "this document has no `kind`, so it is no Kubernetes object"],
  ["an empty kind", "apiVersion: core.gardener.cloud/v1beta1\nkind: ''", "this document has no `kind`, so it is no Kubernetes object"],
  ["a kind of Gardener in another version", "apiVersion: security.gardener.cloud/v1beta1\nkind: CredentialsBinding", "CredentialsBinding has `apiVersion: security.gardener.cloud/v1beta1`, and Gardener's kind has `apiVersion: security.gardener.cloud/v1alpha1`"],
]) {
  test(`${what} is an error`, async () => {
    const [{ ruling }] = (await checker.review({ text: `${head}\nmetadata: {name: a}\n` })).documents;
    assert.deepEqual(ruling.findings.map(({ severity, detail }) => [severity, detail]), [["error", message]]);
  });
}

test("an `apiVersion` has a fix where it can only mean Gardener's, and none where the kind may be of others", async () => {
  for (const [version, isCertain] of [["core.gardner.cloud/v1beta1", true], ["security.gardener.cloud/v1alpha1", true], ["v1beta1", true], ["batch.example.com/v1", false]]) {
    const [{ ruling }] = (await checker.review({ text: `apiVersion: ${version}\nkind: Seed\nmetadata: {name: a}\n` })).documents;
    const fixes = ruling.findings.filter(({ pointer }) => pointer === "/apiVersion").map(({ fix }) => fix?.[0].value);
    assert.deepEqual(fixes, [isCertain ? "core.gardener.cloud/v1beta1" : undefined], version);
  }
});

test("kinds of others, further kinds of Gardener, and lists are no errors", async () => {
  for (const head of ["apiVersion: apps/v1\nkind: Deployment", "apiVersion: core.gardener.cloud/v1beta1\nkind: Project", "apiVersion: example.com/v1\nkind: BackupBucket", "kind: Shot"]) {
    const [{ ruling, skipped }] = (await checker.review({ text: `${head}\nmetadata: {name: a}\n` })).documents;
    assert.deepEqual([ruling, skipped.because], [undefined, "kind"], head);
  }
});

test("a misspelt provider is named with the one that is meant, and what writes it", async () => {
  const text = shoot("a").replace("    type: alicloud", "    type: alicoud");
  const [{ skipped, unsupported, ruling }] = (await checker.review({ text })).documents;
  assert.deepEqual([skipped.because, skipped.found, unsupported, skipped.meant.provider], ["provider", "alicoud", "alicoud", "alicloud"]);
  assert.ok(ruling.verdict, "Gardener's rules are asked all the same");
  assert.equal(ruling.scope.notChecked[0], "alicoud's rules (did you mean `alicloud`?)");
  assert.equal(text.slice(skipped.meant.range.from, skipped.meant.range.to), "alicoud");
  assert.equal(applyEdits(text, await checker.edits(text, 0, skipped.meant.fix)), shoot("a"));
  const [other] = (await checker.review({ text: shoot("a").replace("    type: alicloud", "    type: ironcore") })).documents;
  assert.deepEqual(other.skipped, { because: "provider", found: "ironcore" });
});

test("a context of more than 50,000 values is a problem there, with what to do about it", async () => {
  const profile = `kind: CloudProfile\nmetadata: {name: big}\nspec:\n  regions:\n${"  - {name: a}\n".repeat(30_000)}`;
  const { context, old } = await checker.review({ text: shoot("a"), context: profile, old: profile });
  for (const [{ message, remedy, readable }] of [context, old]) {
    assert.equal(message, "the text has more than 50,000 values, counting those that aliases repeat: this document and those behind it are not read");
    assert.equal(remedy, "give only the objects that the manifest names, because each change of the manifest checks all of them");
    assert.equal(readable, false);
  }
});

test("an object without a kind says what to add", async () => {
  const remedies = async (head) => (await checker.review({ text: `${head}metadata: {name: a}\n` })).documents[0].ruling?.findings.map(({ remedy }) => remedy);
  assert.deepEqual(await remedies("apiVersion: v1\n"), ["Add `kind`, such as `kind: Shoot`."]);
  assert.deepEqual(await remedies("kind: ''\n"), ["Add `apiVersion` and `kind`."]);
});
