// One answer of Gardener's rules and the provider's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check, load, loadGardener, openapiNames } from "trellis-policy";
import { join } from "../dist/check/join.js";
import { oldOf } from "../dist/check/old.js";
import { inOrder } from "../dist/check/order.js";
import { example } from "./examples.js";

const [cloudProfile, shoot] = await example("two-zones.yaml").then(async (documents) =>
  documents.length > 1 ? documents : [(await example("five-mistakes.yaml"))[0], documents[0]],
);
const context = { cloudProfile };
const changed = (change) => {
  const copy = structuredClone(shoot);
  change(copy);
  return copy;
};
const rules = ({ findings }) => findings.map(({ rule, source }) => `${source} ${rule}`);

test("a Shoot in good order is accepted by both, and the scope says what that covers", async () => {
  const answer = await check({ object: shoot, context });
  assert.deepEqual(answer.findings.filter(({ severity }) => severity === "error"), []);
  const [gardener, provider] = [(await loadGardener()).info(), (await load({ provider: "alicloud" })).info()];
  assert.deepEqual(answer.scope.checked, [gardener.parity, provider.parity]);
  assert.ok(answer.scope.parts.includes("structure") && answer.scope.parts.includes("profile"));
  assert.ok(!answer.scope.notChecked.includes("gardener"), "Gardener's rules were asked");
  assert.ok(!answer.scope.notChecked.includes("the seed"), "the Shoot names none");
  assert.ok(answer.changes.some(({ source }) => source === "alicloud"));
  assert.equal(answer.object.kind, "Shoot");
  assert.equal(answer.byPointer().size, new Set(answer.findings.map(({ pointer }) => pointer)).size);
});

test("an object replaces the old one, unless the caller applies it", async () => {
  const live = changed((shoot) => (shoot.metadata.uid = "u-1"));
  const bare = changed((shoot) => delete shoot.spec.region);
  const of = ({ findings }) => findings.filter(({ rule }) => rule === "GDN-UPD-011").length;
  assert.equal(of(await check({ object: bare, oldObject: live, context })), 1);
  const applied = await check({ object: bare, oldObject: live, context, apply: true });
  assert.equal(of(applied), 0);
  assert.deepEqual([applied.object.spec.region, applied.object.metadata.uid], [shoot.spec.region, "u-1"]);
});

test("an old manifest gets all defaults, as on creation, and a stored object Gardener's own", async () => {
  const asked = [];
  const policy = (name) => ({
    isGardener: name === "gardener",
    default: async (object, old) => {
      asked.push([name, JSON.parse(object).spec, old === null ? null : "old"]);
      return { patch: [{ op: "add", path: `/spec/${name}`, value: 1 }], changes: [], undecided: [] };
    },
  });
  const policies = [policy("gardener"), policy("acme")];
  const manifest = await oldOf('{"metadata":{},"spec":{}}', policies);
  assert.deepEqual([JSON.parse(manifest.stored).spec, manifest.isManifest], [{ gardener: 1, acme: 1 }, true]);
  assert.deepEqual(asked.splice(0), [["gardener", {}, null], ["acme", { gardener: 1 }, null]]);
  const live = await oldOf('{"metadata":{"uid":"u-1"},"spec":{}}', policies);
  assert.deepEqual([JSON.parse(live.stored).spec, live.isManifest], [{ gardener: 1 }, false]);
  assert.deepEqual(asked, [["gardener", {}, "old"]]);
});

test("an object with a uid and no old one is its own old one, unless it is to be created", async () => {
  const live = changed((shoot) => Object.assign(shoot.metadata, { uid: "u-1", resourceVersion: "5" }));
  assert.deepEqual(rules(await check({ object: live, context })).filter((rule) => rule.includes("META")), []);
  assert.deepEqual(rules(await check({ object: live, context, create: true })).filter((rule) => rule.includes("META")), ["gardener GDN-META-021"]);
});

const MISTAKES = [
  ["a machine type that does not exist", (shoot) => (shoot.spec.provider.workers[0].machine.type = "ecs.doesnotexist"), "/spec/provider/workers/0/machine/type"],
  ["a region that does not exist", (shoot) => (shoot.spec.region = "mars-1"), "/spec/region"],
  ["a version that does not exist", (shoot) => (shoot.spec.kubernetes.version = "9.99"), "/spec/kubernetes/version"],
  ["a misspelt key", (shoot) => (shoot.spec.provider.workrs = []), "/spec/provider/workrs"],
];

