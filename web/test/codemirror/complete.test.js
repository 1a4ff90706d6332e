// What is offered where, in half-written texts; `|` is the cursor.
import assert from "node:assert/strict";
import { test } from "node:test";
import { CompletionContext } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import { EditorState } from "@codemirror/state";
import { policyCompletionSource } from "trellis-policy/codemirror";
import { schemas } from "trellis-policy/schema";
import { excerptAt } from "../../dist/codemirror/excerpt.js";

const source = policyCompletionSource({ schemas });

/** What is offered at the cursor of a text. */
async function offered(marked, { explicit = true, from = source } = {}) {
  const pos = marked.indexOf("|");
  const doc = marked.slice(0, pos) + marked.slice(pos + 1);
  const state = EditorState.create({ doc, extensions: [yaml()] });
  return { doc, pos, result: await from(new CompletionContext(state, pos, explicit)) };
}

/** The text after a completion. */
async function applied(marked, label) {
  const { doc, pos, result } = await offered(marked);
  const { apply } = result.options.find((option) => option.label === label);
  return doc.slice(0, result.from) + apply + doc.slice(pos);
}

test("a key with what is below it makes lines where the editor has a line separator of its own", async () => {
  const lines = ["apiVersion: core.gardener.cloud/v1beta1", "kind: Shoot", "spec:", "  provi"];
  const state = EditorState.create({ doc: lines.join("\r\n"), extensions: [yaml(), EditorState.lineSeparator.of("\r\n")] });
  const { from, options } = await source(new CompletionContext(state, state.doc.length, true));
  const { apply } = options.find(({ label }) => label === "provider");
  const { newDoc } = state.update({ changes: { from, to: state.doc.length, insert: apply } });
  assert.deepEqual(Array.from(newDoc.iterLines()).slice(3), ["  provider:", "    "]);
});

const SHOOT = `apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
spec:
  provider:
    type: alicloud
`;
const INFRASTRUCTURE = `${SHOOT}    infrastructureConfig:
      networks:
`;
const WORKERS = `${SHOOT}    workers:
`;
const CONFIG = ["apiVersion", "dualStack", "kind", "networks"];
const NETWORKS = ["vpc", "zones"];
const VPC = ["cidr", "gardenerManagedNATGateway", "id", "useCustomRouteTable"];
const ZONE = ["ipv6CidrBlock", "name", "natGateway", "worker", "workers"];
const HOSTS = ["BackupBucket", "CloudProfile", "NamespacedCloudProfile", "Seed", "Shoot"];
const API = "alicloud.provider.extensions.gardener.cloud/v1alpha1";
const BUCKET = ["apiVersion", "immutability", "kind"];
const profile = (kind, spec) => `apiVersion: core.gardener.cloud/v1beta1\nkind: ${kind}\nspec:\n${spec}`;

const HOST = ["apiVersion", "kind", "metadata", "spec", "status"];
const without = (keys, ...others) => keys.filter((key) => !others.includes(key));
const SHOOT_SPEC = [
  "accessRestrictions", "addons", "cloudProfile", "cloudProfileName", "controlPlane", "credentialsBindingName", "dns",
  "exposureClassName", "extensions", "hibernation", "kubernetes", "maintenance", "monitoring", "networking", "provider",
  "purpose", "region", "resources", "schedulerName", "secretBindingName", "seedName", "seedSelector", "systemComponents",
  "tolerations",
];
const PROFILE_SPEC = [
  "bastion", "caBundle", "controlPlane", "kubernetes", "limits", "machineCapabilities", "machineImages", "machineTypes", "providerConfig",
  "regions", "seedSelector", "type", "volumeTypes",
];
const PROVIDER = ["controlPlaneConfig", "infrastructureConfig", "type", "workers", "workersSettings"];
const WORKER = [
  "annotations", "caBundle", "clusterAutoscaler", "controlPlane", "cri", "dataVolumes", "kubeletDataVolumeName", "kubernetes",
  "labels", "machine", "machineControllerManager", "maxSurge", "maxUnavailable", "maximum", "minimum", "name", "priority",
  "providerConfig", "sysctls", "systemComponents", "taints", "updateStrategy", "volume", "zones",
];

