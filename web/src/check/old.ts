/** The object before an update, as policies are asked about it. */

import type { DefaultAnswer, ErrorAnswer, Undecided, ValidateAnswer } from "../documents.js";
import { patchJson } from "../yaml/patch.js";
import { hasUid, isObject, member } from "./objects.js";

/** A policy that sets defaults. */
export interface Defaulting {
  isGardener: boolean;
  /** The answer of `default` about an object, on an update of another one; on creation where that is `null`. */
  default: (object: string, old: string | null) => Promise<DefaultAnswer | ErrorAnswer>;
}

/** The object before, as JSON text. */
export interface Old {
  /** As the API server has it. */
  stored: string | undefined;
  /** Whether it is a manifest, which no API server stored. */
  isManifest: boolean;
}

/**
 * The object before as the API server has it. One that was read from there gets Gardener's own defaults, which are set on every stored
 * object too. Another one is a manifest, such as one of a repository: it gets all defaults, as on creation.
 */
export async function oldOf(old: string | undefined, policies: Defaulting[]): Promise<Old> {
  if (old === undefined) return { stored: old, isManifest: false };
  const object: unknown = JSON.parse(old);
  const version = member(member(object, "metadata"), "resourceVersion");
  const isManifest = !hasUid(object) && (version === undefined || version === null || version === "");
  let stored = old;
  for (const policy of policies) {
    if (isManifest || policy.isGardener) stored = completed(stored, await policy.default(stored, isManifest ? null : stored));
  }
  return { stored, isManifest };
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

const WHY =
  "depends on a value that the old manifest leaves to Gardener, and nobody knows here what Gardener chose; give the object as it is stored as the old one";

/**
 * Makes undecided what is an error next to the old object with its defaults, and none next to the settled one. A warning of that sort says
 * what nobody knows, and is left out.
 */
export function open(answer: ValidateAnswer, settled: ValidateAnswer): ValidateAnswer {
  const isCertain = ({ rule, pointer }: { rule: string; pointer: string }): boolean =>
    settled.findings.some((other) => other.rule === rule && other.pointer === pointer);
  const findings = answer.findings.filter(isCertain);
  const opened = answer.findings.filter((finding) => finding.severity === "error" && !isCertain(finding)).map(
    ({ rule, field, detail }): Undecided => ({ rule, why: `\`${field}\` (${detail}): ${WHY}` }),
  );
  const isWrong = findings.some(({ severity }) => severity === "error");
  const verdict = answer.verdict === "reject" && !isWrong ? "undecided" : answer.verdict;
  return { ...answer, verdict, findings, undecided: [...answer.undecided, ...opened] };
}
