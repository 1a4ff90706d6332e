/** How a document is written, so that what is added looks like the rest. */

import { lineStart } from "./lines.js";
import type { Node } from "./tree.js";
import type { FlowStyle, Style } from "./write.js";

/** How a document is written, as a block or in brackets. */
export interface DocumentStyle {
  block: Style;
  /** For lists and mappings in brackets, wherever they are. */
  flow: Omit<FlowStyle, "lines">;
  /** One level of indentation where a document in brackets has its entries on lines of their own. */
  flowStep?: string;
}

export function styleOf(text: string, root: Node): DocumentStyle {
  const seen: Seen = {};
  look(text, root, seen);
  const eol = /\r?\n/.exec(text)?.[0] ?? "\n";
  const inBrackets = root.kind !== "scalar" && root.flow;
  const colon = inBrackets && seen.spaced === false ? ":" : ": ";
  return {
    block: { eol, step: seen.step ?? 2, dash: seen.dash ?? 0, quote: seen.quote ?? '"' },
    flow: { json: inBrackets && (seen.quoted ?? true), colon, comma: colon === ":" ? "," : ", " },
    ...(inBrackets && seen.indent && { flowStep: seen.indent }),
  };
}

/** The first of each that was met. */
interface Seen {
  step?: number;
  dash?: number;
  quote?: '"' | "'";
  /** Whether there is a space behind colons. */
  spaced?: boolean;
  /** Whether keys are in double quotes. */
  quoted?: boolean;
  indent?: string;
}

function look(text: string, node: Node, seen: Seen, parent?: number): void {
  if (node.alias) return;
  if (node.kind === "scalar") {
    const first = text[node.from];
    if (first === '"' || first === "'") seen.quote ??= first;
    return;
  }
  const column = columnOf(text, node.from);
  if (node.flow) {
    const gap = /^[{[]\r?\n([ \t]+)/.exec(text.slice(node.from, node.from + 100));
    if (gap) seen.indent ??= gap[1]?.slice(indentOf(text, node.from).length) ?? "";
  } else if (parent !== undefined) {
    seen[node.kind === "mapping" ? "step" : "dash"] ??= column - parent;
  }
  if (node.kind === "sequence") {
    for (const item of node.items) look(text, item, seen);
    return;
  }
  for (const { keyRange, value, merged } of node.entries) {
    if (merged) continue;
    seen.spaced ??= /\s/.test(text[value.behind ?? 0] ?? "");
    seen.quoted ??= text[keyRange.from] === '"';
    look(text, value, seen, node.flow ? undefined : column);
  }
}

/** Units between the start of a line and an offset in it. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** White space at the start of an offset's line. */
export function indentOf(text: string, offset: number): string {
  return /[ \t]*/y.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}