for (const [what, change, pointer] of MISTAKES) {
  test(`${what} is found at its place, with a remedy`, async () => {
    const answer = await check({ object: changed(change), context, gardenerVersion: "1.143.1" });
    assert.equal(answer.verdict, "reject");
    const found = answer.byPointer().get(pointer);
    assert.ok(found?.some(({ source, remedy }) => source === "gardener" && remedy !== ""), JSON.stringify(answer.findings));
  });
}

test("one mistake is one error: what follows from it says so, and what stands behind it is found all the same", async () => {
  const answer = await check({
    object: changed(({ spec }) => {
      const [pool] = spec.provider.workers;
      pool.volume.size = 50;
      pool.machin = pool.machine;
      delete pool.machine;
      pool.zones[0] = "mars-1a";
    }),
    context, gardenerVersion: "1.143.1",
  });
  const errors = answer.findings.filter(({ severity }) => severity === "error");
  const own = errors.filter(({ causedBy }) => !causedBy).map(({ pointer }) => pointer.replace("/spec/provider/workers/0", ""));
  assert.deepEqual(own.sort(), ["/machin", "/volume/size", "/zones/0"]);
  const [size, machine] = ["/spec/provider/workers/0/volume/size", "/spec/provider/workers/0/machin"].map((pointer) => errors.find((one) => one.pointer === pointer));
  assert.equal(size.fix, undefined, "50 is no size either");
  assert.deepEqual(machine.fix, [{ op: "move", from: "/spec/provider/workers/0/machin", path: "/spec/provider/workers/0/machine" }]);
  assert.ok(errors.some(({ pointer, assumed }) => pointer.endsWith("/zones/0") && assumed));
  assert.ok(errors.every((one) => !("assume" in one)));
  assert.equal(answer.object.spec.provider.workers[0].volume.size, 50, "nothing is made of what is assumed");
});

test("findings are in the order of the object, whosever they are", async () => {
  const wrong = changed(({ spec }) => {
    spec.region = "mars-1";
    spec.provider.infrastructureConfig.networks.zones[0].workers = "10.250.1.0/19";
    spec.provider.workers[0].machine.type = "ecs.doesnotexist";
  });
  const { findings } = await check({ object: wrong, context });
  const text = JSON.stringify(wrong);
  const sources = findings.map(({ source }) => source);
  assert.ok(sources.includes("gardener") && sources.includes("alicloud"));
  assert.deepEqual(inOrder(findings, JSON.parse(text)), findings);
  const at = (pointer) => findings.findIndex((finding) => finding.pointer === pointer);
  const places = ["/spec/region", "/spec/provider/infrastructureConfig/networks/zones/0/workers", "/spec/provider/workers/0/machine/type"].map(at);
  const keys = Object.keys(wrong.spec);
  assert.ok(places.every((place) => place >= 0), places.join());
  assert.equal(places[0] < places[1], keys.indexOf("region") < keys.indexOf("provider"));
  assert.ok(places[1] < places[2]);
});

test("pointers are in the order of the document, and what it lacks is where its parent is", () => {
  const object = { b: [{ x: 1 }, { y: 2 }], a: { c: 1 } };
  const order = ["", "/none", "/b", "/b/0/x", "/b/1/z", "/b/1/y", "/a/d", "/a/c"].map((pointer) => ({ pointer }));
  assert.deepEqual(inOrder([...order].reverse(), object).map(({ pointer }) => pointer), ["/none", "", "/b", "/b/0/x", "/b/1/z", "/b/1/y", "/a/d", "/a/c"]);
});

test("a provider without a policy leaves Gardener's rules alone, and the scope says so", async () => {
  const answer = await check({ object: changed(({ spec }) => (spec.provider.type = "ironcore")), context: { cloudProfile: { ...cloudProfile, spec: { ...cloudProfile.spec, type: "ironcore" } } } });
  assert.deepEqual(answer.scope.checked, [(await loadGardener()).info().parity]);
  assert.equal(answer.scope.notChecked[0], "ironcore's rules");
  assert.ok(answer.findings.every(({ source }) => source === "gardener"));
});

