/** Edits of lists and mappings that are written as blocks. */

import type { Change, Edits } from "./edit.js";
import { lineEnd, lineStart } from "./lines.js";
import type { Draft } from "./patch.js";
import { type Addition, type Slots, endOf } from "./slots.js";
import { columnOf } from "./style.js";
import type { Node } from "./tree.js";
import { behind, block, entry, quotedAs } from "./write.js";

/** Changes the entries of a list or mapping, some of which stay. */
export function editBlock(node: Node, { kept, removed, prepended, added }: Slots, edits: Edits, change: Change): void {
  const { text, style } = edits;
  const column = columnOf(text, node.from);
  const pad = " ".repeat(column);
  const { eol } = style.block;
  const line = ({ key, value }: Addition): string =>
    key === undefined ? `-${behind(value, "dash", column, style.block)}` : entry(key, value, column, style.block);
  const first = kept[0]?.from ?? node.from;
  edits.replace(first, first, prepended.map((addition) => line(addition) + eol + pad).join(""));
  for (const { node: child, part, from } of kept) change(child, part, columnOf(text, from));
  for (const { slots, after } of removed) {
    const [first] = slots;
    const last = slots.at(-1);
    if (!first || !last) continue;
    // Behind a dash the first entry has no line of its own: the next one moves up, unless comments stand between.
    const moves = after && !startsLine(text, first.from) && text.slice(lineEnd(text, last.to), after.from).trim() === "";
    if (moves) {
      edits.replace(first.from, after.from, "");
      continue;
    }
    for (const { from, to } of slots) {
      const end = lastLineEnd(text, to);
      if (!startsLine(text, from)) edits.replace(from, end, "");
      else if (lineStart(text, from) === 0) edits.replace(0, nextLine(text, end), "");
      // With the break before it, so that something new can still come behind the line.
      else edits.replace(lineEnd(text, lineStart(text, from) - 1), end, "");
    }
  }
  for (const { before, addition } of added) {
    const at = lastLineEnd(text, before.to);
    edits.replace(at, at, eol + pad + line(addition));
  }
}

/** Puts another value in the place of one. `column` is that of its key or dash; none for a whole document. */
export function replaceInBlock(node: Node, draft: Draft, edits: Edits, column: number | undefined): void {
  const { text } = edits;
  const style = draft.kind === "scalar" ? quotedAs(text[node.from], edits.style.block) : edits.style.block;
  const start = node.behind;
  if (start === undefined || column === undefined) {
    edits.replace(node.from, contentEnd(text, node.from, endOf(node)), block(draft, 0, style));
    return;
  }
  const written = behind(draft, text[start - 1] === "-" ? "dash" : "colon", column, style);
  const end = contentEnd(text, start, endOf(node));
  const line = lineEnd(text, start);
  // Of the header of a block scalar the comment stays.
  const comment = node.kind === "scalar" && node.blockEnd !== undefined ? text.slice(start, line).search(/\s+#/) : -1;
  const head = comment < 0 ? line : start + comment;
  const isInline = written.startsWith(" ");
  if (isInline && end <= line) {
    // What stands on this line keeps its distance.
    const from = start + (/^[ \t]*/.exec(text.slice(start, end))?.[0].length ?? 0);
    edits.replace(from, Math.min(end, head), from > start ? written.trimStart() : written);
    return;
  }
  // A comment behind the key stays there, and the new value comes before it, or on the lines below.
  const isBelow = end > line && /^\s*(#|$)/.test(text.slice(start, line));
  if (!isBelow) edits.replace(start, Math.min(end, head), "");
  const at = isInline ? start : line;
  edits.replace(at, at, written);
  if (end > line) edits.replace(line, end, "");
}

function startsLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}

/** End of the line on which something ends; a block scalar does so behind its line break. */
function lastLineEnd(text: string, offset: number): number {
  return lineEnd(text, text[offset - 1] === "\n" ? lineStart(text, offset - 1) : offset);
}

/** Start of the line behind that of an offset. */
function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

/** End of what is in a range, without the white space behind it. */
function contentEnd(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && " \t\r\n".includes(text.charAt(end - 1))) end -= 1;
  return end;
}
