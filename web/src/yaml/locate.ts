/** From an RFC 6901 pointer to a place in the text. */

import { lineEnd } from "./lines.js";
import { type Node, type Range, entryOf, index, pointerTo, tokens } from "./tree.js";

/** What a pointer led to. */
export interface Place extends Range {
  /** Where the key of the value stands, if it has one. */
  key?: Range;
  /** Whether the pointer's own value exists; if not, this is the place of its nearest ancestor that does. */
  exact: boolean;
}

/**
 * The place to underline for a pointer: a scalar itself; for a list or mapping, a missing value or a nothing the key;
 * for an item of a list its first line; for a whole document its first key.
 */
export function place(text: string, root: Node, pointer: string): Place {
  let node = root;
  let key: Range | undefined;
  let exact = true;
  for (const token of tokens(pointer)) {
    const entry = node.kind === "mapping" ? entryOf(node, token) : undefined;
    const at = node.kind === "sequence" ? index(token) : undefined;
    const next = entry?.value ?? (node.kind === "sequence" && at !== undefined ? node.items[at] : undefined);
    if (!next) {
      exact = false;
      break;
    }
    node = next;
    key = entry?.keyRange;
  }
  return { ...highlight(text, node, key, exact), ...(key && { key }), exact };
}

function highlight(text: string, node: Node, key: Range | undefined, exact: boolean): Range {
  if (exact && node.kind === "scalar" && node.from < node.to) return firstLine(text, node);
  if (key) return key;
  const first = node.kind === "mapping" && text[node.from] !== "{" ? node.entries[0] : undefined;
  return first?.keyRange ?? firstLine(text, node);
}

/** The part of a range that stands on its first line, without white space at its end. */
function firstLine(text: string, { from, to }: Range): Range {
  const line = text.slice(from, Math.min(to, lineEnd(text, from)));
  return { from, to: from + line.trimEnd().length };
}

/** What stands at an offset: the pointer of the value, and the range of its key or of the value itself. */
export interface Found {
  pointer: string;
  range: Range;
}

/** The key or the scalar at an offset. */
export function find(node: Node, offset: number, at = ""): Found | undefined {
  const inside = ({ from, to }: Range): boolean => from <= offset && offset <= to;
  if (node.alias) return undefined;
  if (node.kind === "scalar") {
    return inside(node) ? { pointer: at, range: { from: node.from, to: node.to } } : undefined;
  }
  if (node.kind === "sequence") {
    const index = node.items.findIndex(inside);
    const item = node.items[index];
    return item && find(item, offset, `${at}/${index}`);
  }
  for (const { key, keyRange, value, merged } of node.entries) {
    if (merged) continue;
    const pointer = `${at}/${pointerTo(key)}`;
    if (inside(keyRange)) return { pointer, range: keyRange };
    if (inside(value)) return find(value, offset, pointer);
  }
  return undefined;
}
