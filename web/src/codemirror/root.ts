/** Which schema an object has: Gardener's own of its kind, with the configuration of its provider in it. */

import { configProviderOf } from "../check/provider.js";
import type { Soon } from "../check/policy.js";
import type { JsonSchema, Schemas } from "../json-schema.js";
import { graft } from "../schema.js";
import { isHost, outlineOf, unnamed } from "./outline.js";

/** The text at keys from the top of an object. */
export type TextAt = (...path: string[]) => string | undefined;

/** The schemas of Gardener's own kinds, shared by all; none while they cannot be loaded, which is tried again. */
export async function gardenerKinds(): Promise<Schemas> {
  try {
    return (await import("../generated/gardener/schemas.js")).schemas;
  } catch {
    return {};
  }
}

/** The schemas of a provider's kinds, each provider's loaded once; none while they cannot be had, which is tried again. */
export function remembered(schemas: (provider: string) => Soon<Schemas>): (provider: string | undefined) => Promise<Schemas> {
  const loaded = new Map<string, Promise<Schemas>>();
  return (provider) => {
    if (provider === undefined) return Promise.resolve({});
    const before = loaded.get(provider);
    if (before) return before.catch(() => ({}));
    const soon = Promise.resolve(provider).then(schemas);
    loaded.set(provider, soon);
    // There may be no such provider, or no connection.
    soon.catch(() => loaded.delete(provider));
    return soon.catch(() => ({}));
  };
}

/** The provider that an object names. */
export function providerOf(textAt: TextAt): string | undefined {
  switch (textAt("kind")) {
    case "Shoot":
    case "BackupBucket":
      return textAt("spec", "provider", "type");
    case "Seed":
      return textAt("spec", "backup", "provider") ?? textAt("spec", "provider", "type");
    case "CloudProfile":
      return textAt("spec", "type");
    case "NamespacedCloudProfile":
      return configProviderOf(textAt("spec", "providerConfig", "apiVersion"));
    default:
      return configProviderOf(textAt("apiVersion"));
  }
}

/** The schema of an object; `gardener` are those of Gardener's kinds, `configs` those of its provider. */
export function rootOf(textAt: TextAt, gardener: Schemas, configs: Schemas): JsonSchema | undefined {
  const kind = textAt("kind");
  if (kind === undefined) return unnamed;
  if (isHost(kind)) {
    const group = textAt("apiVersion");
    if (group !== undefined && !group.startsWith("core.gardener.cloud/")) return undefined;
    const whole = gardener[kind];
    return whole ? graft(whole, configs, kind) : outlineOf(kind, configs);
  }
  return Object.hasOwn(configs, kind) ? configs[kind] : undefined;
}
