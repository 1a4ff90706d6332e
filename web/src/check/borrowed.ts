/** Fixes for findings that come without one, because nobody is certain of these before they are tried. */

import type { PatchOperation } from "../documents.js";
import { isSame, type PlacedFinding } from "./finding.js";

/**
 * What may fix findings that have no fix: what the same finding has of a new object, because rules keep such a fix to themselves on an
 * update, and for an error the value that another finding sets at the same place. `asNew` judges an object of an update as a new one.
 * Of an update of the object itself, warnings alone are not worth that.
 */
export async function borrowedFixes(findings: PlacedFinding[], isOfItself: boolean, asNew: (() => Promise<PlacedFinding[]>) | undefined): Promise<Map<PlacedFinding, PatchOperation[]>> {
  const borrowed = new Map<PlacedFinding, PatchOperation[]>();
  const lacking = findings.filter((finding) => finding.fix === undefined && finding.badValue !== undefined && !isGuess(finding) && !finding.causedBy && !finding.atKey);
  const isWorth = lacking.some(({ severity }) => severity === "error" || !isOfItself);
  const others = [...findings, ...((isWorth && (await asNew?.())) || [])].filter(({ fix }) => fix !== undefined);
  for (const finding of lacking) {
    const isAtPlace = ({ pointer, fix = [] }: PlacedFinding): boolean => pointer === finding.pointer && fix.length === 1 && fix.every((one) => "value" in one && one.path === pointer);
    const own = others.find((other) => isSame(other, finding));
    const found = own ?? (finding.severity === "error" ? others.find(isAtPlace) : undefined);
    if (found?.fix) borrowed.set(finding, found.fix);
  }
  return borrowed;
}

/** Whether a finding is about a value of which several other ones may be meant. */
export function isGuess({ type }: PlacedFinding): boolean {
  return type === "FieldValueNotSupported";
}