test("an object that Gardener's rules do not judge has the provider's answer", async () => {
  const [bucket] = await example("backupbucket.yaml");
  const { scope, verdict } = await check({ object: bucket });
  assert.equal(verdict, "accept");
  assert.deepEqual(scope, { checked: [(await load({ provider: "alicloud" })).info().parity], notChecked: ["gardener"] });
});

test("a Seed is judged by its structure too", async () => {
  const [seed] = await example("seed.yaml");
  const { scope, verdict } = await check({ object: seed });
  assert.deepEqual([verdict, scope.parts, scope.notChecked], ["accept", ["structure"], ["the values of a Seed, and what may change in it"]]);
  seed.spec.ingres = seed.spec.ingress;
  delete seed.spec.ingress;
  const { findings } = await check({ object: seed });
  assert.deepEqual(findings.map(({ rule, pointer }) => [rule, pointer]), [["DEC-2", "/spec/ingres"]]);
});

test("an update is judged by both", async () => {
  const moved = changed(({ spec }) => (spec.provider.infrastructureConfig.networks.vpc = { cidr: "10.240.0.0/16" }));
  const answer = await check({ object: moved, oldObject: shoot, context });
  assert.ok(rules(answer).some((rule) => rule.startsWith("alicloud ")), rules(answer).join());
});

test("bad input is an answer", async () => {
  for (const [request, code] of [
    [undefined, "Malformed"],
    [{ object: "{" }, "Malformed"],
    [{ object: { kind: "Project", apiVersion: "core.gardener.cloud/v1beta1" } }, "UnsupportedKind"],
    [{ object: shoot, now: "yesterday" }, "Malformed"],
    [{ object: shoot, context: { openapi: { Shoot: 5 } } }, "Malformed"],
  ]) {
    assert.equal((await check(request)).error?.code, code, JSON.stringify(request));
  }
});

test("text keeps what objects lose", async () => {
  const text = JSON.stringify(shoot).replace('"region":', '"region":"a","region":');
  const answer = await check({ object: text, context, gardenerVersion: "1.143.1" });
  assert.ok(answer.findings.some(({ source, pointer }) => source === "gardener" && pointer === "/spec/region"));
});

/** What a policy may say of an object, in short. */
const opinion = (source, { findings = [], doubles = {}, validate = {}, ...rest } = {}) => ({
  source,
  rules: new Map(Object.entries(doubles).map(([id, doubles]) => [id, { doubles }])),
  validate: {
    verdict: findings.length > 0 ? "reject" : "accept",
    findings: findings.map(([rule, pointer]) => ({ rule, pointer, severity: "error", field: "", detail: "", remedy: "", type: "FieldValueInvalid" })),
    undecided: [],
    scope: { checked: [source], notChecked: ["a part"] },
    ...validate,
  },
  ...rest,
});

test("Gardener's policy joins what policies say, and learns what their rules repeat", async () => {
  const gardener = await loadGardener();
  const opinions = [
    opinion("gardener", { findings: [["G1", "/a"], ["G2", "/a"]] }),
    opinion("cloud", { findings: [["C1", "/a"]], doubles: { C1: ["G1"] } }),
  ];
  const all = (opinions) => ({ opinions, worlds: [], trials: [] });
  const { verdict, scope, findings } = await join(all(opinions), ["other's rules"], gardener.join);
  assert.deepEqual(findings.map(({ rule, source, causedBy }) => [rule, source, causedBy?.rule]), [["G2", "gardener", undefined], ["C1", "cloud", undefined]]);
  assert.deepEqual([verdict, scope], ["reject", { checked: ["gardener", "cloud"], notChecked: ["other's rules", "a part"] }]);
  const error = { code: "Malformed", message: "no", pointer: "/a" };
  const failed = await join(all([opinion("gardener"), { ...opinion("cloud"), validate: { error } }]), [], gardener.join);
  assert.deepEqual([failed.verdict, failed.error], [undefined, error]);
});

