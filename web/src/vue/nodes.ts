/** What an edit does to nodes, as it is drawn: so many nodes of a zone become this, and so many that. */

import type { NodeChange, PoolRollout, Range, Undecided } from "../documents.js";

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

/** Nodes that go in a zone, or in a pool as a whole, which has an empty name. */
export interface Going {
  zone: string;
  certain: number;
  most: number;
}

/** A pool with its zones, where these are known. */
type Pool = PoolRollout & { zones?: ({ name: string } & Bounds)[] };

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

/**
 * The nodes by what becomes of them: those that are there before and after, those that come, and those that go. Where only the
 * cluster knows whether nodes roll, those that are there before and after may be replaced, and none is for certain.
 */
export function nodesOf(change: NodeChange, { before = NONE, after = NONE }: Bounds, isOpen = false): Nodes[] {
  const stay = { certain: Math.min(before.minimum, after.minimum), most: Math.min(before.maximum, after.maximum) };
  const come = { certain: after.minimum - before.maximum, most: after.maximum - before.maximum };
  const go = { certain: before.minimum - after.maximum, most: before.maximum - after.maximum };
  const all: Nodes[] = [
    isOpen ? { state: "replaced", certain: 0, most: stay.most } : { state: STAYING[change], ...stay },
    { state: "new", ...come },
    { state: "gone", ...go },
  ];
  return all.filter(({ most }) => most > 0).map((nodes) => ({ ...nodes, certain: Math.max(0, Math.min(nodes.certain, nodes.most)) }));
}

/** Whether nothing at all becomes of a pool. */
export function isQuiet({ change }: PoolRollout, isOpen = false): boolean {
  return change === "unchanged" && !isOpen;
}

/**
 * Whether only the cluster knows if the nodes of a pool roll: an open question names the pool. Where a pool rolls and the question
 * names a value that is no cause of it, the old hash covers that value, and the pool rolls either way.
 */
export function isOpen({ name, change, before = NONE, after = NONE, causes = [] }: PoolRollout, undecided: Undecided[]): boolean {
  const question = undecided.find(({ why }) => why.includes(`pool \`${name}\``));
  if (!question || before.maximum === 0 || after.maximum === 0) return false;
  if (change !== "rolled") return true;
  const values = question.why.slice(question.why.lastIndexOf(": ")).matchAll(/`([^`]+)`/g);
  return [...values].every(([, value]) => causes.some(({ field }) => field === value));
}

/** The nodes of a pool that certainly go while the pool stays, by zone, where the zones have shares; those of zones that go apart. */
export function goingOf({ change, before, after, zones, removedZones = [] }: Pool): Going[] {
  if (change === "added" || change === "removed") return [];
  const all = zones ?? [{ name: "", before, after }];
  return all
    .filter(({ name }) => !removedZones.includes(name))
    .flatMap((bounds) => nodesOf("resized", bounds).map((nodes) => ({ zone: bounds.name, ...nodes })))
    .filter(({ state, certain }) => state === "gone" && certain > 0)
    .map(({ zone, certain, most }) => ({ zone, certain, most }));
}

/** Whether pods have to leave nodes. A pool that may have no node has none to leave; of one that may roll, only the cluster knows. */
export function disrupts(pool: Pool, isOpen = false): boolean {
  const { change, before = NONE, removedZones = [] } = pool;
  if (before.maximum === 0) return false;
  if (change === "removed" || removedZones.length > 0 || goingOf(pool).length > 0) return true;
  return change === "rolled" && !isOpen;
}