const TABLE = [
  // The way to a configuration.
  ["|", ["apiVersion", "kind"]],
  ["kind: |", HOSTS],
  ["kind: Sh|", HOSTS],
  ["apiVersion: |\nkind: Shoot\n", ["core.gardener.cloud/v1beta1"]],
  ["kind: Shoot\n|", without(HOST, "kind")],
  ["kind: Shoot\nspec:\n  |", SHOOT_SPEC],
  ["kind: Shoot\nspec:\n  pro|", SHOOT_SPEC],
  ["kind: Shoot\nspec:\n  provider:\n    type: |", ["alicloud", "aws", "azure", "equinixmetal", "gcp", "openstack"]],
  [`${SHOOT}    |`, without(PROVIDER, "type")],
  [`${SHOOT}    inf|\n    workers: []\n`, ["controlPlaneConfig", "infrastructureConfig", "workersSettings"]],
  // The word that is being typed comes before what names the provider.
  ["kind: Shoot\nspec:\n  provider:\n    inf|\n    type: alicloud\n    workers: []\n", ["controlPlaneConfig", "infrastructureConfig", "workersSettings"]],
  ["spec:\n  provider:\n    |\n    type: alicloud\nkind: Shoot\n", without(PROVIDER, "type")],
  // Within one.
  [`${INFRASTRUCTURE}        |`, NETWORKS],
  [`${INFRASTRUCTURE}        v|`, NETWORKS],
  [`${INFRASTRUCTURE}        v|\n        zones: []\n  region: x\n`, ["vpc"]],
  [`${INFRASTRUCTURE}        zones: []\n        |\n`, ["vpc"]],
  [`${INFRASTRUCTURE}        zones: []\n      |\n`, ["apiVersion", "dualStack", "kind"]],
  [`${INFRASTRUCTURE}        vpc:\n          cidr: 10.0.0.0/8\n          |\n        zones: []\n`, VPC.slice(1)],
  [`${INFRASTRUCTURE}        vpc:\n\n\n          # note\n          |\n`, VPC],
  [`${INFRASTRUCTURE}        vpc: # note\n          |`, VPC],
  [`${INFRASTRUCTURE}        vpc:\n          cidr: a # note\n          i|\n`, VPC.slice(1)],
  [`${INFRASTRUCTURE}        vpc:\n          gard|: true\n`, VPC],
  // Lists.
  [`${INFRASTRUCTURE}        zones:\n        - |`, ZONE],
  [`${INFRASTRUCTURE}        zones:\n          - |\n`, ZONE],
  [`${INFRASTRUCTURE}        zones:\n        - na|\n`, ZONE],
  [`${INFRASTRUCTURE}        zones:\n        - name: a\n          |\n`, ZONE.filter((key) => key !== "name")],
  [`${INFRASTRUCTURE}        zones:\n        - wor|\n          name: a\n        - name: b\n`, ZONE.filter((key) => key !== "name")],
  [`${INFRASTRUCTURE}        zones:\n        - name: a\n        - |\n        - name: c\n`, ZONE],
  [`${INFRASTRUCTURE}        zones:\n        - name: a\n          natGateway:\n            |\n`, ["eipAllocationID"]],
  [`${INFRASTRUCTURE}        zones:\n        - name: a\n        |\n`, ["vpc"]],
  // Values.
  [`${INFRASTRUCTURE}        vpc:\n          gardenerManagedNATGateway: |\n`, ["false", "true"]],
  [`${INFRASTRUCTURE}        vpc:\n          gardenerManagedNATGateway: t|\n`, ["false", "true"]],
  [`${SHOOT}    infrastructureConfig:\n      apiVersion: |\n`, [API]],
  [`${SHOOT}    infrastructureConfig:\n      kind: Inf|\n      apiVersion: ${API}\n`, ["InfrastructureConfig"]],
  [`${SHOOT}    controlPlaneConfig:\n      cloudControllerManager:\n        featureGates:\n          Any: |\n`, ["false", "true"]],
  // Brackets.
  [`${SHOOT}    infrastructureConfig: {|}\n`, CONFIG],
  [`${SHOOT}    infrastructureConfig: {kind: InfrastructureConfig, net|}\n`, CONFIG.filter((key) => key !== "kind")],
  [`${SHOOT}    infrastructureConfig: {networks: {vpc: {id: a, |`, VPC.filter((key) => key !== "id")],
  [`${SHOOT}    infrastructureConfig: {networks: {zones: [{name: a}, {|}]}}\n`, ZONE],
  [`${SHOOT}    infrastructureConfig: {dualStack: {enabled: |}}\n`, ["false", "true"]],
  // Other kinds, and several documents.
  [profile("CloudProfile", "  type: alicloud\n  |"), without(PROFILE_SPEC, "type")],
  [profile("CloudProfile", "  type: alicloud\n  providerConfig:\n    |"), ["apiVersion", "kind", "machineImages"]],
  [profile("NamespacedCloudProfile", `  providerConfig:\n    apiVersion: ${API}\n    |`), ["kind", "machineImages"]],
  [profile("Seed", "  backup:\n    provider: alicloud\n    providerConfig:\n      |"), BUCKET],
  [profile("BackupBucket", "  provider:\n    type: alicloud\n  providerConfig:\n    |"), BUCKET],
  [profile("Shoot", "  provider:\n    type: equinixmetal\n    workers:\n    - providerConfig:\n        |"), ["apiVersion", "kind", "reservationIDs", "reservedDevicesOnly"]],
  [`${profile("Seed", "  x: 1\n")}---\n${INFRASTRUCTURE}        |\n---\nkind: Seed\n`, NETWORKS],
  [`${SHOOT}---\n|`, ["apiVersion", "kind"]],
  [`${SHOOT}---\nspec:\n  |`, []],
  [`apiVersion: ${API}\nkind: InfrastructureConfig\n|`, ["dualStack", "networks"]],
  [`apiVersion: ${API}\nkind: InfrastructureConfig\nnetworks:\n  vpc:\n    |`, VPC],
  // The rest of Gardener's objects, of any provider.
  [`${WORKERS}    - name: a\n      |`, without(WORKER, "name")],
  [profile("Shoot", "  provider:\n    type: ironcore\n    workers:\n    - |"), WORKER],
  [profile("Shoot", "  purpose: |"), ["development", "evaluation", "infrastructure", "production", "testing"]],
  [profile("Shoot", "  kubernetes:\n    kubeProxy:\n      mode: |"), ["IPTables", "IPVS", "NFTables"]],
  [profile("Shoot", "  kubernetes:\n    clusterAutoscaler:\n      expander: |"), ["least-nodes", "least-waste", "most-pods", "priority", "random"]],
  [profile("Shoot", "  networking:\n    ipFamilies:\n    - |"), ["IPv4", "IPv6"]],
  [profile("Shoot", "  cloudProfile:\n    kind: |"), ["CloudProfile", "NamespacedCloudProfile"]],
  [profile("Shoot", "  maintenance:\n    autoUpdate:\n      |"), ["kubernetesVersion", "machineImageVersion"]],
  [profile("CloudProfile", "  machineImages:\n  - name: a\n    updateStrategy: |"), ["major", "minor", "patch"]],
  [profile("NamespacedCloudProfile", "  parent:\n    |"), ["kind", "name"]],
  // Nothing: what is no place of a configuration, or of another kind, or a text.
  [`${SHOOT}  # inf|`, []],
  [`${SHOOT}    infrastructureConfig: "inf|"`, []],
  [`${SHOOT}    infrastructureConfig: >-\n      inf|`, []],
  [`${INFRASTRUCTURE}        vpc:\n          cidr: 10.0.0.0/8\n            |`, []],
  [`${INFRASTRUCTURE}        vpc:\n          cidr: |`, []],
  [`${INFRASTRUCTURE}        vpc:\n          cidr: a b|`, []],
  [`${INFRASTRUCTURE}        zones:\n        - name: a\n         |`, []],
  ["apiVersion: apps/v1\nkind: Deployment\nspec:\n  |", []],
  ["apiVersion: example.org/v1\nkind: Shoot\nspec:\n  |", []],
  [profile("Shoot", "  provider:\n    type: ironcore\n    infrastructureConfig:\n      |"), []],
];

