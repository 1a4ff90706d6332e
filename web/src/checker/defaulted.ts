/** A text and the same with its defaults, line by line. */

import type { Judged } from "../check/judge.js";
import { isSecretKind } from "../check/objects.js";
import type { DefaultChange, PatchOperation } from "../documents.js";
import { documentOf } from "../yaml/document.js";
import { lineCounter } from "../yaml/lines.js";
import { partsOf } from "../yaml/items.js";
import { editParts } from "../yaml/parts.js";
import type { Document, Range, TextEdit } from "../yaml/index.js";
import type { DefaultedLine, ReviewedDocument } from "./interface.js";
import type { ReadText } from "./texts.js";

/** Most lines of a text that are shown with their defaults. */
const MAX_LINES = 20_000;

/** The lines of a text, from which the line breaks are taken. */
export function linesOf(text: string): string[] {
  return text.split("\n").map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
}

/** Lines of the old text that became other lines. */
interface Block {
  /** First line of both texts, the first being 0. */
  old: number;
  new: number;
  /** How many there were, and are. */
  removed: number;
  added: number;
}

/** What edits of a text do to its lines. */
function blocksOf(text: string, edits: TextEdit[]): Block[] {
  const lineAt = lineCounter(text);
  const blocks: Block[] = [];
  let shift = 0;
  for (const { from, to, insert } of edits) {
    const [first, last] = [lineAt(from) - 1, lineAt(to) - 1];
    const grown = insert.split("\n").length - 1 - (last - first);
    const before = blocks.at(-1);
    if (before && first < before.old + before.removed) {
      const more = Math.max(0, last + 1 - before.old - before.removed);
      before.removed += more;
      before.added += more + grown;
    } else {
      const removed = last - first + 1;
      blocks.push({ old: first, new: first + shift, removed, added: removed + grown });
    }
    shift += grown;
  }
  return blocks;
}

/** All lines of a text and of the same after edits, in the order in which people read what changed. */
function diffLines(text: string, edited: string, edits: TextEdit[]): DefaultedLine[] {
  const [old, made] = [linesOf(text), linesOf(edited)];
  const lines: DefaultedLine[] = [];
  let at = 0;
  const keep = (end: number): void => {
    for (; at < end; at += 1) lines.push({ state: "same", text: old[at] ?? "", line: at + 1, changes: [] });
  };
  for (const block of blocksOf(text, edits)) {
    const removed = old.slice(block.old, block.old + block.removed);
    const added = made.slice(block.new, block.new + block.added);
    // What is put behind a line leaves the line itself as it was.
    const least = Math.min(removed.length, added.length);
    let head = 0;
    while (head < least && removed[head] === added[head]) head += 1;
    let tail = 0;
    while (tail < least - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail += 1;
    keep(block.old + head);
    for (const line of removed.slice(head, removed.length - tail)) {
      at += 1;
      lines.push({ state: "removed", text: line, line: at, changes: [] });
    }
    for (const line of added.slice(head, added.length - tail)) lines.push({ state: "added", text: line, changes: [] });
  }
  keep(old.length);
  return lines;
}

/** Puts changes to the lines of the new text where what they set begins. */
function attach(lines: DefaultedLine[], edited: string, defaulted: { document: Document; changes: DefaultChange[] }[]): void {
  const lineAt = lineCounter(edited);
  const made = lines.filter(({ state }) => state !== "removed");
  for (const { document, changes } of defaulted) {
    for (const change of changes) {
      const place = document.locate(change.pointer);
      const start: Range | undefined = place?.exact ? (place.key ?? place) : place;
      if (start) made[lineAt(start.from) - 1]?.changes.push(change);
    }
  }
}

/** Adds to documents the lines of the text with their defaults. */
export function showDefaults(text: ReadText, documents: ReviewedDocument[], judged: (Judged | undefined)[]): void {
  const patches = new Map<number, PatchOperation[]>();
  for (const [index, outcome] of judged.entries()) {
    if (outcome && outcome.patch.length > 0 && !isSecretKind(documents[index]?.kind) && !text.partOf.has(index)) patches.set(index, outcome.patch);
  }
  if (patches.size === 0 || text.lineAt(text.text.length) > MAX_LINES) return;
  const edited = editParts(text.text, text.readings, text.parts, patches, text.known);
  if (!edited) return;
  const parts = partsOf(edited.readings);
  const lines = diffLines(text.text, edited.text, edited.edits);
  const made = [...patches.keys()].map((index) => ({
    document: documentOf(edited.text, parts[index] ?? { from: 0, to: 0, problems: [] }),
    changes: documents[index]?.ruling?.changes ?? [],
  }));
  attach(lines, edited.text, made);
  // Where each line of the old text stands among all lines; what is added behind it goes with it.
  const indices = lines.flatMap(({ line }, index) => (line === undefined ? [] : [index]));
  for (const index of patches.keys()) {
    const document = documents[index];
    if (!document) continue;
    const first = index === 0 ? 1 : document.line;
    const last = text.lineAt(Math.max(document.from, document.to - 1));
    document.defaulted = lines.slice(first === 1 ? 0 : indices[first - 1], indices[last] ?? lines.length);
  }
}
