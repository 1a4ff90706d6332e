/** JSON Schemas of the configuration kinds, for completion, tooltips and forms. */

import type { GardenerKind } from "./generated/gardener/schemas.js";
import { schemas as table } from "./generated/schemas.js";
import type { JsonSchema, Schemas } from "./json-schema.js";
import { type HostKind, PLACES, stepsOf } from "./places.js";
import { knownProvider } from "./provider.js";

export type { GardenerKind } from "./generated/gardener/schemas.js";
export { providers, type Provider } from "./generated/providers.js";
export type { JsonSchema, Schemas } from "./json-schema.js";
export type { Kinds } from "./kinds/index.js";
export type { HostKind } from "./places.js";
export { isProvider } from "./provider.js";

/**
 * The schemas of a provider's configuration kinds, such as `InfrastructureConfig`: in one piece, without references
 * and without null, which Kubernetes reads as absent. Each call gives a copy of its own. Rejects with a `LoadError`
 * where there is no such provider.
 */
export async function schemas(provider: string): Promise<Schemas> {
  return structuredClone((await table[knownProvider(provider)]()).schemas);
}

/**
 * The schemas of Gardener's own kinds, of any provider: the configuration of a provider is left open, for `graft`. They are
 * loaded when they are first asked for. Each call gives a copy of its own.
 */
export async function gardenerSchemas(): Promise<Record<GardenerKind, JsonSchema>> {
  return structuredClone((await import("./generated/gardener/schemas.js")).schemas);
}

/**
 * A copy of the schema of a Gardener kind, dereferenced as OpenAPI has it, in which the provider's configuration is
 * described by `configs` where Gardener leaves it open. Places that the schema lacks, or that `configs` has no kind
 * for, stay as they are. Throws a `TypeError` for what is no schema, and for a kind without such places.
 */
export function graft(schema: JsonSchema, configs: Schemas, kind: HostKind = "Shoot"): JsonSchema {
  if (typeof schema !== "object" || schema === null) {
    throw new TypeError(`the schema to graft into is an object, not \`${schema}\``);
  }
  if (!Object.hasOwn(PLACES, kind)) {
    const known = Object.keys(PLACES).join(", ");
    throw new TypeError(`objects of kind \`${kind}\` hold no configuration of a provider; these do: ${known}`);
  }
  let grafted = schema;
  for (const [config, path] of PLACES[kind]) {
    const scion = Object.hasOwn(configs, config) ? configs[config] : undefined;
    if (scion !== undefined) grafted = replaced(grafted, stepsOf(path), scion);
  }
  return grafted;
}

/** The schema with another one at a path, if it has that; what lies next to the path is shared. */
function replaced(schema: JsonSchema, [step, ...rest]: string[], scion: JsonSchema): JsonSchema {
  if (step === undefined) return scion;
  // OpenAPI wraps what was a reference when it says something next to it.
  for (const wrapper of ["allOf", "anyOf", "oneOf"]) {
    const options = schema[wrapper];
    if (Array.isArray(options) && options.length === 1) {
      return { ...schema, [wrapper]: [replaced(options[0], [step, ...rest], scion)] };
    }
  }
  const { items, properties } = schema;
  if (step === "[]") return items ? { ...schema, items: replaced(items, rest, scion) } : schema;
  const child = properties?.[step];
  return child ? { ...schema, properties: { ...properties, [step]: replaced(child, rest, scion) } } : schema;
}
