/** As much of Gardener's own schemas as leads to a provider's configuration. */

import { providers } from "../generated/providers.js";
import type { JsonSchema, Schemas } from "../json-schema.js";
import { type HostKind, PLACES, stepsOf } from "../places.js";
import { graft } from "../schema.js";

/** Where an object names its provider. */
const NAMED: Partial<Record<HostKind, string>> = {
  Shoot: "spec.provider.type",
  CloudProfile: "spec.type",
  Seed: "spec.backup.provider",
  BackupBucket: "spec.provider.type",
};

export function isHost(kind: string): kind is HostKind {
  return Object.hasOwn(PLACES, kind);
}

/** The schema of an object that says nothing of its kind yet. */
export const unnamed: JsonSchema = {
  type: "object",
  properties: {
    apiVersion: { type: "string", enum: ["core.gardener.cloud/v1beta1"] },
    kind: { type: "string", enum: Object.keys(PLACES) },
  },
};

/** The schema of a Gardener kind, as far as it leads to the configuration of a provider, and that itself. */
export function outlineOf(kind: HostKind, configs: Schemas): JsonSchema {
  let schema: JsonSchema = unnamed;
  const known = PLACES[kind].filter(([config]) => configs[config]);
  for (const [, path] of known) schema = withPath(schema, stepsOf(path), { type: "object" });
  const named = NAMED[kind];
  const type: JsonSchema = { type: "string", description: "Name of the cloud's provider.", enum: [...providers] };
  if (named) schema = withPath(schema, stepsOf(named), type);
  return graft(schema, configs, kind);
}

/** A schema that has another one at a path, and whatever is missing on the way. */
function withPath(schema: JsonSchema, [step, ...rest]: string[], end: JsonSchema): JsonSchema {
  if (step === undefined) return end;
  if (step === "[]") return { ...schema, type: "array", items: withPath(schema.items ?? {}, rest, end) };
  const child = withPath(schema.properties?.[step] ?? {}, rest, end);
  return { ...schema, type: "object", properties: { ...schema.properties, [step]: child } };
}
