import assert from "node:assert/strict";
import { after, test } from "node:test";
import { load, loadGardener } from "trellis-policy";
import { CheckError, nameOfFix, startChecker } from "trellis-policy/checker";
import { diagnosticsOf } from "trellis-policy/codemirror";
import { applyEdits, parse } from "trellis-policy/yaml";
import { exampleText, shoot, whole } from "./texts.js";

const checker = whole(startChecker());
after(() => checker.close());

const rules = ({ ruling }) => ruling.findings.map(({ rule }) => rule);

test("five mistakes are found at their lines, with names for their fixes", async () => {
  const text = await exampleText("five-mistakes");
  const { documents } = await checker.review({ text });
  assert.deepEqual(
    documents.map(({ kind, line, provider, ruling }) => [kind, line, provider, ruling.verdict]),
    [["CloudProfile", 5, "alicloud", "accept"], ["Shoot", 46, "alicloud", "reject"]],
  );
  const { findings } = documents[1].ruling;
  assert.deepEqual(
    findings.map(({ rule, line, range, isFixable }) => [rule, line, text.slice(range.from, range.to), isFixable]),
    [
      ["ALI-INF-003", 68, "10.250.1.0/19", true],
      ["ALI-INF-007", 70, "10.250.128.0/19", false],
      ["ALI-WRK-008", 88, "name", false],
      ["ALI-WRK-010", 92, "eu-central-1c", false],
      ["ALI-INF-016", 96, "10.250.192.0/18", false],
    ],
  );
  assert.equal(nameOfFix(findings[0].fix), "Set workers to 10.250.0.0/19");
});

test("a misspelt key and a wrong value are fixed in the text, whatever defaults stand in their place", async () => {
  const [profile] = (await exampleText("five-mistakes")).split(/^---$/m);
  const own = [
    "apiVersion: core.gardener.cloud/v1beta1",
    "kind: Shoot",
    "metadata: {name: a, namespace: garden-a}",
    "spec:",
    "  purpse: testing # for now",
    "  region: mars-1",
    "  cloudProfile: {kind: CloudProfile, name: alicloud}",
    "  provider: {type: alicloud}",
  ].join("\n");
  const text = `${own}\n---\n${profile}`;
  const review = await checker.review({ text });
  const { findings } = review.documents[0].ruling;
  const made = [];
  for (const finding of findings.filter(({ isFixable, isChoosable }) => isFixable || isChoosable)) {
    const [diagnostic] = diagnosticsOf({ ...review, documents: [{ ...review.documents[0], ruling: { findings: [finding], undecided: [] } }] }, {
      action: (fix) => ({ name: nameOfFix(fix), fix }),
    });
    for (const { name, fix } of diagnostic.actions) made.push([finding.rule, name, applyEdits(text, await checker.edits(text, 0, fix)).split("\n")[finding.line - 1]]);
  }
  assert.deepEqual(made.filter(([rule]) => ["DEC-2", "ADM-REG-001"].includes(rule)), [
    ["DEC-2", "Rename purpse to purpose", "  purpose: testing # for now"],
    ["ADM-REG-001", "Set region to eu-central-1", "  region: eu-central-1"],
  ]);
});

test("a review is the same as what the policies say, and can be cloned", async () => {
  const text = await exampleText("two-zones");
  const { documents } = await checker.review({ text, defaults: false, showDefaults: true });
  structuredClone(documents);
  const policies = { alicloud: await load({ provider: "alicloud" }), gardener: await loadGardener() };
  for (const [source, policy] of Object.entries(policies)) {
    const said = documents.map(({ ruling }) => ruling.undecided.filter((open) => open.source === source).map(({ rule }) => rule));
    const answers = parse(text).map(({ json }) => policy.validate(`{"object":${json},"now":"2026-06-01T00:00:00Z"}`));
    assert.deepEqual(said, answers.map(({ undecided }) => undecided.map(({ rule }) => rule)), source);
  }
  assert.ok(documents.every(({ ruling, defaulted }) => ruling.changes.length === 0 && defaulted === undefined));
});

