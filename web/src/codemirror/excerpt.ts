/** As much of a text as shows what stands at a place of it, so that a key costs the same in a long text as in a short one. */

import type { Text } from "@codemirror/state";

/** Lines of the YAML document around a place, without those that say nothing of it. */
export interface Excerpt {
  text: string;
  /** Where the place is in it. */
  at: number;
}

/** No object is longer once the lists next to the place are left out, unless it is JSON: at each key, this takes some 30 ms. */
const MOST = 64_000;

const START = /^---(?:\s|$)/;
const ITEM = /-(?:[ \t]|$)/y;
/** An item that is a scalar alone. Other places ask for these, as for the zones of a worker pool. */
const SCALAR = /-[ \t]+(?:[\w./-]+|"[^"]*"|'[^']*')[ \t]*(?:#.*)?$/y;

/**
 * The document around an offset, in which a dash stands for the items of lists that the offset is not in, unless they are scalars.
 * Nothing where that is too long to be read at each key.
 */
export function excerptAt(doc: Text, pos: number): Excerpt | undefined {
  const line = doc.lineAt(pos);
  const above = START.test(line.text) ? [] : linesAbove(doc, line.from);
  const column = pos - line.from;
  const before = shortened(above, itemsAround(above, Math.min(column, columnOf(line.text))));
  const text = [...before, line.text, ...shortened(linesBelow(doc, line.to))].join("\n");
  const at = before.reduce((sum, { length }) => sum + length + 1, column);
  return text.length > MOST ? undefined : { text, at };
}

/** The lines of the same document before the one that starts at an offset. */
function linesAbove(doc: Text, from: number): string[] {
  const found: string[] = [];
  if (from === 0) return found;
  for (const line of linesOf(doc, from - 1, 0)) {
    found.push(line);
    if (START.test(line)) break;
  }
  return found.reverse();
}

/** The lines of the same document behind the one that ends at an offset. */
function linesBelow(doc: Text, to: number): string[] {
  const found: string[] = [];
  if (to === doc.length) return found;
  for (const line of linesOf(doc, to + 1, doc.length)) {
    if (START.test(line)) break;
    found.push(line);
  }
  return found;
}

/** The lines from one offset to another, also backwards. */
function* linesOf(doc: Text, from: number, to: number): Generator<string> {
  let line = "";
  for (const piece of doc.iterRange(from, to)) {
    if (piece === "\n") {
      yield line;
      line = "";
    } else line = piece;
  }
  yield line;
}

/** Which of the lines above begin items that a place in some column is in. */
function itemsAround(above: string[], place: number): Set<number> {
  const found = new Set<number>();
  let column = place;
  for (let index = above.length - 1; index >= 0 && column > 0; index -= 1) {
    const line = above[index] ?? "";
    const own = columnOf(line);
    if (own >= column || isNothing(line, own)) continue;
    column = own;
    if (matches(ITEM, line, own)) found.add(index);
  }
  return found;
}

/** Lines without those of items, but for items that `kept` has, and scalars. */
function shortened(lines: string[], kept: ReadonlySet<number> = new Set()): string[] {
  /** Column of the dash whose item is being left out. */
  let left: number | undefined;
  const found: string[] = [];
  for (const [index, line] of lines.entries()) {
    const column = columnOf(line);
    if (left !== undefined && (column > left || isNothing(line, column))) continue;
    if (matches(ITEM, line, column) && !matches(SCALAR, line, column) && !kept.has(index)) {
      if (left !== column) found.push(`${line.slice(0, column)}-`);
      left = column;
    } else {
      left = undefined;
      found.push(line);
    }
  }
  return found;
}

/** Whether a line whose text begins in some column is empty, or a comment. */
function isNothing(line: string, column: number): boolean {
  return column === line.length || line[column] === "#";
}

function columnOf(line: string): number {
  let column = 0;
  while (line[column] === " " || line[column] === "\t") column += 1;
  return column;
}

/** Whether a sticky pattern matches at a column of a line. */
function matches(pattern: RegExp, line: string, column: number): boolean {
  pattern.lastIndex = column;
  return pattern.test(line);
}