for (const [text, expected] of TABLE) {
  test(`offers at ${JSON.stringify(text.slice(Math.max(0, text.indexOf("|") - 60)))}`, async () => {
    const { result } = await offered(text);
    assert.deepEqual((result?.options ?? []).map(({ label }) => label).sort(), expected);
  });
}

test("in a long text, the same is offered", async () => {
  const item = (column, index) => `- name: x${index}\n  zones:\n  - a\n  deep:\n  - b: c\n`.replace(/^(?=.)/gm, " ".repeat(column));
  const items = (column) => Array.from({ length: 3000 }, (_, index) => item(column, index)).join("");
  const labels = async (text) => (await offered(text)).result?.options.map(({ label }) => label);
  const short = `${INFRASTRUCTURE}        zones:\n        - name: a\n          |\n        - name: b\n`;
  const found = await labels(short);
  assert.ok(found.length > 0);
  const own = "        - name: a\n          |\n";
  const long = `${short.replace(own, `${items(8)}${own}`)}${items(8)}    workers:\n${items(4)}`;
  assert.deepEqual(await labels(long), found, "among items");
  assert.deepEqual(await labels(long.replaceAll("\n        - name: x", "\n\n# note\n        - name: x")), found, "with comments");
  const indented = (text) => text.replace(/^(?=.)/gm, "  ").replace("  ", "- ");
  const list = `apiVersion: v1\nkind: List\nitems:\n${items(0)}${indented(long)}${items(0)}`;
  assert.deepEqual(await labels(list), found, "in a list");
  assert.deepEqual(await labels(`${list.replace("|", "")}---\n${short}---\n${list.replace("|", "")}`), found, "in a document of its own");
  const after = `${INFRASTRUCTURE}        zones:\n${items(8)}        |\n`;
  assert.deepEqual(await labels(after), ["vpc"], "behind the items");
  assert.deepEqual(await labels(after.replace("        |", "          |")), ZONE.filter((key) => key !== "name"), "in the last item");
  assert.deepEqual(await labels(after.replace("        |", "        - |")), ZONE, "in a new item");
});

