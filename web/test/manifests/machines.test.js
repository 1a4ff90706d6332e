// The machines of worker pools, as people read them, and what an edit changes in them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { loadRendering } from "trellis-policy";
import { machinesDiff, machinesOf, manifestsDiff, manifestsOf } from "trellis-policy/manifests";
import { shoot } from "../checker/texts.js";

const { workers } = await loadRendering({ provider: "alicloud" });
const answerFor = (text) => workers({ cluster: { shoot: parse(text) } });
const answer = answerFor(shoot());

const CANARY = "canary-4711";
const secret = (value) => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "a", namespace: "b" }, data: { userData: Buffer.from(value).toString("base64") } });
const shown = ({ lines }) => lines.filter(({ state }) => state !== "same").map(({ state, text }) => `${state} ${text.trim()}`);

test("machines are one group of the seed: deployments, then each class behind its Secret", () => {
  const [group, ...others] = machinesOf(answer);
  assert.deepEqual([group.name, group.class, others], ["Machines", "seed", []]);
  const name = "shoot--dev--crazy-botany-worker-eu-central-1a";
  assert.deepEqual(group.objects.map(({ kind, name }) => [kind, name]), [
    ["Machine deployment", name],
    ["Secret", `${name}-<hash of worker>`],
    ["MachineClass", `${name}-<hash of worker>`],
  ]);
  const [deployment, , machineClass] = group.objects;
  assert.deepEqual([deployment.apiVersion, machineClass.apiVersion], ["", "machine.sapcloud.io/v1alpha1"]);
  assert.deepEqual(parse(deployment.text), answer.machineDeployments[0]);
});

test("a Shoot without worker pools has no machines", () => {
  assert.deepEqual(machinesOf({}), []);
  assert.deepEqual(machinesOf({ machineDeployments: [], objects: [] }), []);
  assert.deepEqual(machinesDiff({}, {}), []);
});

test("a machine type that changes is a line of the class, under the same placeholder of a name", () => {
  const changes = machinesDiff(answer, answerFor(shoot().replace("ecs.sn2ne.large", "ecs.sn2ne.xlarge")));
  assert.deepEqual(changes.map(({ state, resource, kind }) => [state, resource, kind]), [["changed", "Machines", "MachineClass"]]);
  assert.deepEqual(shown(changes[0]), ["removed instanceType: ecs.sn2ne.large", "added instanceType: ecs.sn2ne.xlarge"]);
});

test("a pool that comes, and one that goes, are reported by object", () => {
  const states = (before, after) => machinesDiff(before, after).map(({ state, kind }) => `${state} ${kind}`);
  assert.deepEqual(states({}, answer), ["added Machine deployment", "added Secret", "added MachineClass"]);
  assert.deepEqual(states(answer, {}), ["removed Machine deployment", "removed Secret", "removed MachineClass"]);
});

test("user data is masked, and the mask of another one says so", () => {
  const [before, after] = [{ objects: [secret(CANARY)] }, { objects: [secret(CANARY.replace("7", "8"))] }];
  const all = [machinesOf(before), machinesDiff(before, after), machinesDiff({}, after), machinesDiff(before, {})].map((found) => JSON.stringify(found));
  for (const found of all) {
    assert.match(found, /<masked: 11 bytes/);
    assert.doesNotMatch(found, /canary|Y2FuYXJ5/);
  }
  assert.match(all[1], /<masked: 11 bytes, another value>/);
});

test("a placeholder in the place of a value has no size", () => {
  const [{ objects }] = machinesOf(answer);
  assert.deepEqual(objects.find(({ kind }) => kind === "Secret").object.data, { userData: "<masked>" });
  const [change] = machinesDiff({ objects: [secret("<user data of a>")] }, { objects: [secret("<user data of b>")] });
  assert.deepEqual(shown(change), ["removed userData: <masked>", 'added userData: "<masked: another value>"']);
});

test("what is no answer, or that of another function, is refused in words", () => {
  const error = { code: "Malformed", message: "no `cluster`" };
  for (const [call, words] of [
    [() => machinesOf({ error }), "machinesOf needs an answer of `workers`, and got an answer with the error `Malformed`: no `cluster`; look for `error` first"],
    [() => machinesDiff(answer, { error }), "machinesDiff needs an answer of `workers`, and got an answer with the error `Malformed`: no `cluster`; look for `error` first"],
    [() => machinesDiff(undefined, answer), "machinesDiff needs an answer of `workers`, and got undefined"],
    [() => machinesOf({ managedResources: [] }), "machinesOf needs an answer of `workers`, and got one of `render`"],
    [() => manifestsOf({ error }), "manifestsOf needs an answer of `render`, and got an answer with the error `Malformed`: no `cluster`; look for `error` first"],
    [() => manifestsOf([]), "manifestsOf needs an answer of `render`, and got a list"],
    [() => manifestsOf("{}"), "manifestsOf needs an answer of `render`, and got a string"],
    [() => manifestsDiff(null, {}), "manifestsDiff needs an answer of `render`, and got null"],
    [() => manifestsDiff({}, answer), "manifestsDiff needs an answer of `render`, and got one of `workers`"],
  ]) assert.throws(call, { name: "TypeError", message: words });
});