test("each object of a text is judged by the policy of its provider", async () => {
  const texts = await Promise.all(["one-zone", "equinix-metal", "seed", "backupbucket"].map(exampleText));
  const { documents } = await checker.review({ text: texts.join("---\n") });
  assert.deepEqual(
    documents.map(({ kind, provider, ruling }) => [kind, provider, ruling?.verdict]),
    [
      ["Shoot", "alicloud", "undecided"],
      ["Shoot", "equinixmetal", "accept"],
      ["CloudProfile", "equinixmetal", "accept"],
      ["Seed", "alicloud", "accept"],
      ["BackupBucket", "alicloud", "accept"],
    ],
  );
});

test("what no policy of a provider judges says why", async () => {
  const of = (kind, spec, apiVersion = "core.gardener.cloud/v1beta1") =>
    `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\nspec: ${spec}\n`;
  const table = [
    [of("Shoot", "{provider: {type: ironcore}}"), { because: "provider", found: "ironcore" }],
    [of("Shoot", "{}"), { because: "unnamed", found: "Shoot" }],
    [of("BackupBucket", "{provider: {type: equinixmetal}}"), { because: "kind", found: "BackupBucket" }],
    [of("Project", "{}"), { because: "kind", found: "Project" }],
    [of("Shoot", "{provider: {type: alicloud}}", "example.org/v1"), { because: "kind", found: "Shoot" }],
    [of("InfrastructureConfig", "{}", "alicloud.provider.extensions.gardener.cloud/v1alpha1"), { because: "kind", found: "InfrastructureConfig" }],
    ["apiVersion: v1\nkind: Secret\nmetadata: {name: a}\n", { because: "unnamed", found: "Secret" }],
    ["a: 1\n", { because: "kind", found: "" }],
    ["- 1\n", { because: "unreadable", found: "list" }],
    ["text\n", { because: "unreadable", found: "string" }],
    ["a: b: c\n", { because: "unreadable", found: "" }],
  ];
  for (const [text, skipped] of table) {
    const [document] = (await checker.review({ text })).documents;
    assert.deepEqual(document.skipped, skipped, text);
    assert.equal(document.unsupported, skipped.because === "provider" ? skipped.found : undefined, text);
    const isOfAll = text.startsWith(of("Shoot", "").split("\n")[0]) && document.kind === "Shoot";
    assert.equal(document.ruling?.verdict !== undefined, isOfAll, `${text} is judged by Gardener's rules`);
  }
});

test("a provider without a policy is named, and Gardener's rules are asked of its objects", async () => {
  const text = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: a}\nspec: {provider: {type: ironcore}}\n";
  const review = await checker.review({ text, addresses: true, plans: true });
  const [{ unsupported, ruling, addresses, plan }] = review.documents;
  assert.deepEqual([unsupported, addresses, plan], ["ironcore", undefined, undefined]);
  // In an editor, nothing is underlined for what nobody can fix.
  const shown = diagnosticsOf(review);
  assert.ok(shown.every(({ message }) => !message.includes("not supported yet")));
  assert.equal(shown.length, ruling.findings.filter(({ range }) => range).length);
  assert.ok(shown.length > 0, "Gardener's rules are asked all the same");
  const { error } = await checker.zones({ text }, 0, [{ name: "a" }]);
  assert.deepEqual(error, { code: "UnsupportedProvider", message: "ironcore is not supported yet" });
});

test("a ruling with a verdict says whose rules the verdict covers", async () => {
  const [{ ruling }] = (await checker.review({ text: shoot() })).documents;
  const parities = [await loadGardener(), await load({ provider: "alicloud" })].map((policy) => policy.info().parity);
  assert.equal(ruling.verdict, "undecided", "there is no CloudProfile");
  assert.deepEqual(ruling.scope.checked, parities);
  assert.ok(ruling.scope.notChecked.length > 0 && !ruling.scope.notChecked.includes("gardener"));
});

test("a provider that is given is that of objects that name none", async () => {
  const unnamed = "apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ndata: {}\n";
  const text = `${unnamed}---\n${await exampleText("equinix-metal")}`;
  const review = async (provider) => (await checker.review({ text, provider })).documents.map((found) => found.provider);
  assert.deepEqual(await review(undefined), [undefined, "equinixmetal", "equinixmetal"]);
  assert.deepEqual(await review("alicloud"), ["alicloud", "equinixmetal", "equinixmetal"]);
  const [document] = (await checker.review({ text: unnamed, provider: "ironcore" })).documents;
  assert.deepEqual(document.skipped, { because: "provider", found: "ironcore" });
});

