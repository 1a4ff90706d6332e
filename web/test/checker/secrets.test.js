// Values of Secrets are nowhere in what a checker says.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startChecker } from "trellis-policy/checker";
import { guessSecrets } from "../../dist/check/secrets.js";
import { exampleText, whole } from "./texts.js";

const checker = whole(startChecker());
after(() => checker.close());

const head = `apiVersion: v1
kind: Secret
metadata:
  name: account
  labels:
    provider.shoot.gardener.cloud/alicloud: "true"
`;

/** Texts of Secrets, and the ranges that are hidden of each; in words of theirs is `hunter2`. */
const TABLE = {
  "plain and quoted": [`${head}data:\n  a: hunter2\n  b: "hunter2 b" # why\nstringData:\n  c: 'hunter2 c'\n`, ["hunter2", '"hunter2 b"', "'hunter2 c'"]],
  "a block": [`${head}stringData:\n  a: |\n    hunter2\n    more hunter2\n  b: x\n`, ["hunter2\n    more hunter2", "x"]],
  "a folded line": [`${head}stringData:\n  a: first\n    hunter2\n`, ["first\n    hunter2"]],
  "brackets": [`${head}data: {a: hunter2, b: [hunter2 c]}\n`, ["hunter2", "hunter2 c"]],
  "an alias": [`${head}x: &x hunter2\ny: &y {b: hunter2 y}\ndata:\n  a: *x\nstringData: *y\n`, ["hunter2", "hunter2 y", "*x"]],
  "a merge": [`${head}x: &x {a: hunter2}\ndata:\n  <<: *x\n`, ["hunter2"]],
  "what is no text": [`${head}data:\n  a: 5\n  b: true\n`, ["5", "true"]],
  "what kubectl wrote down": [
    `${head}  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {"data":{"a":"hunter2"}}\ndata:\n  a: hunter2\n`,
    ['{"data":{"a":"hunter2"}}', "hunter2"],
  ],
  "JSON": [`{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "a"}, "data": {"a": "hunter2"}}`, ['"hunter2"']],
  "no mapping": [`${head}data: hunter2\n`, ["hunter2"]],
  "nothing": [`${head}data:\n`, []],
};

for (const [name, [text, hidden]] of Object.entries(TABLE)) {
  test(`values of a Secret are but ranges: ${name}`, async () => {
    const review = await checker.review({ text, old: text, context: text, provider: "alicloud" });
    for (const secrets of [review.documents.flatMap(({ secrets }) => secrets), review.oldSecrets, review.contextSecrets]) {
      assert.deepEqual(secrets.map(({ from, to }) => text.slice(from, to)), hidden);
    }
    assert.doesNotMatch(JSON.stringify(review), /hunter2/);
  });
}

test("what is wrong with a Secret does not quote it", async () => {
  const broken = ["a: *hunter2", "a: !hunter2 b", "a: @hunter2", 'a: "hunter2', "a: [hunter2", "a: \"\\hunter2\"", "a: hunter2: hunter2", "a: hunter2\n b: c", "? [hunter2]", "- }hunter2"];
  for (const data of broken) {
    const text = `${head}data:\n  ${data}\n`;
    const review = await checker.review({ text, old: text, context: text });
    const [{ problems, secrets }] = review.documents;
    assert.ok(problems.length > 0, data);
    assert.doesNotMatch(JSON.stringify(review), /hunter2/, data);
    const [at] = [text.indexOf("hunter2")];
    assert.ok(secrets.some(({ from, to }) => from <= at && at < to), data);
  }
});

test("findings of a Secret have neither value nor fix", async () => {
  const text = (await exampleText("secret")).replace(/(accessKeyID: ).*/, "$1aHVudGVyMg==");
  const [{ ruling }] = (await checker.review({ text })).documents;
  assert.ok(ruling.findings.length > 0);
  for (const finding of ruling.findings) assert.ok(!("badValue" in finding) && !("fix" in finding));
  assert.doesNotMatch(JSON.stringify(ruling), /hunter2|aHVudGVyMg/);
});

test("a list of Secrets hides their values", async () => {
  for (const text of [
    `kind: List\nitems:\n- kind: Secret\n  data:\n    a: hunter2\n`,
    `kind: SecretList\nitems:\n- metadata: {name: a}\n  data:\n    a: hunter2\n`,
    `kind: List\nitems:\n- kind: List\n  items:\n  - kind: !!str Secret\n    data:\n      a: hunter2\n- kind: ConfigMap\n  data:\n    a: shown\n`,
    `{"items": [{"data": {"a": hunter2}, "kind": "\\u0053ecret"}], "kind": "List"}`,
    `kind: List\nitems:\n- kind: ConfigMap\n  data:\n    a: &a hunter2\n- kind: Secret\n  data: {}\n`.replace("{}", "{a: *a}"),
    `kind: InternalSecret\ndata:\n  a: hunter2\n`,
    `kind: InternalSecretList\nitems:\n- data:\n    a: hunter2\n`,
  ]) {
    const review = await checker.review({ text, old: text, context: text });
    for (const secrets of [review.documents.flatMap(({ secrets }) => secrets), review.oldSecrets, review.contextSecrets]) {
      const hidden = secrets.map(({ from, to }) => text.slice(from, to));
      assert.deepEqual(hidden.filter((range) => range !== "*a"), ["hunter2"], text);
    }
    assert.doesNotMatch(JSON.stringify(review), /hunter2/);
  }
});

