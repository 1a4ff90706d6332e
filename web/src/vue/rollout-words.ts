/** What the components say of nodes. Words between backticks are shown as code. */

import type { Hibernation } from "../checker/interface.js";
import type { NodeChange } from "../documents.js";
import type { Going, NodeState } from "./nodes.js";
import { between, count, numbers, sentence } from "./numbers.js";

const NODES: Record<NodeState, string> = {
  kept: "kept",
  updated: "updated in place",
  replaced: "replaced",
  new: "new",
  gone: "gone",
};

/** In English. */
export const rollout = {
  label: "Nodes",
  none: "The Shoot has no worker pools.",
  unchanged: "No node changes.",
  /** How many pools have nodes that roll, and so on. `resized`: pools whose number of nodes or zones change alone; `open`: those that may roll. */
  summary: (rolled: number, removed: number, updated: number, added: number, resized: number, open: number) => {
    const parts = [
      rolled > 0 && `the nodes of ${count(rolled, "pool")} roll`,
      open > 0 && `the nodes of ${count(open, "pool")} may roll`,
      removed > 0 && `${count(removed, "pool")} ${removed === 1 ? "goes" : "go"}`,
      updated > 0 && `the nodes of ${count(updated, "pool")} are updated in place`,
      added > 0 && `${count(added, "pool")} ${added === 1 ? "is" : "are"} new`,
      resized > 0 && `${count(resized, "pool")} ${resized === 1 ? "has" : "have"} other numbers of nodes or other zones`,
    ].filter((part) => part !== false);
    return `${sentence(parts.join(", "))}.`;
  },
  /** What a Shoot does that sleeps before an edit or after it; `changed`: pools of which the edit changes more. */
  hibernates: (hibernation: Hibernation, changed: number, removed: number, added: number) => {
    const first: Record<Hibernation, string> = {
      fallsAsleep: "The Shoot falls asleep: all its nodes go.",
      wakesUp: "The Shoot wakes up: it gets new nodes.",
      sleeps: "The Shoot sleeps: it has no nodes, before the edit and after it.",
    };
    const parts = [
      removed > 0 && `${count(removed, "pool")} ${removed === 1 ? "goes" : "go"}`,
      added > 0 && `${count(added, "pool")} ${added === 1 ? "is" : "are"} new`,
      changed > 0 && `what changes of ${count(changed, "pool")} holds for the nodes that the Shoot gets when it wakes up`,
    ].filter((part) => part !== false);
    return [first[hibernation], ...(parts.length > 0 ? [`${sentence(parts.join(", "))}.`] : [])].join(" ");
  },
  disrupts: "This disrupts: the pods of a node that is replaced or goes have to move to another node.",
  mayDisrupt: "This may disrupt: where the nodes of a pool roll, their pods have to move to another node.",
  stops: "This disrupts: no pod runs on nodes as long as the Shoot sleeps.",
  mayRoll: "may roll",
  otherZones: "other zones",
  /** A pool of which only the cluster knows which hash it has. `summary` holds where `isRolled` with the new one, else with the old. */
  open: (name: string, isRolled: boolean, summary: string) =>
    isRolled
      ? `If pool \`${name}\` has the new hash, ${summary}. If pool \`${name}\` has the old hash, none of its nodes is replaced.`
      : `If pool \`${name}\` has the old hash, its nodes roll. If pool \`${name}\` has the new hash, ${summary}.`,
  /** How many nodes certainly go in which zones. */
  going: (going: Going[]) => {
    const parts = going.map(({ zone, certain, most }) => {
      const nodes = `${between(certain, most)} ${most === 1 ? "node" : "nodes"}`;
      return zone === "" ? nodes : `${nodes} in zone \`${zone}\``;
    });
    const isOne = going.length === 1 && going[0]?.most === 1;
    const all = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? "");
    return `${all} ${isOne ? "goes" : "go"}`;
  },
  /** What an edit does to the nodes of a pool. */
  change: {
    unchanged: "nodes stay",
    resized: "other size",
    rolled: "nodes roll",
    updatedInPlace: "updated in place",
    added: "new",
    removed: "goes",
    fallsAsleep: "falls asleep",
    wakesUp: "wakes up",
    sleeps: "when it wakes up",
  } satisfies Record<NodeChange | Hibernation, string> as Record<NodeChange | Hibernation, string>,
  causes: (number: number) => (number === 1 ? "Cause:" : "Causes:"),
  cause: (field: string) => `Go to ${field}`,
  zone: (name: string) => `zone \`${name}\``,
  /** How many nodes become this. */
  nodes: (state: NodeState, certain: number, most: number) => {
    const number = certain === 0 && most > 0 ? `up to ${numbers.format(most)}` : between(certain, most);
    return `${number} ${NODES[state]}`;
  },
  noNodes: "no nodes",
  undecided: "Only the cluster knows",
};
