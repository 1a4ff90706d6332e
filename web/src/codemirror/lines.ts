/** Edits as an editor takes them. */

import { type ChangeSpec, Text } from "@codemirror/state";
import type { TextEdit } from "../yaml/index.js";

/** Edits by lines, because an editor with a line separator of its own splits no text at another one. */
export function byLines(edits: TextEdit[]): ChangeSpec {
  return edits.map(({ from, to, insert }) => ({ from, to, insert: Text.of(insert.split(/\r\n?|\n/)) }));
}
