// What control planes and machines consist of, which not every policy renders.
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, loadRendering } from "trellis-policy";
import { serve } from "../../dist/checker/serve.js";
import { shoot } from "./texts.js";

const policies = { alicloud: await load({ provider: "alicloud" }), openstack: await load({ provider: "openstack" }) };
const rendering = await loadRendering({ provider: "alicloud" });
const asked = [];
const loaded = [];

/** What a worker answers whose policies render what `answer` makes of a request. */
async function review(input, answer = rendering.render, workers = rendering.workers) {
  const messages = [];
  const loadRendering = async ({ provider }) => {
    loaded.push(provider);
    if (answer instanceof Error) throw answer;
    return { render: (request) => (asked.push(JSON.parse(request)), answer(request)), workers };
  };
  const load = async ({ provider }) => policies[provider];
  const fail = () => assert.fail("nobody asks for it");
  const loadGardener = () => Promise.reject(new Error("nobody waits for it"));
  const loaders = { load, loadAddresses: fail, loadGardener, loadInfrastructure: fail, loadRendering };
  await serve(loaders, (message) => messages.push(message))({ task: "review", arguments: [{ manifests: true, ...input }] });
  return messages.find((message) => "answer" in message).answer.documents;
}

const named = ({ changes }) => changes.map(({ kind, name, restarts }) => [kind, name, restarts]);
const edited = () => shoot().replace("    infrastructureConfig:\n", (line) => `    controlPlaneConfig:
      apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1
      kind: ControlPlaneConfig
      cloudControllerManager:
        featureGates:
          WatchListClient: true
${line}`);

test("a Shoot is rendered with its defaults, as a preview", async () => {
  asked.length = 0;
  const [{ manifests }] = await review({ text: shoot() });
  assert.equal(manifests.baseline, "empty");
  assert.equal(manifests.changes, undefined);
  assert.deepEqual(manifests.resources.map(({ objects }) => objects.length), [14, 32, 3, 1, 3]);
  assert.ok(manifests.undecided.some(({ why }) => why.includes("<vpc id>")));
  assert.equal(asked.length, 1);
  assert.equal(asked[0].what, "controlPlane");
  assert.equal(asked[0].controlPlane, undefined);
  assert.ok(asked[0].cluster.shoot.spec.networking.providerConfig, "a default");
});

test("what renders is loaded where a Shoot is to be rendered, and not before", async () => {
  loaded.length = 0;
  await review({ text: shoot(), manifests: false });
  await review({ text: "apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nmetadata:\n  name: a\nspec:\n  type: alicloud\n" });
  const [other] = await review({ text: shoot().replaceAll("alicloud", "openstack") });
  assert.equal(other.manifests, undefined);
  assert.deepEqual(loaded, []);
  await review({ text: shoot() });
  assert.deepEqual(loaded, ["alicloud"]);
});

test("the same Shoot before and after changes nothing, whatever only new ones get by default", async () => {
  for (const earlier of ["old", "applied"]) {
    const [{ manifests }] = await review({ text: shoot(), [earlier]: shoot() });
    assert.deepEqual([manifests.baseline, manifests.changes], [earlier, []]);
  }
});

test("an edit is compared with the old object, else with the one that was applied", async () => {
  const [{ manifests }] = await review({ text: edited(), old: shoot(), applied: edited() });
  assert.deepEqual([manifests.baseline, named(manifests)], ["old", [["Deployment", "cloud-controller-manager", true]]]);
  const [applied] = await review({ text: edited(), applied: shoot() });
  assert.deepEqual([applied.manifests.baseline, named(applied.manifests)], ["applied", [["Deployment", "cloud-controller-manager", true]]]);
  const [other] = await review({ text: edited(), old: shoot("other") });
  assert.equal(other.manifests.baseline, "empty");
});

test("the CloudProfile of the context goes into the request", async () => {
  asked.length = 0;
  const profile = "apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nmetadata:\n  name: alicloud\nspec:\n  type: alicloud\n";
  await review({ text: shoot(), context: profile, old: shoot() });
  assert.deepEqual(asked.map(({ cluster }) => cluster.cloudProfile.kind), ["CloudProfile", "CloudProfile"]);
});