test("what is read of a long text at each key is short", () => {
  const types = Array.from({ length: 20_000 }, (_, index) => `  - name: type-${index}\n    cpu: "2"\n`).join("");
  const text = `kind: CloudProfile\nspec:\n  machineTypes:\n${types}  regions:\n  - name: a\n  volumeTypes: []\n`;
  const read = (marked) => excerptAt(EditorState.create({ doc: marked }).doc, marked.indexOf("type-777\n"))?.text;
  const expected = 'kind: CloudProfile\nspec:\n  machineTypes:\n  -\n  - name: type-777\n    cpu: "2"\n  -\n  regions:\n  -\n  volumeTypes: []\n';
  assert.equal(read(text), expected);
  assert.equal(read(`${text}---\n${text.replaceAll("type-", "other-")}`), `${expected}`.trimEnd());
  const labels = Array.from({ length: 20_000 }, (_, index) => `  label-${index}: value`).join("\n");
  assert.equal(read(`labels:\n${labels}\n  x: type-777\n`), undefined, "what stays long is not read");
});

test("deprecated fields are marked, and stand after the others", async () => {
  const { result } = await offered(profile("Shoot", "  |"));
  const marks = (name) => {
    const { type, detail, boost } = result.options.find(({ label }) => label === name);
    return [type, detail, boost];
  };
  assert.deepEqual(marks("secretBindingName"), ["property deprecated", "string, deprecated", -1]);
  assert.deepEqual(marks("credentialsBindingName"), ["property", "string", 0]);
  assert.deepEqual(marks("provider"), ["property", "object, required", 1]);
});

