import assert from "node:assert/strict";
import { test } from "node:test";
import { LoadError, load, providers } from "trellis-policy";
import { graft, schemas } from "trellis-policy/schema";

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
  for (const child of [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])]) yield* parts(child);
}

test("every provider has the schemas of its configuration kinds", async () => {
  for (const provider of providers) {
    const policy = await load({ provider });
    const known = await schemas(provider);
    for (const { kind } of policy.info().kinds.filter(({ kind }) => kind in known)) {
      assert.equal(known[kind].title, kind);
      assert.equal(known[kind].type, "object");
    }
    assert.ok("InfrastructureConfig" in known);
  }
});

test("a schema is in one piece, of single types", async () => {
  for (const provider of providers) {
    for (const schema of Object.values(await schemas(provider))) {
      for (const part of parts(schema)) {
        assert.equal(typeof part.type, "string", JSON.stringify(part));
        for (const keyword of ["$ref", "$defs", "$schema", "allOf", "anyOf", "oneOf"]) assert.ok(!(keyword in part), keyword);
      }
      assert.ok(!JSON.stringify(schema).includes("null"));
    }
  }
});

test("schemas of an unknown provider are refused with those that there are", async () => {
  await assert.rejects(schemas("aws"), (error) => error instanceof LoadError && /alicloud/.test(error.message));
});

test("a Shoot's schema gets the provider's configuration, and stays what it was", async () => {
  const original = shoot();
  const configs = await schemas("alicloud");
  const grafted = graft(original, configs);
  assert.equal(providerOf(grafted).infrastructureConfig, configs.InfrastructureConfig);
  assert.equal(providerOf(grafted).controlPlaneConfig, configs.ControlPlaneConfig);
  assert.equal(providerOf(grafted).infrastructureConfig.properties.networks.properties.zones.items.properties.workers.type, "string");
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
  for (const kind of ["CloudProfile", "NamespacedCloudProfile"]) {
    assert.equal(graft(plain, configs, kind).properties.spec.properties.providerConfig, configs.CloudProfileConfig);
  }
  assert.equal(graft(plain, configs, "BackupBucket").properties.spec.properties.providerConfig, configs.BackupBucketConfig);
  assert.equal(
    graft(seed, configs, "Seed").properties.spec.properties.backup.properties.providerConfig,
    configs.BackupBucketConfig,
  );
});

test("what is no schema of a Shoot is refused with what it lacks", async () => {
  const configs = await schemas("alicloud");
  assert.throws(() => graft({ type: "object" }, configs), /no property `spec` on the way to Shoot: spec\.provider/);
  assert.throws(() => graft({ $ref: "#/Shoot" }, configs), /no property `spec`/);
});
