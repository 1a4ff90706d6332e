/** What a tree becomes by an RFC 6902 patch: unchanged parts stay nodes of the text, so that their text can stay. */

import type { Json, PatchOperation } from "../documents.js";
import { readJson } from "./json.js";
import { type Node, index, toJson, tokens } from "./tree.js";

/** A part of a patched tree: a node that stays as it is, or a draft. */
export type Part = Node | Draft;

/** What is to be written, in the place of a node or at a new one. */
export type Draft = Drafted & {
  draft: true;
  /** The node in whose place it comes. */
  origin?: Node;
};

type Drafted =
  | { kind: "scalar"; json: string }
  | { kind: "sequence"; items: Part[] }
  | { kind: "mapping"; entries: Map<string, Part> };

export function isDraft(part: Part): part is Draft {
  return "draft" in part;
}

/** The operations of RFC 6902 that policies use; what a `copy` or a `test` asks for is not done. */
const OPERATIONS = new Set<string>(["add", "replace", "remove", "move"] satisfies PatchOperation["op"][]);

/** The patched tree; nothing where the patch does not apply. */
export function apply(root: Node, patch: PatchOperation[]): Part | undefined {
  let part: Part | undefined = root;
  for (const operation of patch) {
    if (!OPERATIONS.has(operation.op)) return undefined;
    part = part && change(part, tokens(operation.path), operation);
  }
  return part;
}

/** JSON text after a patch, all else spelled as it was; nothing where it is no JSON, or the patch does not apply. */
export function patchJson(json: string, patch: PatchOperation[]): string | undefined {
  if (patch.length === 0) return json;
  const root = rootOf(json);
  const patched = root && apply(root, patch);
  return patched && partToJson(patched);
}

/** Trees of the texts that were patched last: with each key, and for each thing that is tried, the same texts are patched again. */
const roots = new Map<string, Node>();
const KEPT = 8;

function rootOf(json: string): Node | undefined {
  const root = roots.get(json) ?? readJson(json, () => 1)?.[0]?.root;
  roots.delete(json);
  if (root) roots.set(json, root);
  for (const [oldest] of roots) {
    if (roots.size <= KEPT) break;
    roots.delete(oldest);
  }
  return root;
}

function partToJson(part: Part): string {
  if (!isDraft(part)) return toJson(part);
  switch (part.kind) {
    case "scalar":
      return part.json;
    case "sequence":
      return `[${part.items.map(partToJson).join()}]`;
    case "mapping":
      return `{${Array.from(part.entries, ([key, value]) => `${JSON.stringify(key)}:${partToJson(value)}`).join()}}`;
  }
}

/** A JSON value that is not in the text yet. */
export function draft(value: Json): Draft {
  if (Array.isArray(value)) return { draft: true, kind: "sequence", items: value.map(draft) };
  if (typeof value !== "object" || value === null) return { draft: true, kind: "scalar", json: JSON.stringify(value) };
  return { draft: true, kind: "mapping", entries: new Map(Object.entries(value).map(([key, of]) => [key, draft(of)])) };
}

/** The entries of a mapping. */
export function entriesOf(part: Part & { kind: "mapping" }): Map<string, Part> {
  return isDraft(part) ? part.entries : new Map(part.entries.map(({ key, value }) => [key, value]));
}

/** Whether two parts have the same value; the order of keys says nothing. */
export function equal(one: Part, other: Part): boolean {
  if (one === other) return true;
  if (one.kind === "scalar" && other.kind === "scalar") return sameScalar(one.json, other.json);
  if (one.kind === "sequence" && other.kind === "sequence") {
    const pairs = one.items.map((item, at) => [item, other.items[at]] as const);
    return one.items.length === other.items.length && pairs.every(([a, b]) => b !== undefined && equal(a, b));
  }
  if (one.kind !== "mapping" || other.kind !== "mapping") return false;
  const [entries, others] = [entriesOf(one), entriesOf(other)];
  return (
    entries.size === others.size &&
    [...entries].every(([key, value]) => {
      const found = others.get(key);
      return found !== undefined && equal(value, found);
    })
  );
}

