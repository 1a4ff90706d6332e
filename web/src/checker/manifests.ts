/** From a Shoot to what its control plane consists of. */

import type { Finding } from "../documents.js";
import type { LoadError } from "../errors.js";
import type { Judged } from "../check/judge.js";
import { manifestsDiff, manifestsOf } from "../manifests/index.js";
import type { RenderingPolicy } from "../policy.js";
import type { ReviewedFinding, ReviewedManifests } from "./interface.js";
import { clusterOf, defaulted, type Planned } from "./plan.js";
import type { KnownPolicy } from "./policies.js";

/** Renders a Shoot that was judged, prepared as for a plan. `place` finds a finding in the text. */
export function manifestsFor(
  policies: KnownPolicy[],
  rendering: RenderingPolicy | LoadError,
  { object, ruling }: Judged,
  { context, old, applied }: Planned,
  place: (finding: Finding) => ReviewedFinding,
): ReviewedManifests {
  const baseline = old !== undefined ? "old" : applied !== undefined ? "applied" : "empty";
  const none: ReviewedManifests = { baseline, findings: [], undecided: [] };
  if (rendering instanceof Error) {
    return { ...none, error: { code: "PolicyUnavailable", message: rendering.message } };
  }
  if (ruling.verdict === undefined || ruling.verdict === "reject") return none;
  const render = (shoot: string) => rendering.render(`{"what":"controlPlane","cluster":${clusterOf(shoot, context)}}`);
  const after = render(object);
  if ("error" in after) return { ...none, error: after.error };
  const found = { baseline, findings: after.findings.map(place), undecided: after.undecided } as const;
  if (!after.managedResources) return found;
  const earlier = old ?? applied;
  // What only a new object gets by default is not what the edit takes away: the later one is an update.
  const before = earlier === undefined ? undefined : render(defaulted(policies, earlier, context, earlier));
  const isComparable = before !== undefined && !("error" in before) && before.managedResources !== undefined;
  return { ...found, resources: manifestsOf(after), ...(isComparable && { changes: manifestsDiff(before, after) }) };
}
