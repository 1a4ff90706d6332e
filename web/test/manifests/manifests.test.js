// What a control plane consists of, as people read it, and what an edit changes in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { loadRendering } from "trellis-policy";
import { manifestsDiff, manifestsOf } from "trellis-policy/manifests";
import { shoot } from "../checker/texts.js";

const { render } = await loadRendering({ provider: "alicloud" });
const answerFor = (text) => render({ what: "controlPlane", cluster: { shoot: parse(text) } });
const answer = answerFor(shoot());

const base64 = (text) => Buffer.from(text).toString("base64");
const resource = (...objects) => ({ managedResources: [{ name: "seed", spec: { class: "seed", secretRefs: [] }, objects }] });
const secret = (fields) => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "a", namespace: "b" }, ...fields });
const workload = (kind, spec, image = "a:1") => ({ apiVersion: "apps/v1", kind, metadata: { name: "a" }, spec: { template: { spec: { containers: [{ image }] } }, ...spec } });
const signs = { same: " ", added: "+", removed: "-" };
const shown = ({ lines }) => lines.map(({ state, text }) => `${signs[state]}${text}`);

test("objects are grouped by managed resource, in the order of the answer", () => {
  const found = manifestsOf(answer);
  assert.deepEqual(found.map(({ name }) => name), answer.managedResources.map(({ name }) => name));
  assert.deepEqual(found.map((group) => group.class), ["seed", undefined, undefined, undefined]);
  assert.equal(found.reduce((sum, { objects }) => sum + objects.length, 0), 50);
  const [{ objects }] = found;
  assert.deepEqual(objects.map(({ kind, name }) => [kind, name]), answer.managedResources[0].objects.map(({ kind, metadata }) => [kind, metadata.name]));
  const service = objects.find(({ kind }) => kind === "Service");
  assert.deepEqual([service.apiVersion, service.namespace, service.name], ["v1", "shoot--dev--crazy-botany", "cloud-controller-manager"]);
});

test("a text is YAML that reads as the object", () => {
  for (const { objects } of manifestsOf(answer)) {
    for (const { text, object } of objects) assert.deepEqual(parse(text), object);
  }
});

test("words that other readers take for something else are quoted", () => {
  const [{ objects }] = manifestsOf(resource({ kind: "ConfigMap", metadata: { name: "a" }, data: { a: "yes", b: "0644", c: "1\n2\n" } }));
  assert.equal(objects[0].text, 'kind: ConfigMap\nmetadata:\n  name: a\ndata:\n  a: "yes"\n  b: "0644"\n  c: |\n    1\n    2\n');
});

test("an answer without objects has none", () => {
  assert.deepEqual(manifestsOf({ findings: [], undecided: [] }), []);
  assert.deepEqual(manifestsDiff({}, {}), []);
});

test("no value of a Secret is in any text or object", () => {
  const values = answer.managedResources.flatMap(({ objects }) => objects.filter(({ kind }) => kind === "Secret").flatMap(({ data }) => Object.values(data)));
  assert.equal(values.length, 2);
  const all = JSON.stringify(manifestsOf(answer));
  for (const value of values) {
    assert.ok(!all.includes(value));
    assert.ok(!all.includes(Buffer.from(value, "base64").toString().slice(0, 12)));
  }
});

test("each field of a Secret that has values is masked, by its length in bytes", () => {
  const annotation = "kubectl.kubernetes.io/last-applied-configuration";
  const cases = [
    [secret({ data: { key: base64("hunter22") } }), "data:\n  key: <masked: 8 bytes>"],
    [secret({ data: { key: base64("x") } }), "data:\n  key: <masked: 1 byte>"],
    [secret({ stringData: { key: "hünter22" } }), "stringData:\n  key: <masked: 9 bytes>"],
    [secret({ kind: "InternalSecret", stringData: { key: "hunter22" } }), "stringData:\n  key: <masked: 8 bytes>"],
    [secret({ data: "hunter22" }), "data: <masked: 6 bytes>"],
    [secret({ data: { key: ["hunter22"] } }), "data:\n  key: <masked: 9 bytes>"],
    [secret({ metadata: { name: "a", annotations: { [annotation]: "hunter22" } } }), `    ${annotation}: <masked: 8 bytes>`],
    [{ kind: "List", items: [secret({ stringData: { key: "hunter22" } })] }, "      key: <masked: 8 bytes>"],
    [{ kind: "SecretList", items: [{ metadata: { name: "a" }, stringData: { key: "hunter22" } }] }, "      key: <masked: 8 bytes>"],
  ];
  for (const [object, wanted] of cases) {
    const found = manifestsOf(resource(object));
    const [{ text }] = found[0].objects;
    assert.ok(text.replaceAll('"', "").includes(wanted), text);
    assert.doesNotMatch(JSON.stringify(found), /h[uü]nter22|aHVudGVyMj/);
  }
});

test("nothing changes between the same, in whatever order keys stand", () => {
  assert.deepEqual(manifestsDiff(answer, answer), []);
  assert.deepEqual(manifestsDiff(resource({ kind: "A", metadata: { name: "a", labels: { b: "1", c: "2" } } }), resource({ metadata: { labels: { c: "2", b: "1" }, name: "a" }, kind: "A" })), []);
});

