/** From a Shoot to what its control plane and its machines consist of. */

import type { ErrorAnswer, Finding, RenderAnswer, WorkersAnswer } from "../documents.js";
import type { LoadError } from "../errors.js";
import type { Judged } from "../check/judge.js";
import { type Machines, machinesDiff, machinesOf, manifestsDiff, manifestsOf } from "../manifests/index.js";
import type { RenderingPolicy } from "../policy.js";
import { detailOf } from "../detail.js";
import type { ReviewedFinding, ReviewedManifests, UncomparedMachines } from "./interface.js";
import { baselineOf, clusterOf, defaulted, type Planned } from "./plan.js";
import type { KnownPolicy } from "./policies.js";
import { UNKNOWN_FUNCTION } from "./rollout.js";

/** Renders a Shoot that was judged, prepared as for a plan. `place` finds a finding in the text. */
export function manifestsFor(
  policies: KnownPolicy[],
  rendering: RenderingPolicy | LoadError,
  { object, ruling, stored }: Judged,
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
  const resources = [...manifestsOf(after.rendered), ...machinesOf(madeOf(machines))];
  if ((old ?? applied) === undefined || stored === undefined) return { ...found, resources };
  // What only a new object gets by default is not what the edit takes away: the later one is an update.
  const before = made(rendering, clusterOf(defaulted(policies, stored, context, stored), context));
  if ("error" in before.rendered || !before.rendered.managedResources) return { ...found, resources };
  const changes = manifestsDiff(before.rendered, after.rendered);
  // Nobody is to take machines for new that could not be made before.
  const earlierMachines = machinesIn(before);
  const uncompared = forbidding("baseline", earlierMachines) ?? forbidding("text", machines);
  if (uncompared) return { ...found, resources, changes, uncompared };
  return { ...found, resources, changes: [...changes, ...machinesDiff(madeOf(earlierMachines), madeOf(machines))] };
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

/** Why machines cannot be made, where they cannot. */
function forbidding(of: UncomparedMachines["of"], machines: ReturnType<typeof machinesIn>): UncomparedMachines | undefined {
  if ("error" in machines) return { of, why: machines.error.message };
  const finding = machines.findings.find(({ severity }) => severity === "error");
  return finding && { of, ...(finding.rule !== undefined && { rule: finding.rule }), why: detailOf(finding) };
}

/** What there is of machines: none where the policy answered an error. */
function madeOf(machines: ReturnType<typeof machinesIn>): Machines {
  return "error" in machines ? {} : machines;
}

/** Findings without those that are there already, because both functions may find the same. */
function distinct(findings: Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}
