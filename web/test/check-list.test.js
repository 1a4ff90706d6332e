// Lists of objects, of which `check` judges each item.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, placeOf } from "trellis-policy";
import { startChecker } from "trellis-policy/checker";
import { example } from "./examples.js";

const [cloudProfile, shoot] = await example("five-mistakes.yaml");
const context = { cloudProfile };
const changed = (change) => {
  const copy = structuredClone(shoot);
  change(copy);
  return copy;
};
const other = changed(({ metadata, spec }) => {
  metadata.name = "second";
  spec.region = "mars-1";
});
const listOf = (items, kind = "List", apiVersion = "v1") => ({ apiVersion, kind, items });
const reported = ({ findings }) => findings.map(({ rule, pointer }) => `${rule} ${pointer}`);

test("a list is judged item by item, and its findings point into it", async () => {
  const answer = await check({ object: listOf([shoot, other]), context });
  const alone = await Promise.all([shoot, other].map((object) => check({ object, context })));
  const expected = alone.flatMap(({ findings }, index) => findings.map(({ rule, pointer }) => `${rule} /items/${index}${pointer}`));
  assert.ok(expected.length > 5);
  assert.deepEqual(reported(answer), expected);
  assert.equal(answer.verdict, "reject");
  const region = answer.at("/items/1/spec/region");
  assert.deepEqual([region.pointer, placeOf(region), answer.at("/items/0/spec/region")], ["/items/1/spec/region", "items[1].spec.region", undefined]);
  assert.deepEqual(answer.messages({ first: "/items/0/spec/region", second: "/items/1/spec/region" }).first, []);
  assert.ok(answer.findings.every(({ fix = [] }) => fix.every(({ path }) => path.startsWith("/items/"))));
  assert.ok(answer.findings.some(({ fix }) => fix));
  assert.ok(answer.findings.every(({ causedBy }) => !causedBy || causedBy.pointer.startsWith("/items/")));
  assert.ok(answer.changes.length > 0 && answer.changes.every(({ pointer }) => pointer.startsWith("/items/")));
  assert.deepEqual(answer.object.items, alone.map(({ object }) => object));
  assert.deepEqual(new Set(answer.undecided.map(({ item }) => item)), new Set(alone.flatMap(({ undecided }, index) => (undecided.length > 0 ? [`/items/${index}`] : []))));
});

test("items of a list of one kind need not say which it is, and lists may be in lists", async () => {
  const bare = changed((copy) => {
    delete copy.apiVersion;
    delete copy.kind;
  });
  const shoots = listOf([bare], "ShootList", shoot.apiVersion);
  const [nested, alone] = [await check({ object: listOf([listOf([]), shoots]), context }), await check({ object: shoot, context })];
  assert.deepEqual(reported(nested), alone.findings.map(({ rule, pointer }) => `${rule} /items/1/items/0${pointer}`));
  assert.equal(nested.scope.notChecked.at(-1), "items[0], a List");
  const profiles = await check({ object: listOf([cloudProfile], "CloudProfileList", shoot.apiVersion) });
  assert.deepEqual([profiles.verdict, profiles.scope.checked.length], ["accept", 2]);
});

test("an item finds what it names among the others and in the context, and nothing of another name", async () => {
  const wrong = changed(({ spec }) => (spec.provider.workers[0].machine.type = "ecs.none"));
  const isKnown = async (request) => (await check(request)).findings.some(({ pointer, source }) => pointer.endsWith("/machine/type") && source === "gardener");
  assert.equal(await isKnown({ object: listOf([cloudProfile, wrong]) }), true);
  assert.equal(await isKnown({ object: listOf([wrong]), context }), true);
  const stranger = structuredClone(cloudProfile);
  stranger.metadata.name = "stranger";
  assert.equal(await isKnown({ object: listOf([wrong]), context: { cloudProfile: stranger } }), false);
  delete stranger.metadata;
  assert.equal(await isKnown({ object: listOf([wrong]), context: { cloudProfile: stranger } }), true);
});

test("items of a list before are paired by kind, namespace and name", async () => {
  const before = changed((copy) => (copy.spec.provider.infrastructureConfig.networks.vpc = { cidr: "10.240.0.0/16" }));
  const updates = ({ findings }) => findings.filter(({ rule }) => rule.startsWith("ALI-INFU")).map(({ rule, pointer }) => `${rule} ${pointer}`);
  const alone = updates(await check({ object: shoot, oldObject: before, context }));
  assert.notDeepEqual(alone, updates(await check({ object: shoot, context })));
  const list = await check({ object: listOf([other, shoot]), oldObject: listOf([before]), context });
  assert.deepEqual(updates(list).filter((line) => line.includes("/items/1/")), alone.map((line) => line.replace(" ", " /items/1")));
});

