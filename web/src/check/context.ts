/** The context of a check as a caller has it: objects by role, of which each is an object or its JSON text. */

import { failure, shown } from "../errors.js";
import type { ErrorAnswer } from "../documents.js";
import { isWhole, withParent } from "./namespaced.js";
import { type TextObject, isObject, member, textAt } from "./objects.js";
import { parsed } from "./parsed.js";
import { kindsOf, rolesIn } from "./roles.js";

/** JSON texts by role; an error where a person who wrote the call would not get what they mean. */
export function contextIn(context: unknown): { texts: Record<string, string> } | ErrorAnswer {
  const roles = rolesIn(context);
  if ("error" in roles) return roles;
  const texts: Record<string, string> = {};
  const profiles: Record<string, object> = {};
  for (const [role, given] of roles) {
    const kinds = kindsOf(role);
    let value: unknown = given;
    try {
      if (typeof given === "string" && kinds.length > 0) value = parsed(given);
    } catch {
      // What cannot be read may be a Secret, and an engine quotes it.
      return failure("Malformed", `\`context.${role}\` is not JSON`);
    }
    const object = kinds.includes("CloudProfile") ? profileOf(value) : value;
    const wrong = kinds.length > 0 ? wrongIn(role, object, kinds) : undefined;
    if (wrong) return failure("Malformed", wrong);
    // A Secret without its values, as lists have it, says nothing of them.
    if (role === "secret" && (member(object, "data") ?? undefined) === undefined) continue;
    texts[role] = typeof given === "string" && object === value && value !== given ? given : JSON.stringify(object);
    if (kinds.includes("CloudProfile")) profiles[role] = object as object;
  }
  const wrong = withMerged(texts, profiles);
  return wrong === undefined ? { texts } : failure("Malformed", wrong);
}

/** Puts into the profile of a context what it offers together with its parent. What is wrong with the parent, in words. */
function withMerged(texts: Record<string, string>, { cloudProfile, parentCloudProfile }: Record<string, object>): string | undefined {
  const { parentCloudProfile: json } = texts;
  delete texts["parentCloudProfile"];
  if (json === undefined || !cloudProfile || !parentCloudProfile) return undefined;
  if (textAt(cloudProfile, "kind") !== "NamespacedCloudProfile" || isWhole(cloudProfile)) return undefined;
  const [wanted, name] = [textAt(cloudProfile, "spec", "parent", "name"), textAt(parentCloudProfile, "metadata", "name")];
  if (wanted !== undefined && name !== undefined && wanted !== name) {
    return `\`context.parentCloudProfile\` is \`${name}\`, and the NamespacedCloudProfile in \`context.cloudProfile\` is built on \`${wanted}\``;
  }
  texts["cloudProfile"] = withParent(ownOf(texts["cloudProfile"] ?? ""), ownOf(json)).json;
  return undefined;
}

/** The object of a text, which nobody changes, because the objects of a caller may change from call to call. */
function ownOf(json: string): TextObject {
  return { json, object: parsed(json) };
}

/** What is wrong with an object of one of these kinds, in words; nothing where it is none. */
function wrongIn(role: string, object: unknown, kinds: readonly string[]): string | undefined {
  if (!isObject(object)) return `\`context.${role}\` is a ${kinds.join(" or ")}, not ${kindOf(object)}`;
  const kind = member(object, "kind");
  if (kind !== undefined && !kinds.includes(String(kind))) return `\`context.${role}\` is a ${kinds.join(" or ")}, not a ${String(kind)}`;
  if (kinds.includes("CloudProfile") && ["spec", "status"].every((name) => (member(object, name) ?? undefined) === undefined)) {
    return `\`context.${role}\` has no \`spec\``;
  }
  const part = ["metadata", "spec", "status", "data"].find((name) => !isObject(member(object, name) ?? {}));
  return part && `\`context.${role}.${part}\` is an object, not ${kindOf(member(object, part))}`;
}

/** What a value is, without what it says, which may be secret. */
function kindOf(value: unknown): string {
  return typeof value === "string" ? "a text" : Array.isArray(value) ? "a list" : shown(value);
}

/** A CloudProfile with its kind; of the form that older backends of the Gardener dashboard send, the object of the API. */
function profileOf(value: unknown): unknown {
  if (!isObject(value)) return value;
  const [kind, metadata, spec, data] = ["kind", "metadata", "spec", "data"].map((name) => member(value, name));
  if (kind !== undefined && (kind !== "CloudProfile" || !isObject(data))) return value;
  const head = { apiVersion: "core.gardener.cloud/v1beta1", kind: "CloudProfile" };
  if (spec !== undefined || !isObject(data)) return { ...head, ...value };
  // The names of the Seeds, and of the cloud, are of the backend's own making.
  const { seedNames: _, ...own } = data;
  const { cloudProviderKind: __, displayName: ___, ...rest }: Record<string, unknown> = isObject(metadata) ? metadata : {};
  return { ...head, metadata: rest, spec: own };
}