test("what one policy says alone is not joined, and its defaults count", async () => {
  const all = (opinions) => ({ opinions, worlds: [], trials: [] });
  const alone = (rest) => join(all([opinion("cloud", rest)]), ["gardener"]);
  const open = { changes: [], undecided: [{ rule: "C2", why: "no profile" }] };
  const refusal = { error: { code: "Denied", message: "no zone", pointer: "/spec" } };
  assert.deepEqual((await alone()).scope.notChecked, ["gardener", "a part"]);
  assert.equal((await alone({ default: open })).verdict, "undecided");
  assert.deepEqual((await alone({ default: open })).undecided.map(({ source }) => source), ["cloud"]);
  const refused = await alone({ default: refusal, findings: [["C1", "/spec"]] });
  assert.deepEqual([refused.verdict, refused.findings.map(({ type, detail }) => [type, detail])], ["reject", [["Denied", "no zone"], ["FieldValueInvalid", ""]]]);
  assert.deepEqual((await alone({ validate: refusal })).error, refusal.error);
  assert.equal((await join(all([opinion("a"), opinion("b")]), [])).error.code, "Malformed", "two opinions need a policy that joins them");
});

const core = "com.github.gardener.gardener.pkg.apis.core.v1beta1";
const schemas = (prefix) => ({
  [`${core}.Shoot`]: { properties: { kind: { type: "string" }, spec: { allOf: [{ $ref: `${prefix}${core}.ShootSpec` }] } } },
  [`${core}.ShootSpec`]: {
    properties: {
      region: { type: "string" },
      workers: { type: "array", items: { $ref: `${prefix}${core}.Worker` } },
      labels: { additionalProperties: { type: "string" } },
      byName: { additionalProperties: { $ref: `${prefix}${core}.Worker` } },
    },
  },
  [`${core}.Worker`]: { properties: { name: { type: "string" }, self: { $ref: `${prefix}${core}.Worker` }, config: { type: "object" } } },
  "io.k8s.api.core.v1.Pod": { properties: { a: {} } },
});

test("a garden's OpenAPI document becomes names, whichever version it has", () => {
  const worker = { name: {}, self: {}, config: {} };
  const names = { Shoot: { kind: {}, spec: { region: {}, workers: worker, labels: { "*": {} }, byName: { "*": worker } } } };
  assert.deepEqual(openapiNames({ swagger: "2.0", definitions: schemas("#/definitions/") }), names);
  assert.deepEqual(openapiNames({ openapi: "3.0.0", components: { schemas: schemas("#/components/schemas/") } }), names);
  assert.throws(() => openapiNames({ definitions: {} }), TypeError);
});

test("with the names of a garden, a field that it has is no mistake, and one that it lacks is an error", async () => {
  const object = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", spec: { region: "a", brandNew: 1, regoin: "b", provider: { type: "alicloud" } } };
  const Shoot = { apiVersion: {}, kind: {}, spec: { region: {}, brandNew: {}, provider: { type: {} } } };
  const { findings } = await check({ object, openapi: { Shoot } });
  const at = (pointer) => findings.filter((finding) => finding.pointer === pointer).map(({ severity }) => severity);
  assert.deepEqual([at("/spec/brandNew"), at("/spec/regoin")], [[], ["error"]]);
  const without = (await check({ object })).findings.find(({ pointer }) => pointer === "/spec/brandNew");
  assert.equal(without.severity, "warning");
});

test("a Shoot is checked on its way to another version of Kubernetes", async () => {
  const server = { enableAnonymousAuthentication: false };
  const older = changed((shoot) => Object.assign(shoot.spec.kubernetes, { version: "1.32.8", kubeAPIServer: server }));
  const answer = await check({ object: older, kubernetes: "1.35" });
  assert.deepEqual(answer.upgrade, { from: "1.32.8", to: "1.35.0", between: ["1.33", "1.34"] });
  const finding = answer.findings.find(({ rule }) => rule === "GDN-API-001");
  assert.equal(finding.fix[0].op, "remove");
  assert.ok(!answer.findings.some(({ rule }) => rule === "GDN-UPD-023"));
  assert.equal(answer.object.spec.kubernetes.version, "1.35.0");
  const versions = ["1.32.8", "1.33.1", "1.33.4"].map((version) => ({ version, classification: "supported" }));
  const profile = structuredClone(context.cloudProfile);
  profile.spec.kubernetes = { versions };
  const known = await check({ object: older, kubernetes: "v1.33", context: { cloudProfile: profile } });
  assert.deepEqual(known.upgrade, { from: "1.32.8", to: "1.33.4", between: [] });
  assert.equal((await check({ object: older, kubernetes: "latest" })).error.code, "Malformed");
  assert.equal((await check({ object: older, oldObject: older, kubernetes: "1.35" })).error.code, "Malformed");
  // However far a version is away, the list of those between stays short.
  for (const version of ["1.-99999999999", "1.1e9", "1.99999999999"]) {
    const odd = await check({ object: changed((shoot) => Object.assign(shoot.spec.kubernetes, { version })), kubernetes: "1.9999" });
    assert.ok((odd.upgrade?.between.length ?? 0) < 10_000, version);
  }
  // A manifest that names its profile in the older way alone is refused by the apply after the upgrade.
  const named = changed((shoot) => (shoot.spec = { ...shoot.spec, cloudProfile: undefined, cloudProfileName: "alicloud" }));
  const renamed = await check({ object: JSON.parse(JSON.stringify(named)), kubernetes: "1.34" });
  assert.ok(renamed.findings.some(({ rule, fix }) => rule === "GDN-CP-001" && fix[0].path === "/spec/cloudProfile"));
  // What is no Shoot goes nowhere.
  assert.equal((await check({ object: profile, kubernetes: "1.35" })).upgrade, undefined);
});

