/** The versions of Kubernetes to which Shoots may go. */

import type { Checker, CheckInput } from "trellis-policy/checker";
import { KUBERNETES } from "./releases.js";

/** Those of which the CloudProfile of the texts lists no version; none where the texts have no profile, or several. */
export async function unlistedIn(checker: Checker, { text, context }: CheckInput): Promise<string[]> {
  const object = { kind: "Shoot", metadata: {}, spec: { cloudProfile: {} } };
  const choices = await checker.choices({ text, context }, { path: ["spec", "kubernetes", "version"], object, beside: {}, pool: { zones: [] } });
  if (choices.length === 0) return [];
  return KUBERNETES.filter((minor) => !choices.some(({ value }) => value.startsWith(`${minor}.`)));
}
