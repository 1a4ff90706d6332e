import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { LoadError, load, providers } from "trellis-policy";
import { graft, schemas } from "trellis-policy/schema";
import { build } from "vite";

const anything = { type: "object", description: "provider specific" };

/** The part of Gardener's schema of a Shoot that matters, wrapped as OpenAPI wraps what was a reference. */
const shoot = () => ({
  type: "object",
  properties: {
    kind: { type: "string" },
    spec: {
      description: "what is wanted",
      default: {},
      allOf: [
        {
          type: "object",
          properties: {
            region: { type: "string" },
            provider: {
              allOf: [
                {
                  type: "object",
                  properties: {
                    type: { type: "string" },
                    infrastructureConfig: anything,
                    controlPlaneConfig: anything,
                    workers: {
                      type: "array",
                      items: { default: {}, allOf: [{ type: "object", properties: { providerConfig: anything } }] },
                    },
                  },
                },
              ],
            },
          },
        },
      ],
    },
  },
});

const providerOf = (schema) => schema.properties.spec.allOf[0].properties.provider.allOf[0].properties;

/** Every schema inside of one. */
function* parts(schema) {
  yield schema;
  for (const child of Object.values(schema.properties ?? {})) yield* parts(child);
  if (schema.items) yield* parts(schema.items);
}

test("every provider has the schemas of all its configuration kinds, and no others", async () => {
  for (const provider of providers) {
    const known = await schemas(provider);
    const kinds = (await load({ provider })).info().kinds.map(({ kind }) => kind);
    assert.deepEqual(Object.keys(known).sort(), kinds.filter((kind) => kind.endsWith("Config")).sort());
    for (const [kind, { title, type }] of Object.entries(known)) assert.deepEqual([title, type], [kind, "object"]);
  }
});

test("who changes the schemas changes no one else's", async () => {
  const mine = await schemas("alicloud");
  delete mine.InfrastructureConfig.properties.networks;
  assert.ok("networks" in (await schemas("alicloud")).InfrastructureConfig.properties);
});

test("schemas and names of providers come without the modules of policies", async () => {
  const input = fileURLToPath(import.meta.resolve("trellis-policy/schema"));
  const { output } = await build({
    configFile: false,
    logLevel: "error",
    build: { write: false, rollupOptions: { input, preserveEntrySignatures: "strict" } },
  });
  assert.ok(output.some(({ exports }) => exports?.includes("schemas") && exports.includes("providers")));
  assert.deepEqual(output.map(({ fileName }) => fileName).filter((name) => !name.endsWith(".js")), []);
});

test("a schema is in one piece, of single types", async () => {
  for (const provider of providers) {
    for (const schema of Object.values(await schemas(provider))) {
      for (const part of parts(schema)) {
        assert.equal(typeof part.type, "string", JSON.stringify(part));
        for (const keyword of ["$ref", "$defs", "$schema", "allOf", "anyOf", "oneOf"]) {
          assert.ok(!(keyword in part), keyword);
        }
      }
      assert.ok(!JSON.stringify(schema).includes("null"));
    }
  }
});

test("schemas of an unknown provider are refused with those that there are", async () => {
  await assert.rejects(schemas("ironcore"), (error) => error instanceof LoadError && /alicloud/.test(error.message));
});

test("a Shoot's schema gets the provider's configuration, and stays what it was", async () => {
  const original = shoot();
  const configs = await schemas("alicloud");
  const grafted = graft(original, configs);
  assert.equal(providerOf(grafted).infrastructureConfig, configs.InfrastructureConfig);
  assert.equal(providerOf(grafted).controlPlaneConfig, configs.ControlPlaneConfig);
  const { zones } = providerOf(grafted).infrastructureConfig.properties.networks.properties;
  assert.equal(zones.items.properties.workers.type, "string");
  assert.deepEqual(providerOf(grafted).type, { type: "string" });
  assert.equal(grafted.properties.spec.description, "what is wanted");
  assert.deepEqual(original, shoot());
});

test("a place is left alone where the provider has no such configuration", async () => {
  const worker = (schema) => providerOf(schema).workers.items.allOf[0].properties.providerConfig;
  assert.equal(worker(graft(shoot(), await schemas("alicloud"))), anything);
  const configs = await schemas("equinixmetal");
  assert.equal(worker(graft(shoot(), configs)), configs.WorkerConfig);
});

test("other kinds have their places", async () => {
  const configs = await schemas("alicloud");
  const object = (properties) => ({ type: "object", properties });
  const plain = object({ spec: object({ providerConfig: anything }) });
  const seed = object({ spec: object({ backup: object({ providerConfig: anything }) }) });
  const spec = (schema) => schema.properties.spec.properties;
  for (const kind of ["CloudProfile", "NamespacedCloudProfile"]) {
    assert.equal(spec(graft(plain, configs, kind)).providerConfig, configs.CloudProfileConfig);
  }
  assert.equal(spec(graft(plain, configs, "BackupBucket")).providerConfig, configs.BackupBucketConfig);
  assert.equal(spec(graft(seed, configs, "Seed")).backup.properties.providerConfig, configs.BackupBucketConfig);
});

test("a place that the schema lacks is left alone", async () => {
  const configs = await schemas("alicloud");
  const { controlPlaneConfig: _, workers: __, ...some } = providerOf(shoot());
  const schema = { properties: { spec: { properties: { provider: { properties: some } } } } };
  const provider = graft(schema, configs).properties.spec.properties.provider.properties;
  assert.deepEqual(provider, { ...some, infrastructureConfig: configs.InfrastructureConfig });
  for (const schema of [{}, { $ref: "#/Shoot" }]) assert.deepEqual(graft(schema, configs), schema);
});

test("what is no schema, and a kind without places, are refused", async () => {
  const configs = await schemas("alicloud");
  for (const schema of [undefined, null, "Shoot"]) {
    assert.throws(() => graft(schema, configs), /the schema to graft into is an object, not/);
  }
  for (const kind of ["Pod", "constructor"]) {
    assert.throws(() => graft({}, configs, kind), /of kind `\w+` hold no configuration of a provider; these do: Shoot, /);
  }
});
