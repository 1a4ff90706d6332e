/** The objects of a text, and how to find them. */

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

/** Whether values of objects of that kind are not to be shown. */
export function isSecretKind(kind: string | undefined): boolean {
  return kind === "Secret" || kind === "InternalSecret";
}

/** Whether an object has a uid, which only the API server gives: the object exists there, or existed. */
export function hasUid(object: unknown): boolean {
  const uid = member(member(object, "metadata"), "uid");
  return uid !== undefined && uid !== null && uid !== "";
}

/**
 * Whether an object that exists is its own old version where there is no other. Policies judge nothing of a Secret or a binding that
 * does not change: these are judged as new ones, so that nothing is accepted unseen.
 */
export function isItsOwnOld(object: unknown): boolean {
  return hasUid(object) && !["CredentialsBinding", "Secret", "SecretBinding"].includes(textAt(object, "kind") ?? "");
}

/** The API group of an `apiVersion`; empty for the core group. */
export function groupOf(version: string): string {
  return version.slice(0, Math.max(0, version.lastIndexOf("/")));
}

/** The parent of a NamespacedCloudProfile. */
export function parentOf(profile: unknown, others: TextObject[]): TextObject | undefined {
  return find(others, "CloudProfile", "", textAt(profile, "spec", "parent", "name"));
}

/** The Secret that a binding refers to, if it is among other objects. */
export function secretOf(binding: unknown, others: TextObject[]): TextObject | undefined {
  const found = credentialsOf(binding, others);
  return found && textAt(found.object, "kind") === "Secret" ? found : undefined;
}

/** The Secret, the `InternalSecret` or the WorkloadIdentity that a binding refers to, if it is among other objects. */
export function credentialsOf(binding: unknown, others: TextObject[]): TextObject | undefined {
  const fields: Record<string, string> = { SecretBinding: "secretRef", CredentialsBinding: "credentialsRef" };
  const field = fields[textAt(binding, "kind") ?? ""];
  if (field === undefined) return undefined;
  const namespace = textAt(binding, field, "namespace") ?? textAt(binding, "metadata", "namespace") ?? "";
  return find(others, textAt(binding, field, "kind") ?? "Secret", namespace, textAt(binding, field, "name"));
}

/** The bindings that refer to a Secret, as far as they are in the text. */
export function bindingsOf(secret: unknown, others: TextObject[]): unknown[] {
  return referencesOf(others).get(secret) ?? [];
}

/** The object of that kind, namespace (empty for none) and name. */
export function find(objects: TextObject[], kind: string, namespace: string, name?: string): TextObject | undefined {
  return name === undefined ? undefined : namedIn(objects).get(JSON.stringify([kind, namespace, name]));
}

/** The first object of each kind, namespace and name, whatever its API group, because a reference seldom names one. */
const namedIn = remembered((objects) => {
  const found = new Map<string, TextObject>();
  for (const named of objects) {
    const at = (...path: string[]): string => textAt(named.object, ...path) ?? "";
    const name = at("metadata", "name");
    const key = JSON.stringify([at("kind"), at("metadata", "namespace"), name]);
    if (name !== "" && !found.has(key)) found.set(key, named);
  }
  return found;
});

/** The first Project of each namespace. */
export const projectsOf = remembered((objects) => {
  const found = new Map<string, TextObject>();
  for (const object of objects.filter(({ object }) => textAt(object, "kind") === "Project")) {
    const namespace = textAt(object.object, "spec", "namespace");
    if (namespace && !found.has(namespace)) found.set(namespace, object);
  }
  return found;
});

const referencesOf = remembered((objects) => {
  const found = new Map<unknown, unknown[]>();
  for (const { object } of objects) {
    const secret = secretOf(object, objects)?.object;
    if (secret !== undefined) found.set(secret, [...(found.get(secret) ?? []), object]);
  }
  return found;
});

/** What is found in a list of objects, found once, because a text may have thousands. */
function remembered<Found>(make: (objects: TextObject[]) => Found): (objects: TextObject[]) => Found {
  const made = new WeakMap<TextObject[], Found>();
  return (objects) => {
    const before = made.get(objects);
    if (before) return before;
    const found = make(objects);
    made.set(objects, found);
    return found;
  };
}

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether two values of JSON are the same, whatever the order of their members. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return one === other;
  const keys = Object.keys(one);
  return (
    Array.isArray(one) === Array.isArray(other) &&
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(member(one, key), member(other, key)))
  );
}

/** Whether an object is but a part of one, because it does not say what it is. */
export function isPart(object: unknown): boolean {
  return isObject(object) && ["apiVersion", "kind"].every((key) => !Object.hasOwn(object, key));
}