test("objects to be sent elsewhere have no Secrets of any kind", async () => {
  for (const kind of ["Secret", "InternalSecret"]) {
    const text = `${head.replace("kind: Secret", `kind: ${kind}`)}data:\n  a: hunter2\n`;
    assert.deepEqual(await checker.objects({ text, provider: "alicloud" }, 0), [], kind);
  }
});

test("the lines alone show where values of a Secret are, and hide nothing of other objects", async () => {
  for (const [name, [text, hidden]] of Object.entries(TABLE)) {
    const guessed = guessSecrets(text);
    const at = text.lastIndexOf("hunter2");
    // What stands elsewhere is known when the text is read.
    if (at >= 0 && !/alias|merge/.test(name)) assert.ok(guessed.some(({ from, to }) => from <= at && at < to), name);
    for (const { from, to } of guessed) assert.ok(from < to && to <= text.length && !/^\s|\s$/.test(text.slice(from, to)), name);
    if (hidden.length === 0) assert.deepEqual(guessed, [], name);
  }
  for (const name of ["five-mistakes", "two-zones", "seed", "cloudprofile-regions"]) {
    assert.deepEqual(guessSecrets(await exampleText(name)), [], name);
  }
  const shown = (text) => guessSecrets(text).map(({ from, to }) => text.slice(from, to));
  const other = "kind: ConfigMap\ndata:\n  a: shown\n";
  assert.deepEqual(shown(`${other}---\n${head}data:\n  a: hidden\n---\n${other}`), ["hidden"]);
  assert.deepEqual(shown(`data:\n  a: hidden\n\n  # note\n  b: >-\n    hidden b\nkind: Secret\ntype: Opaque\n`), ["hidden", "# note", "hidden b"]);
  assert.deepEqual(shown(`kind: InternalSecret\ndata:\n  a: hidden\n`), ["hidden"]);
  assert.deepEqual(shown(`{\n  "kind": "Secret",\n  "data": {\n    "a": "hidden"\n  }\n}\n`), ['"hidden"']);
});

test("what is wrong with a Secret is reported there, and not again at the bindings that name it", async () => {
  const text = (await exampleText("secret")).replace("accessKeyID:", "accessKeyId:");
  const { documents } = await checker.review({ text });
  const [secret, ...bindings] = documents;
  assert.ok(secret.ruling.findings.some(({ rule }) => rule === "ALI-ADV-020"));
  assert.equal(secret.leftTo, undefined);
  for (const { ruling, leftTo } of bindings) {
    assert.deepEqual([ruling.verdict, ruling.findings, leftTo], ["reject", [], "Secret garden-dev/core-alicloud"]);
  }
  // Without the Secret, nobody knows what is in it.
  const alone = await checker.review({ text: text.split("---\n").slice(1).join("---\n") });
  assert.ok(alone.documents.every(({ leftTo }) => leftTo === undefined));
});

test("what is wrong with a WorkloadIdentity or a CloudProfile is reported there, and not again at what names it", async () => {
  const TABLE = {
    "aws-workload-identity": ["roleARN:", "roleArn:", "CredentialsBinding", "WorkloadIdentity garden-dev/aws"],
    "openstack-two-floating-pools": ["    constraints:", "    useOctavia: true\n    constraints:", "Shoot", "CloudProfile openstack"],
    "openstack-application-credentials": ["domainName:", "domainname:", "Shoot", "Secret garden-dev/openstack"],
  };
  for (const [name, [right, wrong, kind, named]] of Object.entries(TABLE)) {
    const text = await exampleText(name);
    assert.ok(text.includes(right), name);
    const { documents } = await checker.review({ text: text.replace(right, wrong) });
    const errors = documents.flatMap(({ ruling }) => ruling?.findings.filter(({ severity, causedBy }) => severity === "error" && !causedBy) ?? []);
    assert.equal(errors.length, 1, `${name}: ${JSON.stringify(errors.map(({ rule, pointer }) => [rule, pointer]))}`);
    assert.equal(documents.find((document) => document.kind === kind).leftTo, named, name);
  }
});
