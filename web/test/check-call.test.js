// What a caller of `check` may give it, and what is said of a call that is wrong.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "trellis-policy";
import { example } from "./examples.js";

const [shoot] = await example("two-zones.yaml");
const [profile] = await example("cloudprofile-regions.yaml");
const aws = await example("aws-namespaced-cloudprofile.yaml");
const ofKind = (kind) => aws.find((object) => object.kind === kind);
const stored = { ...shoot, metadata: { ...shoot.metadata, uid: "u" } };
const rules = ({ findings }) => findings.map(({ rule }) => rule);

test("what kubectl apply sends may leave the provider out, and its rules count all the same", async () => {
  const { apiVersion, kind, metadata: { name, namespace } } = shoot;
  const sent = { apiVersion, kind, metadata: { name, namespace }, spec: { networking: { nodes: "10.1.0.0/16" } } };
  const answer = await check({ object: sent, oldObject: stored, context: { cloudProfile: profile }, apply: true });
  assert.equal(answer.verdict, "reject");
  assert.ok(rules(answer).includes("ALI-NETU-002"), String(rules(answer)));
});

test("an item that nobody can read is a finding, and the other items are judged", async () => {
  const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "a", namespace: "b", labels: { "provider.shoot.gardener.cloud/alicloud": "true" } }, data: { accessKeyID: "?" } };
  const named = { ...shoot, metadata: { ...shoot.metadata, name: "Bad_Name" } };
  const answer = await check({ object: { apiVersion: "v1", kind: "List", items: [named, secret] } });
  assert.equal(answer.verdict, "reject");
  assert.ok(answer.findings.some(({ pointer }) => pointer === "/items/0/metadata/name"));
  const unread = answer.findings.find(({ pointer }) => pointer.startsWith("/items/1"));
  assert.match(unread.detail, /expected base64/);
});

test("objects of another name than the object names are left out of its context", async () => {
  const other = { apiVersion: "security.gardener.cloud/v1alpha1", kind: "CredentialsBinding", metadata: { name: "zzz" }, provider: { type: "gcp" }, credentialsRef: { kind: "Secret" } };
  const project = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Project", metadata: { name: "p-of-fifteen-ch" }, spec: { namespace: "garden-other" } };
  const answer = await check({ object: shoot, context: { cloudProfile: profile, credentialsBinding: other, project } });
  assert.deepEqual(rules(answer), rules(await check({ object: shoot, context: { cloudProfile: profile } })));
  const parentless = await check({ object: ofKind("NamespacedCloudProfile"), context: { cloudProfile: profile } });
  assert.equal(parentless.verdict, "undecided", JSON.stringify(rules(parentless)));
});

test("a missing binding is reported at both fields that name one", async () => {
  const { credentialsBindingName: _, ...spec } = shoot.spec;
  const answer = await check({ object: { ...shoot, spec } });
  assert.equal(answer.at("/spec/credentialsBindingName")?.rule, "GDN-SPEC-004");
});

test("a call that is wrong says what to give", async () => {
  for (const [request, message] of [
    [{ object: shoot, apply: true }, "`apply` is about a change: give the object that is there as `oldObject`"],
    [{ object: { apiVersion: "v1", kind: "List", items: [] } }, "the list has no items"],
    [{ object: shoot, openapi: {} }, /^`openapi` cannot be used: the document describes no kind of core\.gardener\.cloud/],
    [{ object: shoot, openapi: { swagger: "2.0", definitions: {} } }, /^`openapi` cannot be used/],
    [{ object: shoot, context: { objects: profile } }, /^`context\.objects` is a list of objects, not /],
    [{ object: shoot, context: { featureGates: { A: "yes" } } }, /^`context\.featureGates` is an object of booleans by gate, not /],
    [{ object: shoot, context: { subresource: 5 } }, "`context.subresource` is a text such as `status`, not 5"],
    [{ object: ofKind("NamespacedCloudProfile"), context: { cloudProfile: ofKind("NamespacedCloudProfile") } }, /is its parent, a CloudProfile, not a NamespacedCloudProfile$/],
  ]) {
    const { error } = await check(request);
    if (typeof message === "string") assert.equal(error?.message, message);
    else assert.match(error?.message ?? "", message);
  }
});

test("a profile that its owner changes counts as it is, also where it is merged with its parent", async () => {
  const [own, parent] = [structuredClone(ofKind("NamespacedCloudProfile")), structuredClone(ofKind("CloudProfile"))];
  delete own.status;
  const aws = structuredClone((await example("aws-three-zones-dual-stack.yaml")).find(({ kind }) => kind === "Shoot"));
  aws.spec.cloudProfile = { kind: "NamespacedCloudProfile", name: own.metadata.name };
  const versionsIn = async () => {
    const { findings } = await check({ object: aws, context: { cloudProfile: own, parentCloudProfile: parent } });
    return findings.find(({ rule }) => rule === "ADM-K8S-001")?.detail ?? "";
  };
  aws.spec.kubernetes.version = "1.99.9";
  const before = await versionsIn();
  parent.spec.kubernetes.versions.push({ version: "1.98.1" });
  assert.ok(!before.includes("1.98.1") && (await versionsIn()).includes("1.98.1"), before);
});

test("no message has what a Secret says", async () => {
  for (const request of [{ object: '{"kind":"Secret","data":hunter2}' }, { object: shoot, context: { secret: '{"data":hunter2}' } }, { object: shoot, context: { secret: { data: "hunter2" } } }]) {
    const { error } = await check(request);
    assert.ok(error && !error.message.includes("hunter2"), error?.message);
  }
});

test("a misspelt kind and a misspelt provider are named with those that are meant", async () => {
  const { error } = await check({ object: { ...shoot, kind: "Shot" } });
  const fix = [{ op: "replace", path: "/kind", value: "Shoot" }];
  assert.deepEqual(error, { code: "UnsupportedKind", message: "Gardener has no kind `Shot` in the API group `core.gardener.cloud`", pointer: "/kind", remedy: "Did you mean `Shoot`?", fix });
  const misspelt = structuredClone(shoot);
  misspelt.spec.provider.type = "alicoud";
  const { scope } = await check({ object: misspelt });
  assert.equal(scope.notChecked[0], "alicoud's rules (did you mean `alicloud`?)");
});

test("an object of a kind that Gardener has in another version is refused, with what corrects it, and never accepted", async () => {
  const bucket = { apiVersion: "core.gardener.cloud/v1alpha1", kind: "BackupBucket", metadata: { name: "a" }, spec: { provider: { type: "alicloud", region: "eu-central-1" } } };
  const { error } = await check({ object: bucket });
  assert.deepEqual([error.code, error.pointer, error.remedy], ["UnsupportedKind", "/apiVersion", "Correct `apiVersion`, or leave the object out."]);
  assert.equal(error.message, "BackupBucket has `apiVersion: core.gardener.cloud/v1alpha1`, and Gardener's kind has `apiVersion: core.gardener.cloud/v1beta1`");
  assert.deepEqual(error.fix, [{ op: "replace", path: "/apiVersion", value: "core.gardener.cloud/v1beta1" }]);
});

test("an empty kind is a missing one", async () => {
  const { error } = await check({ object: { ...shoot, kind: "" } });
  assert.deepEqual([error.pointer, error.message], ["/kind", "this document has no `kind`, so it is no Kubernetes object"]);
});
