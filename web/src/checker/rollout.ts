/** From two Shoots to what an edit does to nodes. */

import type { LoadError } from "../errors.js";
import type { Judged } from "../check/judge.js";
import type { Addresses } from "../policy.js";
import type { ReviewedRollout } from "./interface.js";
import { baselineOf, defaulted, type Planned } from "./plan.js";
import type { KnownPolicy } from "./policies.js";
import { hibernationOf, withZones } from "./zones.js";

/** The code of the answer of a policy that has no such function. */
export const UNKNOWN_FUNCTION = "UnknownFunction";

/** Says what an edit does to the nodes of a Shoot that was judged; nothing where there is no edit, or the Shoot is rejected. */
export function rolloutOf(
  policies: KnownPolicy[],
  loaded: Addresses | LoadError,
  { object, ruling, stored, upgrade }: Judged,
  planned: Planned,
): ReviewedRollout | undefined {
  const { context, old, applied } = planned;
  const earlier = upgrade ? stored : old ?? applied;
  const baseline = upgrade ? "itself" : baselineOf(planned);
  if (earlier === undefined || baseline === "empty" || ruling.verdict === undefined || ruling.verdict === "reject") return undefined;
  const none: ReviewedRollout = { baseline, undecided: [] };
  if (loaded instanceof Error) return { ...none, error: { code: "PolicyUnavailable", message: loaded.message } };
  // What only a new object gets by default is not what the edit takes away: both have the defaults of an update.
  const before = upgrade ? earlier : defaulted(policies, earlier, context, earlier);
  const answer = loaded.rollout(`{"object":${object},"oldObject":${before}}`);
  if ("error" in answer) return answer.error.code === UNKNOWN_FUNCTION ? undefined : { ...none, error: answer.error };
  const { pools, undecided } = answer;
  const [was, is]: unknown[] = [JSON.parse(before), JSON.parse(object)];
  const hibernation = hibernationOf(was, is);
  if (hibernation === "sleeps") return { baseline, pools, hibernation, undecided };
  return { baseline, pools: withZones(pools, was, is), ...(hibernation && { hibernation }), undecided };
}
