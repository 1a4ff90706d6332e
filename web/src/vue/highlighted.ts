/** Code with colours, in which the words that somebody looks for are marked. */

import { type FunctionalComponent, h, type VNode } from "vue";
import type { Syntax, SyntaxSpan } from "../syntax.js";
import { foundIn, seen } from "./Prose.js";

/** A text with its colours and marks. */
export const Highlighted: FunctionalComponent<{ text: string; spans: SyntaxSpan[]; words: string[] }> = ({ text, spans, words }) => {
  const nodes: (string | VNode)[] = [];
  let next = 0;
  /** The part of the text up to `end`, in its colours; a span that goes on beyond it is cut. */
  const coloured = (from: number, end: number): (string | VNode)[] => {
    const parts: (string | VNode)[] = [];
    let at = from;
    while (at < end) {
      const span = spans[next];
      if (!span || span.from >= end) {
        parts.push(...seen(text.slice(at, end)));
        break;
      }
      if (span.to <= at) {
        next += 1;
        continue;
      }
      if (span.from > at) parts.push(...seen(text.slice(at, span.from)));
      const [start, until] = [Math.max(at, span.from), Math.min(end, span.to)];
      parts.push(h("span", { class: `trellis-syntax-${span.name}` }, seen(text.slice(start, until))));
      at = until;
    }
    return parts;
  };
  let at = 0;
  for (const { from, to } of foundIn(text, words)) {
    nodes.push(...coloured(at, from), h("mark", { class: "trellis-mark" }, coloured(from, to)));
    at = to;
  }
  nodes.push(...coloured(at, text.length));
  return nodes;
};
Highlighted.props = ["text", "spans", "words"];

/** The spans of each line, counted from its beginning; lines are joined by one character. */
export function spansByLine(lines: readonly string[], syntax: Syntax): SyntaxSpan[][] {
  const spans = syntax(lines.join("\n"));
  let start = 0;
  let first = 0;
  return lines.map((line) => {
    const end = start + line.length;
    const found: SyntaxSpan[] = [];
    while ((spans[first]?.to ?? Infinity) <= start) first += 1;
    for (let at = first; (spans[at]?.from ?? Infinity) < end; at += 1) {
      const span = spans[at];
      if (span) found.push({ ...span, from: Math.max(0, span.from - start), to: Math.min(line.length, span.to - start) });
    }
    start = end + 1;
    return found;
  });
}
