/** Findings and where they stand in a text. */

import type { DefaultChange, Finding } from "../documents.js";
import type { Document, Range } from "../yaml/index.js";
import { isWithin } from "../yaml/tree.js";

/** A finding, which has no rule where it says that defaults are refused. */
export interface PlacedFinding extends Omit<Finding, "rule"> {
  rule?: string;
  /** Whose rule says it: `gardener`, or the provider. */
  source?: string;
  /** What to underline; absent where the finding is elsewhere than in the text. */
  range?: Range;
  /** The default that set what is wrong, where the person did not. */
  setBy?: DefaultChange;
}

/** Whether two findings are of one rule at one place; a policy's own have no source yet. */
export function isSame(one: PlacedFinding, other: PlacedFinding): boolean {
  return one.source === other.source && one.rule === other.rule && one.pointer === other.pointer;
}

/** Places a finding in the document that has its object. */
export function place(
  finding: PlacedFinding,
  changes: DefaultChange[],
  document: Document,
  isSecret: boolean,
): PlacedFinding {
  const { pointer, fix, atKey } = finding;
  const found = document.locate(pointer);
  // Of what is to go, the name says more than the value.
  const goes = fix?.length === 1 && fix[0]?.op === "remove" && fix[0].path === pointer;
  const range = found?.exact && (goes || atKey) ? (found.key ?? found) : found;
  const isSet = (change: DefaultChange): boolean => isWithin(pointer, change.pointer);
  const setBy = changes.filter(isSet).at(-1);
  const { badValue: _, fix: __, choices: ___, supported: ____, ...bare } = finding;
  const hidden = { ...bare, ...(fix && !fix.some((change) => "value" in change) && { fix }) };
  return {
    // Policies keep values of Secrets to themselves; this is for one that forgets to.
    ...(isSecret ? hidden : finding),
    ...(range && { range: { from: range.from, to: range.to } }),
    ...(setBy && { setBy }),
  };
}
