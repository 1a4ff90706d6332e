// What is offered of the CloudProfile at hand; `|` is the cursor.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { CompletionContext } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import { EditorState } from "@codemirror/state";
import { startChecker } from "trellis-policy/checker";
import { policyCompletionSource } from "trellis-policy/codemirror";

const PROFILE = `apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfile
metadata:
  name: clouds
spec:
  type: things
  kubernetes:
    versions:
    - version: 1.9.3
    - version: 1.10.0
    - version: 1.11.0
      classification: preview
    - version: 1.8.0
      classification: deprecated
      expirationDate: "2999-05-06T00:00:00Z"
    - version: 1.7.0
      expirationDate: "2001-02-03T00:00:00Z"
    - version: 1.12.0
      lifecycle:
      - classification: unavailable
      - classification: supported
        startTime: "2999-01-01T00:00:00Z"
    - version: 1.6.0
      lifecycle:
      - classification: supported
      - classification: deprecated
        startTime: "2001-01-01T00:00:00Z"
      - classification: expired
        startTime: "2999-01-01T00:00:00Z"
  machineImages:
  - name: linux
    versions:
    - version: "1.2"
      architectures: [amd64, arm64]
    - version: 2.0.0
      architectures: [amd64]
    - version: 0.1.0
      classification: expired
  - name: old
    versions:
    - version: 1.0.0
      expirationDate: "2001-02-03T00:00:00Z"
  machineTypes:
  - {name: small, cpu: "2", gpu: "0", memory: 8Gi}
  - {name: arm, cpu: 4, gpu: 1, memory: 16Gi, architecture: arm64}
  - {name: gone, cpu: "1", gpu: "0", memory: 1Gi, usable: false}
  volumeTypes:
  - {name: fast, class: premium, minSize: 20Gi}
  - {name: slow, class: standard}
  regions:
  - name: north
    zones:
    - name: north-a
      unavailableMachineTypes: [arm]
      unavailableVolumeTypes: [fast]
    - name: north-b
    accessRestrictions:
    - name: eu-only
  - name: south
    zones:
    - name: south-a
`;
const OWN = `apiVersion: core.gardener.cloud/v1beta1
kind: NamespacedCloudProfile
metadata:
  name: mine
  namespace: garden-dev
spec:
  parent:
    kind: CloudProfile
    name: clouds
  kubernetes:
    versions:
    - version: 1.7.0
      expirationDate: "2999-02-03T00:00:00Z"
  machineTypes:
  - {name: special, cpu: "64", gpu: "0", memory: 1Ti}
`;
const shoot = (spec, cloudProfile = "{kind: CloudProfile, name: clouds}") => `apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata:
  namespace: garden-dev
spec:
  cloudProfile: ${cloudProfile}
${spec}`;
const worker = (rest, region = "north") => shoot(`  region: ${region}\n  provider:\n    type: things\n    workers:\n    - name: a\n${rest}`);
const MINE = "{kind: NamespacedCloudProfile, name: mine}";

const checker = startChecker();
after(() => checker.close());

/** The context of a completion at the cursor of a text. */
function asked(marked) {
  const pos = marked.indexOf("|");
  const doc = marked.slice(0, pos) + marked.slice(pos + 1);
  return new CompletionContext(EditorState.create({ doc, extensions: [yaml()] }), pos, true);
}

/** What is offered at the cursor: values with what is said of them, the struck ones with a leading `~`. */
async function offered(marked, context, choices) {
  const source = policyCompletionSource({ schemas: () => Promise.reject(new Error("none")), context: () => context, choices });
  const result = await source(asked(marked));
  return (result?.options ?? []).map(({ label, type, detail }) => `${/deprecated/.test(type) ? "~" : ""}${label}${detail ? `: ${detail}` : ""}`);
}

const VERSIONS = [
  "1.10.0",
  "1.9.3",
  "1.11.0: preview",
  "~1.8.0: deprecated, expires 2999-05-06",
  "~1.6.0: deprecated, expires 2999-01-01",
  "~1.12.0: not available yet",
  "~1.7.0: expired 2001-02-03",
];
const MACHINES = ["small: 2 CPU, 8Gi", "arm: 4 CPU, 16Gi, 1 GPU, arm64", "~gone: 1 CPU, 1Gi, not usable"];