test("an old object of the same name makes an update, and one of another name is a problem", async () => {
  const old = shoot();
  const text = shoot("crazy-botany", { workers: "10.250.32.0/19" });
  const [created] = (await checker.review({ text })).documents;
  assert.equal(created.isUpdate, false);
  assert.deepEqual(rules(created), ["WRN-028"], "it names a SecretBinding");
  const update = await checker.review({ text, old });
  assert.equal(update.documents[0].isUpdate, true);
  assert.ok(rules(update.documents[0]).length > 0, "the update changes what is immutable");
  assert.deepEqual(update.old, []);
  const other = await checker.review({ text, old: shoot("other") });
  assert.equal(other.documents[0].isUpdate, false);
  const [problem, ...more] = other.old;
  assert.equal(more.length, 0);
  assert.match(problem.message, /no new version of Shoot `garden-dev\/other`/);
  assert.equal(shoot("other").slice(problem.from, problem.to), "other");
});

test("an object that is there already is judged as an update of itself, unless it is to be created", async () => {
  const there = (key, text = shoot()) => text.replace("metadata:\n", `metadata:\n  ${key}\n`);
  for (const key of ["uid: a", "uid: 5"]) {
    const [found] = (await checker.review({ text: there(key) })).documents;
    assert.deepEqual([found.isUpdate, found.isOfItself], [true, true], key);
    const set = found.ruling.changes.filter(({ source }) => source === "alicloud").map(({ rule }) => rule);
    assert.deepEqual(set, ["ALI-DEF-006"], "what the next change brings, and no default of creation");
    const [created] = (await checker.review({ text: there(key), create: true })).documents;
    assert.deepEqual([created.isUpdate, created.isOfItself], [false, undefined], key);
    assert.notDeepEqual(created.ruling.changes.filter(({ source }) => source === "alicloud"), []);
    const [update] = (await checker.review({ text: there(key), old: shoot() })).documents;
    assert.deepEqual([update.isUpdate, update.isOfItself], [true, undefined], key);
  }
  for (const key of ['uid: ""', 'resourceVersion: "5"', "generation: 1"]) {
    const [found] = (await checker.review({ text: there(key) })).documents;
    assert.deepEqual([found.isUpdate, found.isOfItself], [false, undefined], key);
  }
  const wrong = there("uid: a", shoot("crazy-botany", { workers: "10.9.0.0/19" }));
  const [rejected] = (await checker.review({ text: wrong, ratchet: true })).documents;
  assert.equal(rejected.ruling.verdict, "reject", "what an object has itself is no excuse");
});

test("a Secret and bindings are judged as new ones, also where they are there already", async () => {
  const binding = "kind: SecretBinding\napiVersion: core.gardener.cloud/v1beta1\nmetadata: {name: b, namespace: n, uid: a}\nprovider: {type: alicloud}\n";
  const [{ isUpdate, isOfItself }] = (await checker.review({ text: binding })).documents;
  assert.deepEqual([isUpdate, isOfItself], [false, undefined]);
});

test("a Seed is judged by the provider of its backup", async () => {
  const seed = (backup) => `kind: Seed\napiVersion: core.gardener.cloud/v1beta1\nspec:\n  provider: {type: alicloud}\n${backup}`;
  const [other] = (await checker.review({ text: seed("  backup: {provider: ironcore}\n") })).documents;
  assert.deepEqual(other.skipped, { because: "provider", found: "ironcore" });
  for (const backup of ["", "  backup: {provider: ''}\n"]) {
    const [found] = (await checker.review({ text: seed(backup) })).documents;
    assert.equal(found.provider, "alicloud");
  }
});

test("what an old object has wrong already is a warning where that is asked for", async () => {
  const text = shoot("a", { workers: "10.250.1.0/19" });
  const [strict] = (await checker.review({ text, old: text })).documents;
  const [lenient] = (await checker.review({ text, old: text, ratchet: true })).documents;
  assert.equal(strict.ruling.verdict, "reject");
  assert.ok(lenient.ruling.findings.every(({ severity }) => severity === "warning"));
});

