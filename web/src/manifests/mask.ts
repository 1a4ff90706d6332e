/** Objects without the values of Secrets. */

import { isObject, isSecretKind, member, textAt } from "../check/objects.js";

type Fields = Record<string, unknown>;

/** An annotation with which `kubectl apply` repeats the whole object. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** What stands in a preview for what the Shoot does not say, such as `<user data of cpu>`. */
const PLACEHOLDER = /<[a-z][^<>\n]*>/;

/**
 * An object whose values of Secrets are masked. With `before`, which is what the object was, the mask of another value says
 * that it is another one, also where both are of the same length.
 */
export function masked(object: unknown, before?: { object: unknown }, kind = textAt(object, "kind")): unknown {
  if (!isObject(object)) return object;
  if (isSecretKind(kind)) return maskedSecret(object, before);
  const { items } = object;
  if (!kind?.endsWith("List") || !Array.isArray(items)) return object;
  // Items of a list of one kind need not say which it is.
  const of = kind === "List" ? undefined : kind.slice(0, -"List".length);
  const old = before && { items: member(before.object, "items") };
  return {
    ...object,
    items: items.map((item, at) => masked(item, old && { object: Array.isArray(old.items) ? old.items[at] : undefined }, textAt(item, "kind") ?? of)),
  };
}

function maskedSecret(secret: Fields, before: { object: unknown } | undefined): Fields {
  const field = (name: string, value: unknown, decode: Decode): unknown => {
    const old = before && { value: member(before.object, name) };
    if (!isObject(value)) return value === undefined || value === null ? value : mask(value, old, decode);
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, mask(part, old && { value: member(old.value, key) }, decode)]),
    );
  };
  const metadata = fieldsOf(secret["metadata"]);
  const annotations = fieldsOf(metadata["annotations"]);
  const applied = member(annotations, LAST_APPLIED);
  const oldApplied = before && { value: member(member(member(before.object, "metadata"), "annotations"), LAST_APPLIED) };
  return {
    ...secret,
    ...("data" in secret && { data: field("data", secret["data"], fromBase64) }),
    ...("stringData" in secret && { stringData: field("stringData", secret["stringData"], asItIs) }),
    ...(applied !== undefined && {
      metadata: {
        ...metadata,
        annotations: { ...annotations, [LAST_APPLIED]: mask(applied, oldApplied, asItIs) },
      },
    }),
  };
}

function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function mask(value: unknown, before: { value: unknown } | undefined, decode: Decode): string {
  const { bytes, text } = decode(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
  const isOther = before?.value !== undefined && JSON.stringify(before.value) !== JSON.stringify(value);
  // A placeholder of a preview is as long as its name, because the size of the value is not known.
  const size = PLACEHOLDER.test(text) ? [] : [`${bytes} ${bytes === 1 ? "byte" : "bytes"}`];
  const notes = [...size, ...(isOther ? ["another value"] : [])].join(", ");
  return notes === "" ? "<masked>" : `<masked: ${notes}>`;
}

/** What a value holds: how many bytes, and the text as far as it is one. */
type Decode = (value: string) => { bytes: number; text: string };

function asItIs(text: string): ReturnType<Decode> {
  return { bytes: new TextEncoder().encode(text).length, text };
}

function fromBase64(value: string): ReturnType<Decode> {
  const base64 = value.replace(/[\s=]/g, "");
  return { bytes: Math.floor((base64.length * 3) / 4), text: decoded(base64) };
}

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return "";
  }
}
