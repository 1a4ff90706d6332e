/** The objects of a text: which of them a policy judges, and how they refer to each other. */

import type { Fragment } from "./options.js";

/** An object of the text. */
export interface TextObject {
  json: string;
  object: unknown;
}

/** The value of a key, where there is one. */
export function member(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

/** The text at a path of keys. */
export function textAt(object: unknown, ...path: string[]): string | undefined {
  const value = path.reduce(member, object);
  return typeof value === "string" ? value : undefined;
}

/** JSON text of the object that a fragment belongs to; nothing while there is none. */
export async function wholeOf({ object }: Fragment): Promise<string | undefined> {
  const given = await object();
  if (typeof given !== "string") return JSON.stringify(given);
  try {
    JSON.parse(given);
  } catch {
    throw new Error("the object of the fragment is given as a text that is no JSON");
  }
  return given;
}

/**
 * Whether an object is one that a provider's policy judges. One without kind is if it looks like an object of
 * Kubernetes, or has a fragment in it: the policy says what is missing.
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
  if (kind === "Secret") return isSecretOf(object, provider, others);
  const named = providerOf(kind, object, others);
  return named === undefined || named === provider;
}

/** The provider that an object names. */
function providerOf(kind: string, object: unknown, others: TextObject[]): string | undefined {
  switch (kind) {
    case "Seed":
      return textAt(object, "spec", "backup", "provider") ?? textAt(object, "spec", "provider", "type");
    case "CloudProfile":
      return textAt(object, "spec", "type");
    case "NamespacedCloudProfile":
      return textAt(contextOf(object, others)["cloudProfile"]?.object, "spec", "type");
    case "SecretBinding":
    case "CredentialsBinding":
      return textAt(object, "provider", "type");
    default:
      return textAt(object, "spec", "provider", "type");
  }
}

/** Whether a Secret's labels claim the provider, or one of its bindings does. */
function isSecretOf(secret: unknown, provider: string, others: TextObject[]): boolean {
  const label = `provider.shoot.gardener.cloud/${provider}`;
  if (textAt(secret, "metadata", "labels", label) === "true") return true;
  return others.some(
    ({ object }) => textAt(object, "provider", "type") === provider && secretOf(object, others)?.object === secret,
  );
}

/** What a policy may look at beside the object itself, by role, as far as it is in the text. */
export function contextOf(object: unknown, others: TextObject[]): Record<string, TextObject> {
  const namespace = textAt(object, "metadata", "namespace") ?? "";
  const roles: Record<string, TextObject | undefined> = {};
  switch (textAt(object, "kind")) {
    case "Shoot": {
      const binding = (kind: string, field: string) => find(others, kind, namespace, textAt(object, "spec", field));
      roles["cloudProfile"] = cloudProfileOf(object, namespace, others);
      roles["secretBinding"] = binding("SecretBinding", "secretBindingName");
      roles["credentialsBinding"] = binding("CredentialsBinding", "credentialsBindingName");
      roles["secret"] = secretOf((roles["credentialsBinding"] ?? roles["secretBinding"])?.object, others);
      break;
    }
    case "NamespacedCloudProfile":
      roles["cloudProfile"] = find(others, "CloudProfile", "", textAt(object, "spec", "parent", "name"));
      break;
    case "SecretBinding":
    case "CredentialsBinding":
      roles["secret"] = secretOf(object, others);
  }
  return Object.fromEntries(Object.entries(roles).flatMap(([role, found]) => (found ? [[role, found]] : [])));
}

function cloudProfileOf(shoot: unknown, namespace: string, others: TextObject[]): TextObject | undefined {
  const name = textAt(shoot, "spec", "cloudProfile", "name");
  if (name === undefined) return find(others, "CloudProfile", "", textAt(shoot, "spec", "cloudProfileName"));
  const isNamespaced = textAt(shoot, "spec", "cloudProfile", "kind") === "NamespacedCloudProfile";
  const kind = isNamespaced ? "NamespacedCloudProfile" : "CloudProfile";
  return find(others, kind, isNamespaced ? namespace : "", name);
}

/** The Secret that a binding refers to; other objects refer to none, nor do bindings of other credentials. */
function secretOf(binding: unknown, others: TextObject[]): TextObject | undefined {
  const fields: Record<string, string> = { SecretBinding: "secretRef", CredentialsBinding: "credentialsRef" };
  const field = fields[textAt(binding, "kind") ?? ""];
  if (field === undefined || (textAt(binding, field, "kind") ?? "Secret") !== "Secret") return undefined;
  const namespace = textAt(binding, field, "namespace") ?? textAt(binding, "metadata", "namespace") ?? "";
  return find(others, "Secret", namespace, textAt(binding, field, "name"));
}

function find(objects: TextObject[], kind: string, namespace: string, name?: string): TextObject | undefined {
  return objects.find(
    ({ object }) =>
      name !== undefined &&
      textAt(object, "kind") === kind &&
      textAt(object, "metadata", "name") === name &&
      (textAt(object, "metadata", "namespace") ?? "") === namespace,
  );
}
