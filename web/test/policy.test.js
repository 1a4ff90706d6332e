import assert from "node:assert/strict";
import { test } from "node:test";
import { infrastructures, load, loadAddresses, loadInfrastructure, loadRendering, providers } from "trellis-policy";
import { example } from "./examples.js";

const policy = await load({ provider: "alicloud" });

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

test("the address space names conflicts by the rules that complain about them", async () => {
  const [, object] = await example("five-mistakes.yaml");
  const { spaces, zones } = await policy.addresses({ object });
  assert.deepEqual(spaces[0].conflicts.map(({ rule }) => rule), ["ALI-INF-007", "ALI-INF-016"]);
  assert.equal(zones.prefixLength, 19);
});

test("a zone to add comes with the patch that adds it", async () => {
  const [object] = await example("two-zones.yaml");
  const { zones, patch } = await policy.zones({ object, add: [{ name: "eu-central-1c" }] });
  assert.equal(zones[0].cidr, "10.250.64.0/19");
  assert.deepEqual(patch[0].value, { name: "eu-central-1c", workers: "10.250.64.0/19" });
  assert.equal((await policy.zones({ object, add: [{ name: "eu-central-1a" }] })).error.code, "Impossible");
});

test("info shows which functions a policy answers", async () => {
  const other = await load({ provider: "equinixmetal" });
  const [object] = await example("equinix-metal.yaml");
  assert.deepEqual(other.info().functions, ["default", "info", "rules", "validate"]);
  assert.deepEqual((await loadAddresses({ provider: "equinixmetal" })).info().functions, ["addresses", "info"]);
  assert.equal((await other.addresses({ object })).unreadable.length, 0);
  assert.equal((await other.zones({ object, add: [] })).error.code, "UnknownFunction");
});

test("JSON text and the object it holds get the same answer", async () => {
  const [object] = await example("one-zone.yaml");
  assert.deepEqual(policy.validate(JSON.stringify({ object })), policy.validate({ object }));
});

test("the answer as text is the answer", async () => {
  const [object] = await example("one-zone.yaml");
  const text = policy.call("validate", JSON.stringify({ object }));
  assert.deepEqual(JSON.parse(text), policy.validate({ object }));
});

test("rules are listed with their words and info names the provider", async () => {
  const { rules } = await policy.rules();
  assert.ok(rules.length > 0);
  assert.ok(rules.every(({ id, summary, why, fix }) => id && summary && why !== undefined && fix !== undefined));
  assert.ok(rules.some(({ informative }) => typeof informative === "string"));
  assert.equal(policy.info().provider, "alicloud");
});

test("bad input is answered, not thrown", () => {
  assert.equal(policy.validate("{").error.code, "Malformed");
  assert.equal(policy.validate({}).error.code, "Malformed");
  assert.equal(JSON.parse(policy.call("explode", "{}")).error.code, "UnknownFunction");
});

test("what JSON has no words for is malformed, not thrown", () => {
  const cycle = {};
  cycle.self = cycle;
  let deep = {};
  for (let depth = 0; depth < 100_000; depth += 1) deep = { deep };
  for (const request of [cycle, { object: { size: 1n } }, { object: deep }, undefined, () => {}, Symbol("request")]) {
    assert.equal(policy.validate(request).error.code, "Malformed");
  }
});

test("a call that is not of texts is malformed", () => {
  for (const [name, request] of [["validate", {}], ["validate", undefined], [7, "{}"], [Symbol("name"), "{}"]]) {
    assert.equal(JSON.parse(policy.call(name, request)).error.code, "Malformed");
  }
});

test("a request far beyond the limits is refused, and the next one answered", async () => {
  const [object] = await example("one-zone.yaml");
  const answer = policy.validate(JSON.stringify({ object, context: { padding: { text: "x".repeat(200e6) } } }));
  assert.equal(answer.error.code, "TooLarge");
  assert.equal(policy.validate({ object }).verdict, "accept");
});

/** The request for the infrastructure of a Shoot. */
const wanted = (shoot) => ({ operation: "reconcile", cluster: { shoot } });
const infrastructure = await loadInfrastructure({ provider: "alicloud" });

