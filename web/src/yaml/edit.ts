/** From a patch to edits of the text, so that all else stays as the person wrote it. */

import type { PatchOperation } from "../documents.js";
import { editBlock, replaceInBlock } from "./edit-block.js";
import { editFlow, replaceInFlow } from "./edit-flow.js";
import { type Part, apply, equal, isDraft } from "./patch.js";
import type { Known } from "./known.js";
import { type Reading, read } from "./read.js";
import { slotsOf } from "./slots.js";
import { type DocumentStyle, styleOf } from "./style.js";
import type { Node } from "./tree.js";
import { keyText, quotedAs } from "./write.js";

/** One replacement in a text. */
export interface TextEdit {
  from: number;
  to: number;
  insert: string;
}

/** Edits, and what they make of a text. */
export interface Edited {
  edits: TextEdit[];
  text: string;
  /** The text after the edits, as it is read. */
  readings: Reading[];
}

/**
 * The edits that make of documents of a text what RFC 6902 patches, by the number of the document, make of their values. They come in
 * the order of the text and do not overlap. Comments, order, indentation, quotes and line breaks of the rest stay as they are.
 *
 * Nothing where there are no such edits: a patch does not apply, the text itself is in disorder, or the change would show elsewhere
 * through an alias. What is returned was applied, read and compared.
 */
export function editAll(text: string, readings: Reading[], patches: Map<number, PatchOperation[]>, known?: Known): Edited | undefined {
  if (readings.some(({ root, problems }) => !root || problems.length > 0)) return undefined;
  const expected = new Map<number, Part>();
  const found: TextEdit[] = [];
  for (const [document, patch] of patches) {
    const root = readings[document]?.root;
    const patched = root && apply(root, patch);
    if (!patched) return undefined;
    expected.set(document, patched);
    const collected = new Edits(text, styleOf(text, root));
    collected.change(root, patched, root.kind !== "scalar" && root.flow && root.to - root.from > 2);
    found.push(...collected.all());
  }
  found.sort((one, other) => one.from - other.from);

  const edited = applyEdits(text, found);
  const actual = read(edited, known);
  const isExpected = readings.every((reading, index) => {
    const wanted = expected.get(index) ?? reading.root;
    const { root, problems } = actual[index] ?? {};
    return root && wanted && problems?.length === 0 && equal(root, wanted);
  });
  return isExpected && actual.length === readings.length ? { edits: found, text: edited, readings: actual } : undefined;
}

/** A text after edits that come in its order and do not overlap. */
export function applyEdits(text: string, edits: TextEdit[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const { from, to, insert } of edits) {
    parts.push(text.slice(at, from), insert);
    at = to;
  }
  return parts.join("") + text.slice(at);
}

/** Changes a value of a block, whose key or dash stands in that column, or a value in brackets, which has none. */
export type Change = (node: Node, part: Part, column?: number) => void;

/** Edits that are being collected. */
export class Edits {
  private readonly found: TextEdit[] = [];

  constructor(
    readonly text: string,
    readonly style: DocumentStyle,
  ) {}

  replace(from: number, to: number, insert: string): void {
    if (from < to || insert) this.found.push({ from, to, insert });
  }

  change(node: Node, part: Part, inBrackets: boolean, column?: number): void {
    if (!isDraft(part)) return;
    const slots = slotsOf(node, part);
    if (!slots || node.kind === "scalar") {
      if (inBrackets) replaceInFlow(node, part, this);
      else replaceInBlock(node, part, this, column);
      return;
    }
    const edit = node.flow ? editFlow : editBlock;
    edit(node, slots, this, (child, to, column) => this.change(child, to, node.flow, column));
    // After what comes before the entry, which has the same place.
    for (const { renamed } of slots.kept) {
      if (!renamed) continue;
      const { from, to } = renamed.range;
      const style = quotedAs(this.text[from], this.style.block);
      this.replace(from, to, keyText(renamed.key, { ...style, inBrackets: node.flow }));
    }
  }

  /** In the order of the text, those that touch made one. */
  all(): TextEdit[] {
    const edits: TextEdit[] = [];
    // The sort is stable: what is put at one place stays in the order in which it was put there.
    for (const edit of this.found.sort((one, other) => one.from - other.from)) {
      const last = edits.at(-1);
      if (last && edit.from <= last.to) {
        last.to = Math.max(last.to, edit.to);
        last.insert += edit.insert;
      } else {
        edits.push({ ...edit });
      }
    }
    return edits;
  }
}