test("what is added, removed and changed is reported by object, with its lines", () => {
  const one = (name, value) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { value } });
  const changes = manifestsDiff(resource(one("gone", "1"), one("same", "1"), one("other", "1")), resource(one("other", "2"), one("new", "1"), one("same", "1")));
  assert.deepEqual(changes.map(({ state, name, resource, restarts }) => [state, name, resource, restarts]), [
    ["changed", "other", "seed", false],
    ["added", "new", "seed", false],
    ["removed", "gone", "seed", false],
  ]);
  assert.deepEqual(shown(changes[0]).slice(-3), [" data:", '-  value: "1"', '+  value: "2"']);
  assert.ok(changes[1].lines.every(({ state }, at) => state === "added" && changes[1].lines[at].line === at + 1));
  assert.ok(changes[2].lines.every(({ state, line }) => state === "removed" && line === undefined));
});

test("the same name in another managed resource, namespace or group is another object, and in another version the same", () => {
  const of = (apiVersion, namespace) => ({ apiVersion, kind: "A", metadata: { name: "a", namespace } });
  const states = (before, after) => manifestsDiff(before, after).map(({ state }) => state);
  assert.deepEqual(states(resource(of("a/v1", "x")), resource(of("b/v1", "x"))), ["added", "removed"]);
  assert.deepEqual(states(resource(of("a/v1", "x")), resource(of("a/v1", "y"))), ["added", "removed"]);
  assert.deepEqual(states(resource(of("a/v1beta1", "x")), resource(of("a/v1", "x"))), ["changed"]);
  const other = resource(of("a/v1", "x"));
  other.managedResources[0].name = "shoot";
  assert.deepEqual(states(resource(of("a/v1", "x")), other), ["added", "removed"]);
});

test("a value of a Secret that changes shows as changed without the value, also where its length stays", () => {
  const [change] = manifestsDiff(resource(secret({ data: { a: base64("hunter22"), b: base64("b") } })), resource(secret({ data: { a: base64("hunter23"), b: base64("b"), c: base64("c") } })));
  assert.deepEqual(shown(change).slice(-5).map((line) => line.replaceAll('"', "")), [
    " data:",
    "-  a: <masked: 8 bytes>",
    "+  a: <masked: 8 bytes, another value>",
    "   b: <masked: 1 byte>",
    "+  c: <masked: 1 byte>",
  ]);
  assert.doesNotMatch(JSON.stringify(change), /hunter2|aHVudGVyM/);
});

test("a Secret that is added or removed is masked", () => {
  const one = resource(secret({ stringData: { key: "hunter22" } }));
  for (const [before, after] of [[one, resource()], [resource(), one]]) {
    const changes = manifestsDiff(before, after);
    assert.equal(changes.length, 1);
    assert.doesNotMatch(JSON.stringify(changes), /hunter22/);
    assert.match(JSON.stringify(changes), /masked: 8 bytes/);
  }
});

for (const kind of ["Deployment", "DaemonSet", "StatefulSet"]) {
  test(`pods of a ${kind} start again where its template differs, and else not`, () => {
    const restarts = (before, after) => manifestsDiff(resource(before), resource(after)).map((change) => change.restarts);
    assert.deepEqual(restarts(workload(kind, {}), workload(kind, {}, "a:2")), [true]);
    assert.deepEqual(restarts(workload(kind, { replicas: 1 }), workload(kind, { replicas: 2 })), [false]);
    assert.deepEqual(restarts(workload(kind, { replicas: 1 }), workload(kind, { replicas: 0 }, "a:2")), [false], "its pods end");
    assert.deepEqual(restarts(workload(kind, { replicas: 0 }), workload(kind, { replicas: 1 }, "a:2")), [false], "there are none before");
    assert.deepEqual(restarts(workload(kind, {}), workload(kind, { updateStrategy: { type: "OnDelete" } }, "a:2")), [false], "nobody deletes them");
  });
}

test("a kind that has no pods has nothing that starts again", () => {
  const [change] = manifestsDiff(resource(workload("Job", {})), resource(workload("Job", {}, "a:2")));
  assert.equal(change.restarts, false);
  const [other] = manifestsDiff(resource({ ...workload("Deployment", {}), apiVersion: "own/v1" }), resource({ ...workload("Deployment", {}, "a:2"), apiVersion: "own/v1" }));
  assert.equal(other.restarts, false);
});

test("a feature gate of the cloud controller manager changes one Deployment, whose pods start again", () => {
  const gates = "    controlPlaneConfig:\n      apiVersion: alicloud.provider.extensions.gardener.cloud/v1alpha1\n      kind: ControlPlaneConfig\n      cloudControllerManager:\n        featureGates:\n          WatchListClient: true\n";
  const changes = manifestsDiff(answer, answerFor(shoot().replace("    infrastructureConfig:\n", (line) => gates + line)));
  assert.deepEqual(changes.map(({ kind, name, restarts }) => [kind, name, restarts]), [["Deployment", "cloud-controller-manager", true]]);
  assert.deepEqual(shown(changes[0]).filter((line) => !line.startsWith(" ")).map((line) => line.replace(/\s+/, " ")), ["+ - --feature-gates=WatchListClient=true"]);
});

test("texts that are too long to be compared line by line are replaced", () => {
  const long = (word) => ({ kind: "ConfigMap", metadata: { name: "a" }, data: { text: Array.from({ length: 3_000 }, (_, at) => `${word}${at}`).join("\n") } });
  const [change] = manifestsDiff(resource(long("a")), resource(long("b")));
  assert.equal(change.lines.filter(({ state }) => state === "removed").length, 3_000);
  assert.equal(change.lines.filter(({ state }) => state === "added").length, 3_000);
});
