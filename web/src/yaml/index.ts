/**
 * YAML and JSON as people write them, for a policy that takes JSON text: read, place findings, and edit.
 * Offsets are UTF-16 units of the text, as JavaScript strings and CodeMirror count them.
 */

import { parse } from "./document.js";
import type { Place } from "./locate.js";

export { type Document, type ParseOptions, parse } from "./document.js";
export { type TextEdit, applyEdits } from "./edit.js";
export { embed } from "./embed.js";
export type { Found, Place } from "./locate.js";
export { type EditOptions, edits } from "./parts.js";
export type { Problem } from "./problem.js";
export type { Range } from "./tree.js";

/** What to underline in a text for a JSON pointer into one of its documents, the first being 0. */
export function locate(text: string, pointer: string, document = 0): Place | undefined {
  return parse(text)[document]?.locate(pointer);
}