test("what no policy judges is named, and nothing but that is an error", async () => {
  const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } };
  const answer = await check({ object: listOf([map, cloudProfile, { metadata: {} }]) });
  assert.equal(answer.verdict, "accept");
  assert.deepEqual(answer.scope.notChecked.slice(-2), ["items[0], a ConfigMap", "items[2], which has no kind"]);
  assert.equal((await check({ object: listOf([map]) })).error.message, "no policy judges a ConfigMap");
  assert.equal((await check({ object: listOf([]) })).error.code, "UnsupportedKind");
  const deep = `{"apiVersion":"v1","kind":"List","items":[${"[".repeat(100)}${"]".repeat(100)}]}`;
  assert.equal((await check({ object: deep })).error.code, "TooDeep");
  const labels = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`label-${index}`, "a"]));
  const long = listOf(Array.from({ length: 600 }, () => ({ kind: "ConfigMap", metadata: { labels } })));
  long.items.push(cloudProfile);
  assert.equal((await check({ object: long })).scope.notChecked.includes("items[599], a ConfigMap"), true);
});

test("keys that are twice in an item are reported there", async () => {
  const text = JSON.stringify(listOf([other, shoot])).replace(`"region":"${shoot.spec.region}"`, (own) => `"region":"a",${own}`);
  const { findings } = await check({ object: text, context, gardenerVersion: "1.143.1" });
  assert.ok(findings.some(({ atKey, pointer }) => atKey && pointer === "/items/1/spec/region"));
});

test("an exported object is judged as stored by `check`, in a list and by a checker, and with `create` as a new one by all", async () => {
  const exported = changed(({ metadata }) => Object.assign(metadata, { uid: "u-1", resourceVersion: "5", generation: 3 }));
  exported.status = { technicalID: "shoot--a--b", uid: "u-1" };
  const checker = startChecker();
  try {
    for (const create of [false, true]) {
      const alone = reported(await check({ object: exported, context, create }));
      assert.equal(alone.includes("GDN-META-021 /metadata/resourceVersion"), create);
      const list = await check({ object: listOf([exported]), context, create });
      assert.deepEqual(reported(list), alone.map((line) => line.replace(" ", " /items/0")));
      const review = await checker.review({ text: JSON.stringify(exported), context: JSON.stringify(cloudProfile), create, wait: true });
      assert.deepEqual(reported(review.documents[0].ruling), alone);
    }
  } finally {
    checker.close();
  }
});

test("of two items of one kind, namespace and name the first is judged, another one is an error, and a copy counts once", async () => {
  const second = changed(({ spec }) => (spec.region = "mars-1"));
  const [alone, copied, twice] = await Promise.all([[shoot], [shoot, shoot], [shoot, second]].map((items) => check({ object: listOf(items), context })));
  assert.deepEqual(reported(copied), reported(alone));
  assert.deepEqual(reported(twice).slice(0, -1), reported(alone));
  const { pointer, detail, remedy } = twice.findings.at(-1);
  assert.deepEqual([pointer, detail, remedy], ["/items/1/metadata/name", "the list has another Shoot `garden-dev/five-mistakes`, at `items[0]`", "Remove one of the two."]);
});

test("an item whose kind or version Gardener does not have is an error there, with what corrects it, and the others are judged", async () => {
  const misspelt = changed((copy) => Object.assign(copy, { kind: "Shot" }));
  const bucket = { apiVersion: "core.gardener.cloud/v1alpha1", kind: "BackupBucket", metadata: { name: "a" } };
  const { verdict, findings } = await check({ object: listOf([cloudProfile, misspelt, bucket]), context });
  assert.equal(verdict, "reject");
  assert.deepEqual(
    findings.filter(({ pointer }) => !pointer.startsWith("/items/0/")).map(({ pointer, remedy, fix }) => [pointer, remedy, fix]),
    [
      ["/items/1/kind", "Did you mean `Shoot`?", [{ op: "replace", path: "/items/1/kind", value: "Shoot" }]],
      ["/items/2/apiVersion", "Correct `apiVersion`, or leave the object out.", [{ op: "replace", path: "/items/2/apiVersion", value: "core.gardener.cloud/v1beta1" }]],
    ],
  );
});

test("items of one kind, namespace and name in other API groups are other objects, and each is compared with its own old one", async () => {
  const bucket = { apiVersion: "core.gardener.cloud/v1beta1", kind: "BackupBucket", metadata: { name: "a" }, spec: { provider: { type: "alicloud", region: "eu-central-1" } } };
  const others = { apiVersion: "extensions.gardener.cloud/v1alpha1", kind: "BackupBucket", metadata: { name: "a" }, spec: { type: "alicloud", region: "eu-west-1" } };
  const alone = reported(await check({ object: bucket, oldObject: bucket }));
  for (const [items, at] of [[[bucket, others], 0], [[others, bucket], 1]]) {
    const answer = await check({ object: listOf(items), oldObject: listOf(items) });
    assert.deepEqual(reported(answer), alone.map((line) => line.replace(" ", ` /items/${at}`)));
    assert.ok(answer.scope.notChecked.includes(`items[${1 - at}], a BackupBucket`));
  }
});