test("a misspelt section is one mistake however the Shoot is judged", async () => {
  const misspelt = changed(({ spec }) => ([spec.networkin, spec.networking] = [spec.networking, undefined]));
  const object = JSON.parse(JSON.stringify(misspelt));
  const stored = { ...object, metadata: { ...object.metadata, uid: "u-1", resourceVersion: "5" } };
  for (const input of [{ object }, { object, kubernetes: "1.34" }, { object: stored }, { object, oldObject: object }]) {
    const { findings } = await check(input);
    const causes = findings.filter(({ severity, causedBy }) => severity === "error" && causedBy === undefined);
    // Where the old object has the same mistake, nobody knows what is stored.
    const fixed = input.oldObject ? undefined : "/spec/networking";
    assert.deepEqual(causes.map(({ rule, pointer, fix }) => [rule, pointer, fix?.[0].path]), [["DEC-2", "/spec/networkin", fixed]]);
  }
});

test("what is wrong below a misspelt key is reported at its place, with a fix, and hides nothing else", async () => {
  const object = changed((shoot) => {
    shoot.metadata.lables = { a: 1 };
    shoot.spec.kubernetes.kubelett = { maxPods: "100" };
    shoot.spec.networking.pods = "10.96.0.0/33";
  });
  const { findings } = await check({ object, context });
  const causes = findings.filter(({ severity, causedBy }) => severity === "error" && causedBy === undefined);
  const fixes = causes.map(({ pointer, fix }) => [pointer, fix?.[0].op, fix?.[0].path]);
  for (const expected of [
    ["/metadata/lables", "move", "/metadata/labels"],
    ["/metadata/lables/a", "replace", "/metadata/lables/a"],
    ["/spec/kubernetes/kubelett", "move", "/spec/kubernetes/kubelet"],
    ["/spec/kubernetes/kubelett/maxPods", "replace", "/spec/kubernetes/kubelett/maxPods"],
    ["/spec/networking/pods", undefined, undefined],
  ]) {
    assert.ok(fixes.some((fix) => JSON.stringify(fix) === JSON.stringify(expected)), JSON.stringify([expected, fixes]));
  }
});

test("under an old object, a fix whose value is an error for another reason is none", async () => {
  const object = changed((shoot) => (shoot.spec.networking.pods = "172.16.0.1/12"));
  const pods = ({ findings }) => findings.filter(({ rule, pointer }) => rule === "GDN-NET-008" && pointer === "/spec/networking/pods");
  assert.deepEqual(pods(await check({ object, context })).map(({ fix }) => fix?.[0].value), ["172.16.0.0/12"]);
  assert.deepEqual(pods(await check({ object, oldObject: shoot, context })).map(({ fix }) => fix), [undefined]);
});

