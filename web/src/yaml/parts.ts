/** Edits of the objects of a text, of which some are items of a list. */

import type { PatchOperation } from "../documents.js";
import { type Edited, type TextEdit, editAll } from "./edit.js";
import type { Known } from "./known.js";
import { type Part, partsOf } from "./items.js";
import { type Reading, read } from "./read.js";

export interface EditOptions {
  /** Where the text belongs in the object that the patch is for, as in `parse`. */
  at?: string | undefined;
  /** Which document of the text, as `parse` counts them, the first being 0. */
  document?: number | undefined;
}

/**
 * The edits that make of a document of a text what an RFC 6902 patch makes of its value; nothing where there are none, also where the
 * patch leads out of the text. As `editAll` says.
 */
export function edits(text: string, patch: PatchOperation[], { at = "", document = 0 }: EditOptions = {}): TextEdit[] | undefined {
  const isInside = (pointer: string): boolean => pointer === at || pointer.startsWith(`${at}/`);
  if (!patch.every((operation) => isInside(operation.path) && (operation.op !== "move" || isInside(operation.from)))) {
    return undefined;
  }
  const inside = patch.map((operation) => ({
    ...operation,
    path: operation.path.slice(at.length),
    ...(operation.op === "move" && { from: operation.from.slice(at.length) }),
  }));
  const readings = read(text);
  const patches = new Map([[document, inside]]);
  return (at === "" ? editParts(text, readings, partsOf(readings), patches) : editAll(text, readings, patches))?.edits;
}

/** The edits for patches of several parts of a text, by the number of the part. */
export function editParts(
  text: string,
  readings: Reading[],
  parts: Part[],
  patches: Map<number, PatchOperation[]>,
  known?: Known,
): Edited | undefined {
  const whole = new Map<number, PatchOperation[]>();
  for (const [number, patch] of patches) {
    const part = parts[number];
    if (!part) return undefined;
    const { document, at } = part;
    const placed = patch.map((operation) => ({
      ...operation,
      path: at + operation.path,
      ...(operation.op === "move" && { from: at + operation.from }),
    }));
    whole.set(document, [...(whole.get(document) ?? []), ...placed]);
  }
  return editAll(text, readings, whole, known);
}
