/** The object before an update, as policies are asked about it. */

import type { DefaultAnswer, ErrorAnswer, Undecided, ValidateAnswer } from "../documents.js";
import { patchJson } from "../yaml/patch.js";
import { hasUid, member } from "./objects.js";

/** The answer of `default` about an object, on an update of another one; on creation where that is `null`. */
export type Defaults = (object: string, old: string | null) => Promise<DefaultAnswer | ErrorAnswer>;

/** The object before, as JSON text. */
export interface Old {
  /** As the API server has it. */
  stored: string | undefined;
  /** Whether it is a manifest, which no API server stored. */
  isManifest: boolean;
}

/**
 * The object before as the API server has it: with Gardener's own defaults, which every stored object gets; a manifest, such as one
 * of a repository, gets those of creation.
 */
export async function oldOf(old: string | undefined, defaults: Defaults | undefined): Promise<Old> {
  if (old === undefined || !defaults) return { stored: old, isManifest: false };
  const object: unknown = JSON.parse(old);
  const version = member(member(object, "metadata"), "resourceVersion");
  const isManifest = !hasUid(object) && (version === undefined || version === null || version === "");
  const answer = await defaults(old, isManifest ? null : old);
  return { stored: completed(old, answer), isManifest };
}

/** An object with its defaults, as far as they can be set. */
export function completed(object: string, answer: DefaultAnswer | ErrorAnswer): string {
  return "error" in answer ? object : (patchJson(object, answer.patch) ?? object);
}

/** The old object with the values of the new one wherever defaults chose others than it has; nothing where there are none. */
export function asInNew(written: string, stored: string, object: string): string | undefined {
  const [before, whole, after] = [written, stored, object].map((json): unknown => JSON.parse(json));
  const settled = JSON.stringify(settle(before, whole, after));
  return settled === JSON.stringify(whole) ? undefined : settled;
}

function settle(written: unknown, whole: unknown, after: unknown): unknown {
  if (JSON.stringify(written) === JSON.stringify(whole)) return whole;
  if (Array.isArray(written) && Array.isArray(whole) && written.length === whole.length) {
    return whole.map((entry, index) => settle(written[index], entry, partner(entry, after)));
  }
  if (isObject(written) && isObject(whole)) {
    const isWanted = ([key]: [string, unknown]): boolean => member(written, key) !== undefined || member(after, key) !== undefined;
    return Object.fromEntries(
      Object.entries(whole).filter(isWanted).map(([key, value]) => [key, settle(member(written, key), value, member(after, key))]),
    );
  }
  return after ?? whole;
}

/** The entry of a list that has the name of another entry. */
function partner(entry: unknown, list: unknown): unknown {
  const name = member(entry, "name");
  return name === undefined || !Array.isArray(list) ? undefined : list.find((other) => member(other, "name") === name);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const WHY =
  "depends on a value that the old manifest leaves to Gardener, and nobody knows here what Gardener chose; give the object as it is stored as the old one";

/** Makes undecided what is an error beside the old object with its defaults, and none beside the settled one. */
export function open(answer: ValidateAnswer, settled: ValidateAnswer): ValidateAnswer {
  const isCertain = ({ rule, pointer }: { rule: string; pointer: string }): boolean =>
    settled.findings.some((other) => other.rule === rule && other.pointer === pointer);
  const stays = (finding: ValidateAnswer["findings"][number]): boolean => finding.severity !== "error" || isCertain(finding);
  const findings = answer.findings.filter(stays);
  const opened = answer.findings.filter((finding) => !stays(finding)).map(
    ({ rule, field, detail }): Undecided => ({ rule, why: `\`${field}\` (${detail}): ${WHY}` }),
  );
  const isWrong = findings.some(({ severity }) => severity === "error");
  const verdict = answer.verdict === "reject" && !isWrong ? "undecided" : answer.verdict;
  return { ...answer, verdict, findings, undecided: [...answer.undecided, ...opened] };
}
