/** What an edit does to nodes, as it is drawn: so many nodes of a zone become this, and so many that. */

import type { NodeChange, PoolRollout, Range } from "../documents.js";

/** What becomes of a node. */
export type NodeState = "kept" | "updated" | "replaced" | "new" | "gone";

/** Nodes of the same state. */
export interface Nodes {
  state: NodeState;
  /** How many there are in any case. */
  certain: number;
  /** How many there are at most. */
  most: number;
}

/** How many nodes there are in a zone, or in a whole pool. */
export interface Bounds {
  before?: Range | undefined;
  after?: Range | undefined;
}

const NONE: Range = { minimum: 0, maximum: 0 };

/** What becomes of nodes that are there before and after. */
const STAYING: Record<NodeChange, NodeState> = {
  unchanged: "kept",
  resized: "kept",
  updatedInPlace: "updated",
  rolled: "replaced",
  added: "new",
  removed: "gone",
};

/** The nodes by what becomes of them: those that are there before and after, those that come, and those that go. */
export function nodesOf(change: NodeChange, { before = NONE, after = NONE }: Bounds): Nodes[] {
  const stay = { certain: Math.min(before.minimum, after.minimum), most: Math.min(before.maximum, after.maximum) };
  const come = { certain: after.minimum - before.maximum, most: after.maximum - before.maximum };
  const go = { certain: before.minimum - after.maximum, most: before.maximum - after.maximum };
  const all: Nodes[] = [
    { state: STAYING[change], ...stay },
    { state: "new", ...come },
    { state: "gone", ...go },
  ];
  return all.filter(({ most }) => most > 0).map((nodes) => ({ ...nodes, certain: Math.max(0, Math.min(nodes.certain, nodes.most)) }));
}

/** Whether nothing at all becomes of a pool. */
export function isQuiet({ change }: PoolRollout): boolean {
  return change === "unchanged";
}

/** Whether pods have to leave nodes. A pool that may have no node has none to leave. */
export function disrupts({ change, before = NONE, after = NONE, removedZones = [] }: PoolRollout): boolean {
  if (before.maximum === 0) return false;
  return change === "rolled" || change === "removed" || removedZones.length > 0 || after.maximum < before.minimum;
}
