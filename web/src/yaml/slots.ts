/** What becomes of the entries of a list or mapping. */

import { type Draft, type Part, isDraft } from "./patch.js";
import type { MappingNode, Node, Range, SequenceNode } from "./tree.js";

/** An entry in the text: from its key or dash to the end of its value. */
export interface Slot {
  from: number;
  to: number;
  node: Node;
  /** What it becomes; absent where it goes. */
  part?: Part;
  /** Its new key, and where the old one stands. */
  renamed?: { key: string; range: Range };
}

/** A new entry; items of lists have no key. */
export interface Addition {
  key?: string;
  value: Part;
}

export interface Slots {
  kept: Kept[];
  /** What goes, adjacent entries together, with the entries before and behind that stay. */
  removed: { slots: Slot[]; before?: Slot; after?: Slot }[];
  /** What comes before the first entry that stays. */
  prepended: Addition[];
  /** What comes behind an entry that stays. */
  added: { addition: Addition; before: Slot }[];
}

type Kept = Slot & { part: Part };

/** What becomes of the entries of `node`; nothing where none of them stays. */
export function slotsOf(node: Node, draft: Draft): Slots | undefined {
  if (node.kind === "scalar" || node.alias || node.kind !== draft.kind || draft.origin !== node) return undefined;
  const steps = node.kind === "mapping" ? ofMapping(node, draft) : ofSequence(node, draft);
  const kept = steps.filter(isKept);
  if (kept.length === 0) return undefined;

  const slots: Slots = { kept, removed: [], prepended: [], added: [] };
  let before: Slot | undefined;
  let run: Slot[] = [];
  for (const [index, step] of steps.entries()) {
    if (isKept(step)) {
      before = step;
      run = [];
    } else if ("value" in step) {
      if (before) slots.added.push({ addition: step, before });
      else slots.prepended.push(step);
    } else {
      if (run.length === 0) {
        const after = steps.slice(index).find(isKept);
        slots.removed.push({ slots: run, ...(before && { before }), ...(after && { after }) });
      }
      run.push(step);
    }
  }
  return slots;
}

type Step = Slot | Addition;

function isKept(step: Step): step is Kept {
  return "part" in step;
}

/** The node in whose place a part comes. */
function placeOf(part: Part | undefined): Node | undefined {
  return part && isDraft(part) ? part.origin : part;
}

function ofMapping(node: MappingNode, draft: Draft): Step[] {
  if (draft.kind !== "mapping") return [];
  const rest = new Map(draft.entries);
  // An entry whose value came from another key was renamed.
  const keys = new Map<Node | undefined, string>();
  for (const [key, part] of draft.entries) keys.set(placeOf(part), key);
  const steps: Step[] = [];
  for (const { key, keyRange, value, merged } of node.entries) {
    const wanted = (!merged && keys.get(value)) || key;
    const part = draft.entries.get(wanted);
    const stays = placeOf(part) === value;
    // What `<<` brings is not in the text here; changed, it becomes an entry of its own.
    if (!merged) {
      const slot = { from: keyRange.from, to: Math.max(keyRange.to, endOf(value)), node: value };
      const renamed = wanted !== key && { renamed: { key: wanted, range: keyRange } };
      steps.push(part && stays ? { ...slot, part, ...renamed } : slot);
    }
    if (merged ? part === value : stays) rest.delete(wanted);
  }
  return [...steps, ...Array.from(rest, ([key, value]) => ({ key, value }))];
}

function ofSequence(node: SequenceNode, draft: Draft): Step[] {
  if (draft.kind !== "sequence") return [];
  const slot = (item: Node): Slot => ({
    from: item.behind === undefined ? item.from : item.behind - 1,
    to: endOf(item),
    node: item,
  });
  const steps: Step[] = [];
  let at = 0;
  for (const part of draft.items) {
    const place = placeOf(part);
    const index = place ? node.items.indexOf(place, at) : -1;
    if (index < 0) {
      steps.push({ value: part });
      continue;
    }
    steps.push(...node.items.slice(at, index).map(slot));
    steps.push(...node.items.slice(index, index + 1).map((item) => ({ ...slot(item), part })));
    at = index + 1;
  }
  return [...steps, ...node.items.slice(at).map(slot)];
}

/** Where a value ends, with the line breaks that belong to a block scalar. */
export function endOf(node: Node): number {
  const end = Math.max(node.to, node.behind ?? 0);
  if (node.alias) return end;
  switch (node.kind) {
    case "scalar":
      return node.blockEnd ?? end;
    case "sequence":
      return Math.max(end, ...node.items.slice(-1).map(endOf));
    case "mapping":
      return Math.max(end, ...node.entries.filter(({ merged }) => !merged).slice(-1).map(({ value }) => endOf(value)));
  }
}