test("the context is looked at, as a list too, and objects of the text go before it", async () => {
  const text = await exampleText("namespaced-cloudprofile");
  const [child, parent] = text.split("---\n");
  // Without the configuration nothing but the parent names the provider.
  const own = child.replace(/^ {2}providerConfig:\n(?: {3,}.*\n)*/m, "");
  const alone = await checker.review({ text: own });
  assert.equal(alone.documents[0].skipped.because, "unnamed");
  const { documents } = await checker.review({ text: own, context: parent });
  assert.deepEqual(documents.map(({ kind, provider }) => [kind, provider]), [["NamespacedCloudProfile", "alicloud"]]);
  const list = `{"kind": "List", "items": [${parse(parent)[0].json}]}`;
  assert.deepEqual((await checker.review({ text: own, context: list })).documents, documents);
  const other = parent.replace("type: alicloud", "type: ironcore");
  const both = await checker.review({ text, context: other });
  assert.ok(both.documents.every(({ provider }) => provider === "alicloud"));
});

test("the items of a list are judged as objects of their own, with what the list has for them, and fixed at their place", async () => {
  const indented = (text) => text.trim().split(/\r?\n/).map((line, index) => (index === 0 ? "- " : "  ") + line).join("\n");
  const text = (await exampleText("five-mistakes")).split("\n").filter((line) => !line.startsWith("#")).join("\n");
  const alone = await checker.review({ text });
  const list = `apiVersion: v1\nkind: List\nitems:\n${text.split(/^---$/m).map(indented).join("\n")}\n`;
  const { documents } = await checker.review({ text: list, showDefaults: true });
  const short = ({ kind, name, provider, ruling }) => [kind, name, provider, ruling.verdict, ruling.findings.map(({ rule, field }) => [rule, field])];
  assert.deepEqual(documents.map(short), alone.documents.map(short));
  const { findings } = documents[1].ruling;
  assert.equal(list.slice(findings[0].range.from, findings[0].range.to), "10.250.1.0/19");
  const fixed = applyEdits(list, await checker.edits(list, 1, findings[0].fix));
  assert.equal(fixed, list.replace("10.250.1.0/19", "10.250.0.0/19"));
  const lines = documents.map(({ defaulted }) => defaulted?.filter(({ line }) => line !== undefined).length);
  assert.ok(lines[0] + lines[1] <= list.split("\n").length, String(lines));
  assert.ok(documents[1].defaulted.some(({ text }) => text?.includes("infrastructureConfig")));
});

test("the defaults are shown in the text, each at the line where what it sets begins", async () => {
  const text = (await exampleText("one-zone")).replaceAll("\n", "\r\n");
  const [unasked] = (await checker.review({ text })).documents;
  assert.equal(unasked.defaulted, undefined);
  const { documents } = await checker.review({ text, showDefaults: true });
  const [{ defaulted, ruling }] = documents;
  const shown = (states) => defaulted.filter(({ state }) => states.includes(state)).map((line) => line.text);
  assert.deepEqual(shown(["same", "removed"]), text.trimEnd().split("\r\n"));
  assert.ok(shown(["added"]).length > 0);
  for (const [index, { line, state }] of defaulted.filter(({ state }) => state !== "added").entries()) {
    assert.equal(line, index + 1, state);
  }
  const attached = defaulted.flatMap(({ text, changes }) => changes.map(({ pointer }) => [pointer, text]));
  assert.equal(attached.length, ruling.changes.length);
  for (const [pointer, line] of attached) {
    const key = pointer.split("/").findLast((token) => !/^[0-9]+$/.test(token));
    assert.ok(line.includes(`${key}:`), `${pointer}: ${line}`);
  }
  const [own, provider] = [await loadGardener(), await load({ provider: "alicloud" })];
  const made = parse(shown(["same", "added"]).join("\n"))[0].json;
  const { object } = own.default(`{"object":${parse(text)[0].json}}`);
  assert.deepEqual(JSON.parse(made), provider.default({ object }).object);
});