const TABLE = [
  ["regions", shoot("  region: |"), ["north: 2 zones", "south: 1 zone"]],
  ["zones of the region", worker("      zones:\n      - |"), ["north-a", "north-b"]],
  ["zones of the other region", worker("      zones: [|]", "south"), ["south-a"]],
  ["zones that are left", worker("      zones:\n      - north-a\n      - |"), ["north-b"]],
  ["zones without the machine type", worker("      machine:\n        type: arm\n      zones: [|]"), ["~north-a: no arm", "north-b"]],
  ["zones without a region", shoot("  provider:\n    workers:\n    - zones: [|]"), ["north-a: north", "north-b: north", "south-a: south"]],
  ["machine types", worker("      machine:\n        type: |"), MACHINES],
  ["machine types in zones", worker("      zones: [north-a, north-b]\n      machine:\n        type: |"), [MACHINES[0], "~arm: 4 CPU, 16Gi, 1 GPU, arm64, not in north-a", MACHINES[2]]],
  ["images", worker("      machine:\n        image:\n          name: |"), ["linux", "~old: no version to use"]],
  ["versions of the image", worker("      machine:\n        image:\n          name: linux\n          version: |"), ["2.0.0", "1.2", "~0.1.0: expired"]],
  ["versions for the architecture", worker("      machine:\n        type: arm\n        image:\n          version: |\n          name: linux"), ["~2.0.0: not for arm64", "1.2", "~0.1.0: expired"]],
  ["versions of no image", worker("      machine:\n        image:\n          version: |"), []],
  ["volume types", worker("      volume:\n        type: |"), ["fast: premium, at least 20Gi", "slow: standard"]],
  ["volume types in zones", worker("      zones: [north-a]\n      dataVolumes:\n      - name: x\n        type: |"), ["~fast: premium, at least 20Gi, not in north-a", "slow: standard"]],
  ["Kubernetes versions", shoot("  kubernetes:\n    version: |"), VERSIONS],
  ["Kubernetes versions of a worker", worker("      kubernetes:\n        version: |"), VERSIONS],
  ["access restrictions", shoot("  region: north\n  accessRestrictions:\n  - name: |"), ["eu-only"]],
  ["the profile's provider", shoot("  provider:\n    type: |"), ["things"]],
  ["profiles", shoot("", "{kind: CloudProfile, name: |}"), ["clouds"]],
  ["profiles of the namespace", shoot("", "{kind: NamespacedCloudProfile, name: |}"), ["mine"]],
  ["a profile's own and its parent's", shoot("  provider:\n    workers:\n    - machine:\n        type: |", MINE), [...MACHINES, "special: 64 CPU, 1Ti"]],
  ["versions that a profile prolongs", shoot("  kubernetes:\n    version: |", MINE), ["1.10.0", "1.9.3", "1.7.0: expires 2999-02-03", ...VERSIONS.slice(2, -1)]],
  ["nothing of a profile that is not there", shoot("  region: |", "{name: other}"), []],
];

for (const [name, text, expected] of TABLE) {
  test(`offers ${name}`, async () => {
    assert.deepEqual(await offered(`${PROFILE}---\n${OWN}---\n${text}`), expected, "in the text");
    assert.deepEqual(await offered(text, `${PROFILE}---\n${OWN}`), expected, "in the context");
    const beside = (context) => (text, place, options) => checker.choices({ text, context }, place, options);
    const nobody = { toString: () => assert.fail("the page's thread reads the context") };
    assert.deepEqual(await offered(`${PROFILE}---\n${OWN}---\n${text}`, nobody, beside()), expected, "in the text, by a checker");
    assert.deepEqual(await offered(text, nobody, beside(`${PROFILE}---\n${OWN}`)), expected, "in the context, by a checker");
  });
}

test("a checker is asked where a profile has a say, and notified when the text has changed", async () => {
  const calls = [];
  const choices = (text, place, { signal }) => {
    calls.push({ text, place, signal });
    return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const source = policyCompletionSource({ schemas: () => ({}), choices });
  await source(asked(shoot("  pro|")));
  await source(asked(shoot("  purpose: |")));
  assert.equal(calls.length, 0);

  const context = asked(shoot("  region: nor|"));
  const listening = new Promise((resolve) => {
    context.addEventListener = (...given) => resolve(given);
  });
  const result = source(context);
  const [type, abort, options] = await listening;
  assert.deepEqual([type, options], ["abort", { onDocChange: true }]);
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(calls.length, 1);
  const [{ text, place, signal }] = calls;
  assert.equal(text, shoot("  region: nor"));
  assert.deepEqual(structuredClone(place), place, "it is plain data");
  assert.deepEqual(place.path, ["spec", "region"]);
  assert.equal(signal.aborted, false);
  abort();
  assert.equal(signal.aborted, true);
  assert.equal(await result, null);
});

test("where a checker fails, nothing is offered", async () => {
  const source = policyCompletionSource({ schemas: () => ({}), choices: () => Promise.reject(new Error("closed")) });
  assert.equal(await source(asked(shoot("  region: |"))), null);
});

test("the profile may be an object, and the only one needs no name", async () => {
  const regions = [{ name: "west" }];
  const profile = { kind: "CloudProfile", metadata: { name: "clouds" }, spec: { regions } };
  assert.deepEqual(await offered(shoot("  region: |"), profile), ["west: 0 zones"]);
  assert.deepEqual(await offered(shoot("  region: |"), [profile]), ["west: 0 zones"]);
  assert.deepEqual(await offered("kind: Shoot\nspec:\n  region: |", profile), ["west: 0 zones"]);
  assert.deepEqual(await offered(shoot("  region: |"), Promise.reject(new Error("no connection"))), []);
});

test("a profile of any shape is survived", async () => {
  for (const spec of [null, 5, "x", [], { regions: 5 }, { regions: [null, { name: 5 }, { zones: {} }] }, { machineTypes: [{ name: "a", cpu: [] }] }]) {
    for (const at of ["  region: |", "  provider:\n    workers:\n    - zones: [|]", "  provider:\n    workers:\n    - machine:\n        type: |"]) {
      await offered(shoot(at), { kind: "CloudProfile", metadata: { name: "clouds" }, spec });
    }
  }
  assert.deepEqual(await offered(`kind: CloudProfile\nspec: {{{\n---\n${shoot("  region: |")}`), []);
});

test("versions are written as texts", async () => {
  const pos = (text) => text.indexOf("|");
  const source = policyCompletionSource({ schemas: () => ({}), context: () => PROFILE });
  const text = worker("      machine:\n        image:\n          name: linux\n          version: |");
  const state = EditorState.create({ doc: text.replace("|", ""), extensions: [yaml()] });
  const { options } = await source(new CompletionContext(state, pos(text), true));
  assert.deepEqual(options.map(({ apply }) => apply), ["2.0.0", '"1.2"', "0.1.0"]);
});
