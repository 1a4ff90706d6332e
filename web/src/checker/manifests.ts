/** From a Shoot to what its control plane and its machines consist of. */

import type { ErrorAnswer, Finding, RenderAnswer, WorkersAnswer } from "../documents.js";
import type { LoadError } from "../errors.js";
import type { Judged } from "../check/judge.js";
import { machinesDiff, machinesOf, manifestsDiff, manifestsOf } from "../manifests/index.js";
import type { RenderingPolicy } from "../policy.js";
import type { ReviewedFinding, ReviewedManifests } from "./interface.js";
import { baselineOf, clusterOf, defaulted, type Planned } from "./plan.js";
import type { KnownPolicy } from "./policies.js";
import { UNKNOWN_FUNCTION } from "./rollout.js";

/** Renders a Shoot that was judged, prepared as for a plan. `place` finds a finding in the text. */
export function manifestsFor(
  policies: KnownPolicy[],
  rendering: RenderingPolicy | LoadError,
  { object, ruling }: Judged,
  planned: Planned,
  place: (finding: Finding) => ReviewedFinding,
): ReviewedManifests {
  const { context, old, applied } = planned;
  const baseline = baselineOf(planned);
  const none: ReviewedManifests = { baseline, findings: [], undecided: [] };
  if (rendering instanceof Error) {
    return { ...none, error: { code: "PolicyUnavailable", message: rendering.message } };
  }
  if (ruling.verdict === undefined || ruling.verdict === "reject") return none;
  const after = made(rendering, clusterOf(object, context));
  if ("error" in after.rendered) return { ...none, error: after.rendered.error };
  const { findings, undecided, managedResources } = after.rendered;
  const machines = machinesIn(after);
  const found = {
    baseline,
    findings: distinct([...findings, ...machines.findings]).map(place),
    undecided: [...undecided, ...machines.undecided],
    ...("error" in machines && { machinesError: machines.error }),
  };
  if (!managedResources) return found;
  const resources = [...manifestsOf(after.rendered), ...machinesOf(machines)];
  const earlier = old ?? applied;
  if (earlier === undefined) return { ...found, resources };
  // What only a new object gets by default is not what the edit takes away: the later one is an update.
  const before = made(rendering, clusterOf(defaulted(policies, earlier, context, earlier), context));
  if ("error" in before.rendered || !before.rendered.managedResources) return { ...found, resources };
  // Nobody is to take machines for new that could not be made before.
  const areComparable = [before, after].every((one) => isMade(machinesIn(one)));
  const machineChanges = areComparable ? machinesDiff(machinesIn(before), machines) : [];
  return { ...found, resources, changes: [...manifestsDiff(before.rendered, after.rendered), ...machineChanges] };
}

/** What a policy makes of a cluster. */
interface Made {
  rendered: RenderAnswer | ErrorAnswer;
  workers: WorkersAnswer | ErrorAnswer;
}

function made(rendering: RenderingPolicy, cluster: string): Made {
  return {
    rendered: rendering.render(`{"what":"controlPlane","cluster":${cluster}}`),
    workers: rendering.workers(`{"cluster":${cluster}}`),
  };
}

/** The machines, as far as they could be made; those of a policy that makes none are none. */
function machinesIn({ workers }: Made): WorkersAnswer | (WorkersAnswer & ErrorAnswer) {
  if (!("error" in workers)) return workers;
  const none = { findings: [], undecided: [] };
  return workers.error.code === UNKNOWN_FUNCTION ? none : { ...none, error: workers.error };
}

function isMade(machines: ReturnType<typeof machinesIn>): boolean {
  return !("error" in machines) && machines.findings.every(({ severity }) => severity !== "error");
}

/** Findings without those that are there already: both functions may find the same. */
function distinct(findings: Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
