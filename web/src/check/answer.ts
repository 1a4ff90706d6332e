/** What `check` answers, and the ways to look at its findings. */

import type { Scope, Severity, Undecided, Verdict } from "../documents.js";
import { sentenceOf } from "../sentence.js";
import type { PlacedFinding } from "./finding.js";
import { type FormFields, type FormMessages, firstAt, messagesOf, restOf } from "./forms.js";
import type { Ruling, Sourced } from "./join.js";
import type { Upgrade } from "./upgrade.js";

/** A finding, and whose rule it is. It has no rule where it says that defaults are refused. */
export type CheckedFinding = Omit<PlacedFinding, "range" | "source"> & {
  /** `gardener`, or the provider. */
  source: string;
  /** Where a form may show the finding: the pointers of the fields that it is about, where `pointer` leads to the object around them. */
  fields?: string[];
};

/** What all policies say of an object together, as plain data. */
export interface Checked {
  /** `reject` where a finding is an error, else `undecided` where a rule is that may reject the object, else `accept`. */
  verdict: Verdict;
  /**
   * In the order of the object. What a provider's rule repeats of Gardener's is said once. Of a list, pointers and fields lead from
   * the list to the item, such as `/items/0/spec/region`.
   */
  findings: CheckedFinding[];
  /** The severities of which there are more findings than these; absent where there are none. */
  truncated?: Severity[];
  /** With the pointer of the item in `item`, where a list is checked. */
  undecided: (Sourced<Undecided> & { item?: string })[];
  /** Defaults that were set before any rules were asked. */
  changes: Ruling["changes"];
  /** The object with its defaults, which the rules were asked about. */
  object: object;
  /** Present where `kubernetes` asks for it and the object is a Shoot, and no list. */
  upgrade?: Upgrade;
  /** What the verdict covers. */
  scope: Scope;
}

/** What all policies say of an object together. */
export interface CheckAnswer extends Checked {
  /** The findings by their pointers. */
  byPointer(): Map<string, CheckedFinding[]>;
  /** Of the findings at or below a field of a form, the one to show: an error before a warning, and none that follows from another one. */
  at(pointer: string): CheckedFinding | undefined;
  /** The findings that no field shows: those at or below none of the pointers, without what follows from another one. */
  rest(pointers: readonly string[]): CheckedFinding[];
  /**
   * The message of an error for each field, in the shape of `fields`, which has the pointers: Vuelidate takes it as `$externalResults`. A
   * field without an error has an empty list. The words are those of `sentenceOf` unless others are given.
   */
  messages<F extends FormFields>(fields: F, words?: (finding: CheckedFinding) => string): FormMessages<F>;
}

/** An answer with the ways to look at it. */
export function answerOf(checked: Checked): CheckAnswer {
  const { findings } = checked;
  return {
    ...checked,
    byPointer: () => grouped(findings),
    at: (pointer) => firstAt(findings, pointer),
    rest: (pointers) => restOf(findings, pointers),
    messages: (fields, words = sentenceOf) => messagesOf(findings, fields, words),
  };
}

function grouped(findings: CheckedFinding[]): Map<string, CheckedFinding[]> {
  const found = new Map<string, CheckedFinding[]>();
  for (const finding of findings) found.set(finding.pointer, [...(found.get(finding.pointer) ?? []), finding]);
  return found;
}
