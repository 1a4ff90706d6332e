/** Whose policy judges an object. */

import type { PatchOperation } from "../documents.js";
import { providers } from "../generated/providers.js";
import { tokens } from "../yaml/tree.js";
import { GARDENER } from "./join.js";
import { isOfGardener, OF_ALL } from "./kinds.js";
import { nearest } from "./nearest.js";
import { type TextObject, bindingsOf, member, parentOf, textAt } from "./objects.js";

/** Whether Gardener's own rules judge objects like this. */
export function isOfAll(object: unknown): boolean {
  return isOfGardener(object) && OF_ALL.has(textAt(object, "kind") ?? "");
}

const CONFIG_GROUP = ".provider.extensions.gardener.cloud";
const SECRET_LABEL = "provider.shoot.gardener.cloud/";

/** The provider types that an object names, best first. */
export function candidatesOf(object: unknown, others: TextObject[]): string[] {
  const at = (...path: string[]): string | undefined => textAt(object, ...path);
  return namesOf(object, at, others).filter((name): name is string => name !== undefined && name !== "");
}

function namesOf(
  object: unknown,
  at: (...path: string[]) => string | undefined,
  others: TextObject[],
): (string | undefined)[] {
  switch (at("kind")) {
    case "Seed":
      return [at("spec", "backup", "provider") || at("spec", "provider", "type")];
    case "CloudProfile":
      return [at("spec", "type")];
    case "NamespacedCloudProfile":
      return [
        textAt(parentOf(object, others)?.object, "spec", "type"),
        configProviderOf(at("spec", "providerConfig", "apiVersion")),
      ];
    case "SecretBinding":
    case "CredentialsBinding":
      return [at("provider", "type")];
    case "WorkloadIdentity":
      return [at("spec", "targetSystem", "type")];
    case "Secret":
      return [...labels(object), ...bindingsOf(object, others).map((binding) => textAt(binding, "provider", "type"))];
    default:
      return [at("spec", "provider", "type")];
  }
}

/** Where objects name the type of their provider themselves. */
const TYPES = ["/spec/provider/type", "/spec/type", "/provider/type", "/spec/targetSystem/type", "/spec/backup/provider"];

/** The provider that an object most likely means by a name that is none, and what writes that in its place. */
export function misspeltType(object: unknown, name: string): { meant: string; pointer: string; fix: PatchOperation[] } | undefined {
  const meant = nearest(name, providers);
  const places = TYPES.filter((pointer) => textAt(object, ...tokens(pointer)) === name);
  const [pointer] = places;
  if (meant === undefined || pointer === undefined) return undefined;
  return { meant, pointer, fix: places.map((path) => ({ op: "replace", path, value: meant })) };
}

/** The provider whose configuration has this `apiVersion`. */
export function configProviderOf(version: string | undefined): string | undefined {
  const group = version?.split("/")[0];
  return group?.endsWith(CONFIG_GROUP) ? group.slice(0, -CONFIG_GROUP.length) : undefined;
}

/** The providers that a Secret's labels claim. */
function labels(secret: unknown): string[] {
  const found = member(member(secret, "metadata"), "labels");
  return Object.entries(found ?? {}).flatMap(([label, value]) =>
    value === "true" && label.startsWith(SECRET_LABEL) ? [label.slice(SECRET_LABEL.length)] : [],
  );
}

/**
 * Whether an object is one that a provider's policy judges, where there is but that policy. One without kind is if it
 * looks like an object of Kubernetes, or has a fragment in it: the policy says what is missing.
 */
export function isJudged(
  object: unknown,
  provider: string,
  kinds: Set<string>,
  others: TextObject[],
  hasFragment: boolean,
): boolean {
  const kind = textAt(object, "kind");
  if (kind === undefined) return hasFragment || textAt(object, "apiVersion") !== undefined;
  if (!kinds.has(kind)) return false;
  if (provider === GARDENER) return isOfAll(object);
  const candidates = candidatesOf(object, others);
  if (kind === "Secret") return candidates.includes(provider);
  return candidates.length === 0 || candidates[0] === provider;
}