test("a call that does not say what its caller means is an error that names the member", async () => {
  for (const [request, message] of [
    [{ obj: 1 }, /no member `obj`; there are object,/],
    [{}, /`object` is missing/],
    [{ object: shoot, facts: 5 }, /`facts` is a list of answers to queries, not 5/],
    [{ object: shoot, openapi: 5 }, /`openapi` is an OpenAPI document or/],
    [{ object: shoot, context: 5 }, /`context` is an object of objects by role/],
    [{ object: shoot, context: { cloudprofile: cloudProfile } }, /`context` has no member `cloudprofile`; there are cloudProfile,/],
    [{ object: shoot, context: { constructor: {} } }, /`context` has no member `constructor`/],
    [{ object: shoot, context: { cloudProfile: 5 } }, /`context.cloudProfile` is a CloudProfile or NamespacedCloudProfile, not 5/],
    [{ object: shoot, context: { cloudProfile: "{" } }, /`context.cloudProfile` is not JSON/],
    [{ object: shoot, context: { cloudProfile: shoot } }, /is a CloudProfile or NamespacedCloudProfile, not a Shoot/],
    [{ object: shoot, context: { cloudProfile: {} } }, /`context.cloudProfile` has no `spec`/],
    [{ object: shoot, oldObject: "x" }, /`oldObject` is not JSON/],
    [{ object: shoot, apply: "yes" }, /`apply` is a boolean, not `yes`/],
    [{ object: shoot, kubernetes: 1.4 }, /`kubernetes` is a string, not 1.4/],
    [{ object: shoot, now: new Date(NaN) }, /`now` is a time such as/],
    [{ object: shoot, context: { cloudProfile: { spec: 5 } } }, /`context.cloudProfile.spec` is an object, not 5/],
  ]) {
    const { error } = await check(request);
    assert.equal(error?.code, "Malformed", JSON.stringify(request));
    assert.match(error.message, message);
  }
});

test("a CloudProfile is taken as texts and backends have it", async () => {
  const { metadata, spec } = cloudProfile;
  const whole = await check({ object: shoot, context });
  for (const profile of [
    JSON.stringify(cloudProfile),
    { metadata, spec },
    { metadata: { ...metadata, cloudProviderKind: "alicloud", displayName: "Alibaba Cloud" }, data: { seedNames: ["a"], ...spec } },
    { kind: "CloudProfile", metadata, data: spec },
  ]) {
    const answer = await check({ object: shoot, context: { cloudProfile: profile } });
    assert.deepEqual([answer.verdict, answer.findings, answer.undecided], [whole.verdict, whole.findings, whole.undecided]);
  }
  assert.ok((await check({ object: shoot, context: { cloudProfile: null } })).undecided.some(({ rule }) => rule === "ADM-CP-001"));
});

test("a Secret without its values leaves the rules of a binding undecided", async () => {
  const [secret, , binding] = await example("secret.yaml");
  const of = async (given) => (await check({ object: binding, context: { secret: given } })).verdict;
  assert.equal(await of(secret), "accept");
  assert.equal(await of({ ...secret, data: { ...secret.data, accessKeyID: undefined } }), "reject");
  assert.equal(await of({ ...secret, data: undefined }), "undecided");
});

test("a misspelt key next to what the old object or a default has is reported with the right name", async () => {
  const objects = await example("aws-workload-identity.yaml");
  const [profile, good] = ["CloudProfile", "Shoot"].map((kind) => objects.find((object) => object.kind === kind));
  const live = { ...good, metadata: { ...good.metadata, uid: "u", resourceVersion: "7" } };
  for (const [change, place, right] of [
    [({ spec }) => ([spec.networkin, spec.networking] = [spec.networking, undefined]), "/spec/networkin", "/spec/networking"],
    [({ spec: { networking } }) => ([networking.noeds, networking.nodes] = [networking.nodes, undefined]), "/spec/networking/noeds", "/spec/networking/nodes"],
    [
      ({ spec: { provider: { workers: [{ machine: { image } }] } } }) => ([image.vesrion, image.version] = [image.version, undefined]),
      "/spec/provider/workers/0/machine/image/vesrion",
      "/spec/provider/workers/0/machine/image/version",
    ],
  ]) {
    const copy = structuredClone(good);
    change(copy);
    const object = JSON.parse(JSON.stringify(copy));
    for (const input of [{}, { oldObject: good }, { oldObject: live, apply: true }, { kubernetes: "1.33.2" }]) {
      const { findings } = await check({ object, context: { cloudProfile: profile }, ...input });
      const causes = findings.filter(({ severity, causedBy }) => severity === "error" && causedBy === undefined);
      assert.deepEqual(causes.map(({ pointer, fix }) => [pointer, fix?.[0].path]), [[place, right]], JSON.stringify(Object.keys(input)));
    }
  }
});