test("a Shoot that is rejected, and a text with problems, are not rendered", async () => {
  asked.length = 0;
  const [rejected] = await review({ text: shoot().replace("10.250.0.0/19", "10.250.1.0/19") });
  assert.deepEqual(rejected.manifests, { baseline: "empty", findings: [], undecided: [] });
  const [unsettled] = await review({ text: `${shoot()}spec: {}\n` });
  assert.equal(unsettled.manifests, undefined);
  assert.deepEqual(asked, []);
});

test("what forbids to render is reported with its place, and an earlier Shoot that is not rendered is not compared", async () => {
  const finding = { rule: "ALI-RND-001", severity: "error", field: "region", pointer: "/spec/region", detail: "no", remedy: "another" };
  const [{ manifests }] = await review({ text: shoot() }, () => ({ findings: [finding], undecided: [] }));
  assert.equal(manifests.resources, undefined);
  assert.equal(manifests.findings[0].line, 8);
  let calls = 0;
  const once = (request) => ((calls += 1) === 1 ? rendering.render(request) : { findings: [finding], undecided: [] });
  const [later] = await review({ text: edited(), old: shoot() }, once);
  assert.equal(later.manifests.resources.length, 5);
  assert.equal(later.manifests.changes, undefined);
});

test("a module that cannot be loaded, and a policy that fails, are reported", async () => {
  const [lost] = await review({ text: shoot() }, new Error("no network"));
  assert.deepEqual(lost.manifests.error, { code: "PolicyUnavailable", message: "no network" });
  assert.equal(lost.ruling.verdict, "accept");
  const error = { code: "PolicyTrapped", message: "crashed" };
  const [failed] = await review({ text: shoot() }, () => ({ error }));
  assert.deepEqual(failed.manifests.error, error);
});

test("machines come with their placeholders, and an edit of a machine type changes their class", async () => {
  const [{ manifests }] = await review({ text: shoot().replace("ecs.sn2ne.large", "ecs.sn2ne.xlarge"), old: shoot() });
  assert.ok(manifests.undecided.some(({ why }) => why.includes("<hash of worker>")));
  assert.deepEqual(manifests.changes.map(({ resource, kind }) => [resource, kind]), [["Machines", "MachineClass"]]);
});

test("a control plane is rendered all the same where no machines can be made", async () => {
  const finding = { rule: "ALI-MCH-001", severity: "error", field: "region", pointer: "/spec/region", detail: "no", remedy: "another" };
  const error = { code: "PolicyTrapped", message: "crashed" };
  const missing = { code: "UnknownFunction", message: "there is none" };
  for (const [answer, findings, machinesError] of [
    [{ findings: [finding], undecided: [] }, ["ALI-MCH-001"], undefined],
    [{ error }, [], error],
    [{ error: missing }, [], undefined],
  ]) {
    const [{ manifests }] = await review({ text: shoot(), old: shoot() }, rendering.render, () => answer);
    assert.deepEqual([manifests.findings.map(({ rule }) => rule), manifests.machinesError], [findings, machinesError]);
    assert.deepEqual([manifests.resources.length, manifests.changes], [4, []]);
    const why = findings.length > 0 ? { of: "baseline", rule: "ALI-MCH-001", why: "no" } : machinesError && { of: "baseline", why: "crashed" };
    assert.deepEqual(manifests.uncompared, why);
  }
  let calls = 0;
  const once = (request) => ((calls += 1) === 1 ? rendering.workers(request) : { error });
  const [{ manifests }] = await review({ text: shoot(), old: shoot() }, rendering.render, once);
  assert.deepEqual([manifests.resources.length, manifests.changes], [5, []], "nobody takes the machines for new");
  assert.deepEqual(manifests.uncompared, { of: "baseline", why: "crashed" });
  calls = 0;
  const later = (request) => ((calls += 1) === 1 ? { error } : rendering.workers(request));
  const [{ manifests: lost }] = await review({ text: shoot(), old: shoot() }, rendering.render, later);
  assert.deepEqual(lost.uncompared, { of: "text", why: "crashed" });
});

test("no value of a Secret is in a review", async () => {
  const { managedResources } = rendering.render({ what: "controlPlane", cluster: { shoot: asked.at(-1).cluster.shoot } });
  const secrets = managedResources.flatMap(({ objects }) => objects).filter(({ kind }) => kind === "Secret");
  const found = JSON.stringify(await review({ text: edited(), old: shoot() }));
  assert.match(found, /<masked/);
  for (const value of secrets.flatMap(({ data }) => Object.values(data))) assert.ok(!found.includes(value));
});
