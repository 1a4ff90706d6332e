/** From an RFC 6901 pointer to a place in the text. */

import { lineEnd } from "./lines.js";
import { type Node, type Range, entryOf, index, tokens } from "./tree.js";

/** What a pointer led to. */
export interface Place extends Range {
  /** Where the key of the value stands, if it has one. */
  key?: Range;
  /** Whether the pointer's own value exists; if not, this is the place of its nearest ancestor that does. */
  exact: boolean;
}

/**
 * The place to underline for a pointer: a scalar itself; for a list or mapping, a missing value or a nothing the key; for
 * an item of a list its first line; for a whole document its first key.
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
