/** The versions of Kubernetes to which Shoots may go. */

import type { Checker, CheckInput } from "trellis-policy/checker";
import { strings } from "../strings.js";
import { KUBERNETES } from "./releases.js";

/** What the CloudProfile of the texts says against versions: it lists none of them, or only expired ones. Nothing where the texts have no profile, or several. */
export async function marksIn(checker: Checker, { text, context }: CheckInput): Promise<Map<string, string>> {
  const object = { kind: "Shoot", metadata: {}, spec: { cloudProfile: {} } };
  const choices = await checker.choices({ text, context }, { path: ["spec", "kubernetes", "version"], object, beside: {}, pool: { zones: [] } });
  const marks = choices.length === 0 ? [] : KUBERNETES.flatMap((minor): [string, string][] => {
    const patches = choices.filter(({ value }) => value.startsWith(`${minor}.`));
    if (patches.length === 0) return [[minor, strings.notListed]];
    return patches.every(({ isExpired }) => isExpired) ? [[minor, strings.allExpired]] : [];
  });
  return new Map(marks);
}
