/** Objects without the values of Secrets. */

import { isSecretKind, member, textAt } from "../check/objects.js";

type Fields = Record<string, unknown>;

/** An annotation with which `kubectl apply` repeats the whole object. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/**
 * An object whose values of Secrets are masked. With `before`, which is what the object was, the mask of another value says
 * that it is another one, also where both are of the same length.
 */
export function masked(object: unknown, before?: { object: unknown }, kind = textAt(object, "kind")): unknown {
  if (!isFields(object)) return object;
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
  const field = (name: string, value: unknown, length: (text: string) => number): unknown => {
    const old = before && { value: member(before.object, name) };
    if (!isFields(value)) return value === undefined || value === null ? value : mask(value, old, length);
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, mask(part, old && { value: member(old.value, key) }, length)]),
    );
  };
  const annotations = member(secret["metadata"], "annotations");
  const applied = member(annotations, LAST_APPLIED);
  const oldApplied = before && { value: member(member(member(before.object, "metadata"), "annotations"), LAST_APPLIED) };
  return {
    ...secret,
    ...("data" in secret && { data: field("data", secret["data"], decodedLength) }),
    ...("stringData" in secret && { stringData: field("stringData", secret["stringData"], byteLength) }),
    ...(applied !== undefined && {
      metadata: {
        ...(secret["metadata"] as Fields),
        annotations: { ...(annotations as Fields), [LAST_APPLIED]: mask(applied, oldApplied, byteLength) },
      },
    }),
  };
}

function mask(value: unknown, before: { value: unknown } | undefined, length: (text: string) => number): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  const bytes = length(text);
  const isOther = before?.value !== undefined && JSON.stringify(before.value) !== JSON.stringify(value);
  return `<masked: ${bytes} ${bytes === 1 ? "byte" : "bytes"}${isOther ? ", another value" : ""}>`;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** How many bytes base64 stands for. */
function decodedLength(text: string): number {
  return Math.floor((text.replace(/[\s=]/g, "").length * 3) / 4);
}
