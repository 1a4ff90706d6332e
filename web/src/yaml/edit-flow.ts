/** Edits of lists and mappings in brackets. */

import type { Change, Edits } from "./edit.js";
import type { Draft } from "./patch.js";
import type { Addition, Slot, Slots } from "./slots.js";
import { indentOf } from "./style.js";
import type { Node } from "./tree.js";
import { type FlowStyle, flow, flowEntry } from "./write.js";

/** Changes the entries of a list or mapping, some of which stay. */
export function editFlow(node: Node, { kept, removed, prepended, added }: Slots, edits: Edits, change: Change): void {
  const separator = separatorOf(node, kept, edits);
  const written = ({ key, value }: Addition, { from }: Slot): string => {
    const style = { ...styleAt(edits, from), ...(usesQuotes(node, edits.text) && { json: true }) };
    return key === undefined ? flow(value, style) : flowEntry(key, value, style);
  };
  for (const slot of kept.slice(0, 1)) {
    edits.replace(slot.from, slot.from, prepended.map((addition) => written(addition, slot) + separator).join(""));
  }
  for (const { node: child, part } of kept) change(child, part);
  for (const { slots, before, after } of removed) {
    const [first] = slots;
    const last = slots.at(-1);
    if (first && after) edits.replace(first.from, after.from, "");
    else if (last && before) edits.replace(before.to, last.to, "");
  }
  for (const { before, addition } of added) edits.replace(before.to, before.to, separator + written(addition, before));
}

/** Puts another value in the place of one. */
export function replaceInFlow(node: Node, draft: Draft, edits: Edits): void {
  const { text } = edits;
  const style = styleAt(edits, node.from);
  const written = flow(draft, text[node.from] === '"' ? { ...style, json: true } : style);
  // A key alone has neither value nor colon.
  const gap = node.from < node.to ? "" : node.behind === undefined ? ": " : " ";
  edits.replace(node.from, node.to, gap + written);
}

/** How to write a value that starts on the line of an offset. */
function styleAt({ text, style }: Edits, offset: number): FlowStyle {
  const { flow, flowStep: step, block } = style;
  return step === undefined ? flow : { ...flow, lines: { indent: indentOf(text, offset), step, eol: block.eol } };
}

function usesQuotes(node: Node, text: string): boolean {
  return node.kind === "mapping" && text[node.entries[0]?.keyRange.from ?? -1] === '"';
}

/** What stands between entries here: as between the first two, or as before the only one. */
function separatorOf(node: Node, kept: Slot[], { text, style }: Edits): string {
  const [first, second] = kept;
  const between = first && second ? text.slice(first.to, second.from) : "";
  if (/^,\s*$/.test(between)) return between;
  const before = first ? text.slice(node.from + 1, first.from) : "";
  return /^\r?\n\s*$/.test(before) ? `,${before}` : style.flow.comma;
}