test("each document has the lines of its own", async () => {
  const [first, second] = [shoot("first"), shoot("second")];
  const { documents } = await checker.review({ text: `# two\n${first}---\n${second}`, showDefaults: true });
  const old = documents.map(({ defaulted }) => defaulted.filter(({ state }) => state !== "added").map(({ text }) => text));
  assert.deepEqual(old, [`# two\n${first}`.trimEnd().split("\n"), `---\n${second}`.trimEnd().split("\n")]);
  for (const { defaulted, ruling } of documents) {
    assert.deepEqual(defaulted.flatMap(({ changes }) => changes).length, ruling.changes.length);
  }
});

test("a text of one line keeps it as removed and has another", async () => {
  const json = parse(shoot())[0].json;
  const [{ defaulted }] = (await checker.review({ text: json, showDefaults: true })).documents;
  assert.deepEqual(defaulted.map(({ state }) => state), ["removed", "added"]);
  assert.ok(defaulted[1].changes.length > 1);
});

test("there are no defaulted lines where no edit makes them", async () => {
  const twice = shoot().replace("  region: eu-central-1\n", "  region: eu-central-1\n  region: eu-central-1\n");
  const many = `${"# line\n".repeat(20_000)}${shoot()}`;
  for (const text of [twice, many, await exampleText("secret")]) {
    const { documents } = await checker.review({ text, showDefaults: true });
    assert.ok(documents.every(({ ruling, defaulted }) => ruling && defaulted === undefined));
  }
});

test("edits make the patch of a document, or are nothing", async () => {
  const text = await exampleText("five-mistakes");
  const { documents } = await checker.review({ text });
  const { fix } = documents[1].ruling.findings[0];
  const edits = await checker.edits(text, 1, fix);
  assert.equal(applyEdits(text, edits), text.replace("10.250.1.0/19", "10.250.0.0/19"));
  assert.equal(await checker.edits(text, 0, fix), undefined);
  assert.equal(await checker.edits("a: b: c", 0, fix), undefined);
});

test("the rules of a provider are handed out, and who has none is reported", async () => {
  const policy = await load({ provider: "equinixmetal" });
  assert.deepEqual(await checker.rules("equinixmetal"), (await policy.rules()).rules);
  await assert.rejects(checker.rules("ironcore"), (error) => {
    assert.ok(error instanceof CheckError);
    assert.equal(error.code, "PolicyUnavailable");
    assert.match(error.message, /^ironcore is not supported yet; there are policies for alicloud, /);
    return true;
  });
});

test("zones are planned by a policy alone", async () => {
  const add = [{ name: "eu-central-1b" }];
  const answer = await checker.zones({ text: "kind: Thing\n" }, 0, add);
  assert.equal(answer.error.code, "UnsupportedKind");
  const plan = await checker.zones({ text: shoot() }, 0, add);
  // A policy that cannot plan zones says so.
  assert.ok(plan.error?.code === "UnknownFunction" || plan.edits.length > 0);
});

test("a policy's error has a place", async () => {
  const text = "apiVersion: core.gardener.cloud/v1beta1\nkind: BackupBucket\nspec:\n  provider: {type: 5}\n";
  const [{ ruling }] = (await checker.review({ text, provider: "alicloud" })).documents;
  assert.equal(ruling.verdict, undefined);
  assert.ok(ruling.error.message);
  assert.ok(ruling.range.to > ruling.range.from);
});

test("what the provider's policy cannot read, Gardener's rules find at its place", async () => {
  const text = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nspec:\n  provider: {type: alicloud, workers: 5}\n";
  const [{ ruling }] = (await checker.review({ text })).documents;
  assert.deepEqual([ruling.verdict, ruling.error], ["reject", undefined]);
  assert.equal(ruling.findings.find(({ pointer }) => pointer === "/spec/provider/workers").source, "gardener");
  assert.match(ruling.scope.notChecked[0], /^alicloud's rules, which need/);
});

test("a text next to the manifest that has no object is reported", async () => {
  const of = async (other) => {
    const { old, context } = await checker.review({ text: shoot(), old: other, context: other });
    return [old, context].map((problems) => problems.map(({ message }) => message));
  };
  const reported = ["there is no object in this text"];
  assert.deepEqual(await of("hello"), [reported, reported]);
  for (const other of ["", "# a comment\n", "kind: ConfigMap\n"]) assert.deepEqual(await of(other), [[], []], other);
});
