// The schemas of Gardener's own kinds.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { gardenerSchemas, graft, schemas } from "trellis-policy/schema";
import { build } from "vite";

const ROOT = new URL("../../", import.meta.url);
const read = (path) => readFile(new URL(path, ROOT), "utf8");
const KINDS = { Shoot: "SHOOT", CloudProfile: "CLOUD_PROFILE", NamespacedCloudProfile: "NAMESPACED_CLOUD_PROFILE", Seed: "SEED" };

/** The table of fields that the policy judges structure by: types as they are written, by constant and field. */
async function table() {
  const text = await read("core/src/provider/gardener/structure/types.rs");
  const found = new Map();
  for (const [, name, fields] of text.matchAll(/static (\w+): Fields =\s*&\[(.*?)\];/gs)) {
    found.set(name, new Map(Array.from(fields.matchAll(/\("([^"]+)",\s*((?:\w+)(?:\(&[\w(&]+\)+)?)\)/g), ([, field, type]) => [field, type])));
  }
  return found;
}

/** A type as the table writes it, read from a schema; objects by `Object`. */
function typeOf(schema) {
  if (schema.properties) return "Object";
  if (schema.title) return { quantity: "Quantity", duration: "Duration", time: "Time" }[schema.title];
  if (schema["x-kubernetes-int-or-string"]) return "IntOrText";
  if (schema["x-kubernetes-preserve-unknown-fields"]) return "Any";
  if (schema.items) return `List(&${typeOf(schema.items)})`;
  if (schema.additionalProperties) return `Map(&${typeOf(schema.additionalProperties)})`;
  return { boolean: "Boolean", number: "Float", string: "Text", integer: schema.format === "int32" ? "Integer32" : "Integer64" }[schema.type];
}

/** Compares a schema with the table, and what both say of its parts; how many fields there are. */
function compare(schema, name, fields, path) {
  const own = fields.get(name);
  assert.ok(own, name);
  assert.deepEqual(Object.keys(schema.properties).sort(), [...own.keys()].sort(), path);
  let count = own.size;
  for (const [field, type] of own) {
    const at = `${path}.${field}`;
    assert.equal(typeOf(schema.properties[field]), type.replace(/Object\(&\w+\)/, "Object"), at);
    const part = /Object\(&(\w+)\)/.exec(type)?.[1];
    let inner = schema.properties[field];
    while (part && !inner.properties) inner = inner.items ?? inner.additionalProperties;
    if (part) count += compare(inner, part, fields, at);
  }
  return count;
}

test("the schemas have the fields and types of the table that the policy judges by", async () => {
  const fields = await table();
  const known = await gardenerSchemas();
  assert.deepEqual(Object.keys(known).sort(), Object.keys(KINDS).sort());
  for (const [kind, name] of Object.entries(KINDS)) assert.ok(compare(known[kind], name, fields, kind) > 100, kind);
});

test("the schemas name the version of Gardener that the generator requires", async () => {
  const [, version] = /gardener\/pkg\/apis (v[\d.]+)/.exec(await read("xtask/gardener-types/go.mod"));
  for (const kind of Object.keys(KINDS)) {
    const { $comment } = JSON.parse(await read(`web/schemas/gardener/${kind}.json`));
    assert.ok($comment.includes(`pkg/apis ${version} `), $comment);
    assert.match($comment, /SPDX-License-Identifier: Apache-2\.0$/);
  }
});

test("a schema shows values, defaults, forms and what is deprecated", async () => {
  const { Shoot } = await gardenerSchemas();
  const { spec, status } = Shoot.properties;
  const { kubernetes, provider, purpose, secretBindingName } = spec.properties;
  assert.equal(status.readOnly, true);
  assert.deepEqual(purpose.enum, ["evaluation", "testing", "development", "production", "infrastructure"]);
  assert.deepEqual([secretBindingName.deprecated, secretBindingName.deprecationMessage], [true, "Use CredentialsBindingName instead."]);
  const { clusterAutoscaler, kubelet } = kubernetes.properties;
  assert.equal(clusterAutoscaler.properties.scaleDownUtilizationThreshold.default, 0.5);
  assert.equal(kubelet.properties.containerLogMaxSize.default, "100Mi");
  const worker = provider.properties.workers.items;
  assert.deepEqual(worker.required, ["machine", "maximum", "minimum", "name"]);
  assert.deepEqual([worker.properties.maxSurge.type, worker.properties.maxSurge["x-kubernetes-int-or-string"]], [["integer", "string"], true]);
  const matches = (schema, text) => new RegExp(schema.pattern).test(text);
  const { scanInterval } = clusterAutoscaler.properties;
  for (const [text, expected] of [["10s", true], ["1h0m0.5s", true], ["0", true], ["10", false], ["", false], ["1 h", false]]) {
    assert.equal(matches(scanInterval, text), expected, text);
  }
  for (const [text, expected] of [["50Gi", true], ["0.5", true], ["1e3", true], ["-1m", true], ["50GB", false], ["", false]]) {
    assert.equal(matches(kubelet.properties.containerLogMaxSize, text), expected, text);
  }
});

test("a description is a sentence", async () => {
  const long = [];
  const visit = (schema, path) => {
    const { description = "", properties = {}, items } = schema;
    if (/\. [A-Z]|\n/.test(description)) long.push(`${path}: ${description}`);
    for (const [name, child] of Object.entries(properties)) visit(child, `${path}.${name}`);
    if (items) visit(items, `${path}[]`);
  };
  for (const [kind, schema] of Object.entries(await gardenerSchemas())) visit(schema, kind);
  assert.deepEqual(long, []);
});

test("the configuration of a provider is grafted into every kind, and each call gives a copy", async () => {
  const configs = await schemas("alicloud");
  const known = await gardenerSchemas();
  const { provider } = graft(known.Shoot, configs).properties.spec.properties;
  assert.equal(provider.properties.infrastructureConfig, configs.InfrastructureConfig);
  for (const kind of ["CloudProfile", "NamespacedCloudProfile"]) {
    assert.equal(graft(known[kind], configs, kind).properties.spec.properties.providerConfig, configs.CloudProfileConfig, kind);
  }
  known.Shoot.properties.spec = {};
  assert.ok((await gardenerSchemas()).Shoot.properties.spec.properties);
});

test("the schemas are a chunk of their own, which nothing loads at once", async () => {
  for (const entry of ["schema", "codemirror"]) {
    const { output } = await build({
      configFile: false,
      logLevel: "error",
      build: {
        write: false,
        rollupOptions: { input: fileURLToPath(import.meta.resolve(`trellis-policy/${entry}`)), preserveEntrySignatures: "strict", external: /^@codemirror/ },
      },
    });
    const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]));
    const holders = output.filter(({ code }) => code?.includes("secretBindingName") && code.includes("deprecationMessage") && code.includes("NamespacedCloudProfileSpec"));
    assert.deepEqual(holders.map(({ isDynamicEntry, isEntry }) => [isDynamicEntry, isEntry]), [[true, false]], entry);
    const [start] = output.filter(({ isEntry }) => isEntry);
    const loaded = new Set();
    const load = (name) => {
      if (loaded.has(name)) return;
      loaded.add(name);
      chunks.get(name)?.imports.forEach(load);
    };
    load(start.fileName);
    assert.ok(!loaded.has(holders[0].fileName), entry);
  }
});
