/** What a review says of what would be built: the infrastructure, nodes, and manifests. */

import type { ErrorAnswer, Plan, PoolRollout, Range as Count, Undecided } from "../documents.js";
import type { ManifestChange, ResourceManifests } from "../manifests/index.js";
import type { ReviewedFinding } from "./interface.js";

/** What becomes of an infrastructure, seen from the text alone. */
export interface ReviewedPlan {
  /** What the plan starts from: nothing, the old object, or the one that was applied last. */
  baseline: "empty" | "old" | "applied";
  /** Absent where the object is rejected, where findings forbid it, and where there is an error. */
  plan?: Plan;
  /** What forbids a plan, and what is to be known of it. */
  findings: ReviewedFinding[];
  /** Gardener error codes of the findings that forbid it, sorted. */
  codes: string[];
  /** What the policy answered instead. */
  error?: ErrorAnswer["error"];
}

/** What an edit does to nodes, seen from the text alone. */
export interface ReviewedRollout {
  /** What the Shoot is compared with: the old object, the one that was applied last, or itself before an upgrade. */
  baseline: "old" | "applied" | "itself";
  /** The worker pools, those of the text first; absent where there is an error. */
  pools?: ReviewedPool[];
  /** Present where the Shoot sleeps before the edit or after it: then it has no nodes. */
  hibernation?: Hibernation;
  /** What only the cluster knows. */
  undecided: Undecided[];
  /** What the policy answered instead, or `PolicyUnavailable` where its module cannot be loaded. */
  error?: ErrorAnswer["error"];
}

/** What a Shoot does: it has nodes before the edit alone, after it alone, or neither before nor after. */
export type Hibernation = "fallsAsleep" | "wakesUp" | "sleeps";

/** What an edit does to the nodes of a worker pool. */
export interface ReviewedPool extends PoolRollout {
  /** The zones after the edit and before it; absent where nobody knows how many nodes each has, and of a Shoot that sleeps all the time. */
  zones?: ZoneNodes[];
}

/** How many nodes a pool has in a zone. */
export interface ZoneNodes {
  name: string;
  /** Absent where the pool gets the zone. */
  before?: Count;
  /** Absent where the pool leaves the zone. */
  after?: Count;
}

/** A preview of a control plane and of machines, from the text alone. No value of a Secret is in it. */
export interface ReviewedManifests {
  /** What the changes start from: the old object, or the one that was applied last; `empty` where there is neither. */
  baseline: "empty" | "old" | "applied";
  /** The objects; absent where the object is rejected, where findings forbid it, and where there is an error. */
  resources?: ResourceManifests[];
  /** What differs from the baseline; absent where there is none, and where it cannot be rendered. */
  changes?: ManifestChange[];
  /** Why `changes` are without the machines: those of the baseline, or those of the text, cannot be made. */
  uncompared?: UncomparedMachines;
  /** What forbids to render or to make machines, and warnings. */
  findings: ReviewedFinding[];
  /** Why the policy made no machines. */
  machinesError?: ErrorAnswer["error"];
  /** What is not known: what each placeholder stands for. */
  undecided: Undecided[];
  /** What the policy answered instead, or `PolicyUnavailable` where its module cannot be loaded. */
  error?: ErrorAnswer["error"];
}

/** Machines that cannot be made, so that nobody can say what an edit changes in them. */
export interface UncomparedMachines {
  /** Whose machines they are. */
  of: "baseline" | "text";
  /** The rule that forbids them; absent where the policy failed. */
  rule?: string;
  /** Why, in words. */
  why: string;
}