/** Numbers are equal however they are spelled, because a patch has been through JavaScript. */
function sameScalar(one: string, other: string): boolean {
  return one === other || (/^[-0-9]/.test(one) && /^[-0-9]/.test(other) && Number(one) === Number(other));
}

function change(part: Part, [token, ...rest]: string[], operation: PatchOperation): Part | undefined {
  if (token === undefined) return "value" in operation ? replace(part, draft(operation.value)) : undefined;
  const changed = open(part);
  const applies =
    changed?.kind === "mapping"
      ? changeEntry(changed.entries, token, rest, operation)
      : changed?.kind === "sequence" && changeItem(changed.items, token, rest, operation);
  return applies ? changed : undefined;
}

/** Changes an entry, or what is below it; says whether the operation applies. */
function changeEntry(entries: Map<string, Part>, key: string, rest: string[], operation: PatchOperation): boolean {
  if (rest.length === 0 && operation.op === "remove") return entries.delete(key);
  if (rest.length === 0 && operation.op === "move") return rename(entries, key, operation);
  const known = entries.get(key);
  const isNew = !known && rest.length === 0 && operation.op === "add";
  const value = isNew ? draft(operation.value) : known && change(known, rest, operation);
  if (value) entries.set(key, value);
  return value !== undefined;
}

/** Gives an entry another key, in its place; says whether the operation does that, and no more. */
function rename(entries: Map<string, Part>, key: string, { from, path }: PatchOperation & { op: "move" }): boolean {
  const old = tokens(from).at(-1);
  const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf("/"));
  if (old === undefined || parentOf(from) !== parentOf(path) || !entries.has(old) || entries.has(key)) return false;
  const renamed = Array.from(entries, ([name, part]) => [name === old ? key : name, part] as const);
  entries.clear();
  for (const [name, part] of renamed) entries.set(name, part);
  return true;
}

/** Changes an item, or what is below it; says whether the operation applies. */
function changeItem(items: Part[], token: string, rest: string[], operation: PatchOperation): boolean {
  const at = token === "-" ? items.length : index(token);
  if (at === undefined || at > items.length) return false;
  if (rest.length === 0 && operation.op === "add") {
    items.splice(at, 0, draft(operation.value));
    return true;
  }
  const known = items[at];
  if (known && rest.length === 0 && operation.op === "remove") {
    items.splice(at, 1);
    return true;
  }
  const value = known && change(known, rest, operation);
  if (value) items[at] = value;
  return value !== undefined;
}

/** A list or mapping as a draft that may be changed. */
function open(part: Part): Draft | undefined {
  if (isDraft(part)) return part;
  switch (part.kind) {
    case "scalar":
      return undefined;
    case "sequence":
      return { draft: true, kind: "sequence", origin: part, items: [...part.items] };
    case "mapping":
      return { draft: true, kind: "mapping", origin: part, entries: entriesOf(part) };
  }
}

/** `value` in the place of a part. What they have in common stays as it is in the text. */
function replace(part: Part, value: Draft): Part {
  if (equal(part, value)) return part;
  const changed = open(part);
  if (changed?.kind === "mapping" && value.kind === "mapping") {
    const entries = new Map<string, Part>();
    for (const [key, known] of changed.entries) {
      const wanted = value.entries.get(key);
      if (wanted && isDraft(wanted)) entries.set(key, replace(known, wanted));
    }
    for (const [key, wanted] of value.entries) if (!entries.has(key)) entries.set(key, wanted);
    return { ...changed, entries };
  }
  if (changed?.kind === "sequence" && value.kind === "sequence") {
    const items = value.items.map((wanted, at) => {
      const known = changed.items[at];
      return known && isDraft(wanted) ? replace(known, wanted) : wanted;
    });
    return { ...changed, items };
  }
  const origin = isDraft(part) ? part.origin : part;
  return { ...value, ...(origin && { origin }) };
}