test("what is chosen is written with what leads to its value", async () => {
  const table = [
    [`${INFRASTRUCTURE}        v|`, "vpc", `${INFRASTRUCTURE}        vpc:\n          `],
    [`${INFRASTRUCTURE}        |`, "zones", `${INFRASTRUCTURE}        zones:\n          - `],
    [`${INFRASTRUCTURE}        zones:\n        - n|`, "natGateway", `${INFRASTRUCTURE}        zones:\n        - natGateway:\n            `],
    [`${INFRASTRUCTURE}        zones:\n        - |`, "name", `${INFRASTRUCTURE}        zones:\n        - name: `],
    [`${INFRASTRUCTURE}        vpc: {|}`, "cidr", `${INFRASTRUCTURE}        vpc: {cidr: }`],
    [`${INFRASTRUCTURE}        vp|: {}`, "vpc", `${INFRASTRUCTURE}        vpc: {}`],
    ["kind: |", "Shoot", "kind: Shoot"],
  ];
  for (const [text, label, expected] of table) assert.equal(await applied(text, label), expected);
});

test("on its own it offers something where a word, a dash or a colon asks for it", async () => {
  const automatic = async (text) => (await offered(text, { explicit: false })).result !== null;
  assert.equal(await automatic(`${INFRASTRUCTURE}        |`), false);
  assert.equal(await automatic(`${INFRASTRUCTURE}        v|`), true);
  assert.equal(await automatic(`${INFRASTRUCTURE}        zones:\n        - |`), true);
  assert.equal(await automatic("kind: |"), true);
});

test("enumerations and required fields are reported, and values that YAML would misread are quoted", async () => {
  const config = {
    type: "object",
    required: ["mode"],
    properties: {
      mode: { type: "string", enum: ["on", "fast", "1.2"] },
      list: { type: "array", items: { type: "string", enum: ["a", "b"] } },
    },
  };
  const from = policyCompletionSource({ schemas: async () => ({ InfrastructureConfig: config }), provider: () => "things" });
  const at = async (rest) => (await offered(`kind: InfrastructureConfig\n${rest}`, { from })).result.options;
  const [mode] = (await at("|")).filter(({ label }) => label === "mode");
  assert.deepEqual([mode.detail, mode.boost], ["string, required", 1]);
  assert.deepEqual((await at("mode: |")).map(({ apply }) => apply), ['"on"', "fast", '"1.2"']);
  assert.deepEqual((await at("list:\n- |")).map(({ label }) => label), ["a", "b"]);
  assert.deepEqual((await at("list: [|]")).map(({ label }) => label), ["a", "b"]);
});

test("in an item of a list, what is offered is what a document of its own has", async () => {
  const indented = (text) => text.split("\n").map((line, index) => `${index === 0 ? "- " : "  "}${line}`.trimEnd()).join("\n");
  const labels = async (text) => (await offered(text)).result?.options.map(({ label }) => label);
  const shoot = `${INFRASTRUCTURE}        vpc:\n          |`;
  assert.deepEqual(await labels(shoot), VPC);
  assert.deepEqual(await labels(`apiVersion: v1\nkind: List\nitems:\n- kind: Secret\n${indented(shoot)}`), VPC);
  const unnamed = shoot.split("\n").slice(2).join("\n");
  assert.deepEqual(await labels(`apiVersion: core.gardener.cloud/v1beta1\nkind: ShootList\nitems:\n${indented(unnamed)}`), VPC);
  assert.equal(await labels(`apiVersion: v1\nkind: List\nitems:\n${indented(unnamed)}`), undefined);
});

test("schemas that cannot be had are asked for again", async () => {
  let asked = 0;
  const from = policyCompletionSource({
    schemas: (provider) => (++asked === 1 ? Promise.reject(new Error("no connection")) : schemas(provider)),
  });
  assert.equal((await offered(`${INFRASTRUCTURE}        |`, { from })).result, null);
  assert.equal((await offered(`${INFRASTRUCTURE}        |`, { from })).result.options.length, 2);
  await offered(`${INFRASTRUCTURE}        |`, { from });
  assert.equal(asked, 2);
});

test("every prefix of a text is survived", async () => {
  const text = `${INFRASTRUCTURE}        vpc: {cidr: "10.0.0.0/8", id: [a, b]}\n        zones:\n        - name: a # note\n          workers: |-\n            x\n...\n---\n- a: *b\n  ? c\n: d`;
  for (let end = 0; end <= text.length; end += 1) {
    const state = EditorState.create({ doc: text.slice(0, end), extensions: [yaml()] });
    await source(new CompletionContext(state, end, true));
  }
});
