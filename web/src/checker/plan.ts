/** From a Shoot to what becomes of its infrastructure. */

import type { Finding } from "../documents.js";
import type { LoadError } from "../errors.js";
import { type Judged, requestOf } from "../check/judge.js";
import { asCloudProfile } from "../check/namespaced.js";
import type { Infrastructure } from "../policy.js";
import { patchJson } from "../yaml/patch.js";
import type { ReviewedFinding, ReviewedPlan } from "./interface.js";
import type { KnownPolicy } from "./policies.js";

/** What goes into a plan besides the object itself, as JSON text. */
export interface Planned {
  /** What the object refers to, by role. */
  context: Record<string, string>;
  /** What it was before; on an update. */
  old: string | undefined;
  /** What it was when it was applied. */
  applied: string | undefined;
}

/** What a Shoot is compared with. */
export function baselineOf({ old, applied }: Planned): "old" | "applied" | "empty" {
  return old !== undefined ? "old" : applied !== undefined ? "applied" : "empty";
}

/** Plans a Shoot that was judged. `place` finds a finding in the text. */
export function planOf(
  policies: KnownPolicy[],
  infrastructure: Infrastructure | LoadError,
  { object, ruling }: Judged,
  planned: Planned,
  place: (finding: Finding) => ReviewedFinding,
): ReviewedPlan {
  const { context, old, applied } = planned;
  const baseline = baselineOf(planned);
  const none: ReviewedPlan = { baseline, findings: [], codes: [] };
  if (infrastructure instanceof Error) {
    return { ...none, error: { code: "PolicyUnavailable", message: infrastructure.message } };
  }
  if (ruling.verdict === undefined || ruling.verdict === "reject") return none;
  const before = old ?? applied;
  const start = before === undefined ? `"empty"` : infrastructureOf(defaulted(policies, before, context), context);
  const answer = infrastructure.plan(`{"request":${infrastructureOf(object, context)},"baseline":${start}}`);
  if ("error" in answer) return { ...none, error: answer.error };
  const { plan, findings = [], codes = [] } = answer;
  return { baseline, ...(plan && { plan }), findings: findings.map(place), codes };
}

/** The request for the infrastructure of a Shoot, both as JSON text. */
function infrastructureOf(shoot: string, context: Record<string, string>): string {
  return `{"operation":"reconcile","cluster":${clusterOf(shoot, context)}}`;
}

/** The cluster of a Shoot, both as JSON text. */
export function clusterOf(shoot: string, { cloudProfile }: Record<string, string>): string {
  const profile = cloudProfile === undefined ? undefined : asCloudProfile(cloudProfile);
  return profile === undefined ? `{"shoot":${shoot}}` : `{"cloudProfile":${profile},"shoot":${shoot}}`;
}

/** An object with its defaults, as far as they can be set: those of a new one, or of an update of `old`. */
export function defaulted(policies: KnownPolicy[], json: string, context: Record<string, string>, old?: string): string {
  // Versions that the API server completes by the time are completed here too.
  const request = requestOf(context, { old, members: `"now":${JSON.stringify(new Date())}` });
  return policies.reduce((object, { policy }) => {
    const answer = policy.default(request.of(object));
    return "error" in answer ? object : (patchJson(object, answer.patch) ?? object);
  }, json);
}