test("a Shoot is planned from nothing, and from what it was, without a question", async () => {
  const [object] = await example("two-zones.yaml");
  const { plan } = infrastructure.plan({ request: wanted(object), baseline: "empty" });
  assert.ok(plan.changes.length > 8);
  assert.ok(plan.changes.every(({ action }) => action === "create" || action === "associate"));
  const same = infrastructure.plan({ request: wanted(object), baseline: wanted(object) });
  assert.deepEqual(same.plan.changes, []);
  const edited = structuredClone(object);
  edited.spec.provider.infrastructureConfig.networks.zones[1].natGateway = { eipAllocationID: "eip-mine" };
  const edit = infrastructure.plan({ request: wanted(edited), baseline: wanted(object) });
  assert.ok(edit.plan.changes.some(({ disruption }) => disruption !== undefined));
});

test("a plan of what is there asks the cloud first", async () => {
  const [object] = await example("two-zones.yaml");
  const { queries, plan } = infrastructure.plan({ request: wanted(object) });
  assert.equal(plan, undefined);
  assert.ok(queries.some(({ call }) => call.service === "vpc"));
});

test("the status of an infrastructure is reported by its recorded state", async () => {
  const [object] = await example("two-zones.yaml");
  const { state } = infrastructure.status({ request: wanted(object), state: { VPC: "vpc-1" } });
  assert.match(JSON.stringify(state), /vpc-1/);
});

test("an edit of a machine type rolls the nodes of its pool", async () => {
  const [oldObject, object] = (await Promise.all([example("two-zones.yaml"), example("two-zones.yaml")])).map(([shoot]) => shoot);
  const change = async () => (await policy.rollout({ object, oldObject })).pools.map(({ change, causes }) => [change, causes?.map(({ pointer }) => pointer)]);
  assert.deepEqual(await change(), [["unchanged", undefined]]);
  object.spec.provider.workers[0].machine.type = "ecs.g7.xlarge";
  assert.deepEqual(await change(), [["rolled", ["/spec/provider/workers/0/machine/type"]]]);
  assert.equal((await policy.rollout({ object })).error.code, "Malformed");
  const other = await load({ provider: "openstack" });
  assert.equal((await other.rollout({ object, oldObject })).error.code, "UnknownFunction");
});

test("machines are made of a Shoot alone, with placeholders for what it does not say", async () => {
  const [shoot] = await example("two-zones.yaml");
  const { workers } = await loadRendering({ provider: "alicloud" });
  const { machineDeployments, pools, objects, findings, undecided } = workers({ cluster: { shoot } });
  assert.deepEqual(findings, []);
  assert.deepEqual(machineDeployments.map(({ poolName, minimum, maximum }) => [poolName, minimum, maximum]), [["worker-xoluy", 1, 2], ["worker-xoluy", 1, 2]]);
  assert.equal(pools[0].hash, "<hash of worker-xoluy>");
  assert.deepEqual(objects.map(({ kind }) => kind), ["Secret", "MachineClass", "Secret", "MachineClass"]);
  assert.ok(undecided.some(({ why }) => why.includes("<hash of worker-xoluy>")));
});

test("an error of a call is transient or not", () => {
  const classify = (code, httpStatus) =>
    infrastructure.classify({ call: { service: "vpc", action: "CreateVpc" }, error: { code, message: "", httpStatus } }).outcome;
  assert.equal(classify("Throttling.User", 400), "retry");
  assert.equal(classify("InvalidAccessKeyId.NotFound", 404), "fail");
});

test("what shows addresses and what plans infrastructure are modules of their own", async () => {
  assert.equal(await loadInfrastructure({ provider: "alicloud" }), infrastructure);
  assert.deepEqual(infrastructure.info().functions, ["classify", "info", "plan", "status"]);
  const addresses = await loadAddresses({ provider: "alicloud" });
  assert.deepEqual(addresses.info().functions, ["addresses", "info", "rollout", "zones"]);
  for (const provider of providers) {
    const { functions } = (await load({ provider })).info();
    assert.ok(functions.includes("validate") && !functions.includes("plan"), provider);
  }
  assert.match(
    infrastructure.call("validate", "{}"),
    /there is no function `validate` here; there are classify, info, plan and status/,
  );
  await assert.rejects(loadInfrastructure({ provider: "equinixmetal" }), {
    name: "LoadError",
    message: "Trellis has nothing of infrastructures of `equinixmetal` yet; it classifies errors of alicloud, aws, azure, gcp, openstack, and plans infrastructures of alicloud",
  });
});
