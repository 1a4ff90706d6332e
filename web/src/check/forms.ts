/** What a form shows of the findings: a message at each field, and the rest. */

import { isWithin } from "../yaml/tree.js";
import type { PlacedFinding } from "./finding.js";
import { unfolded } from "./fold.js";

/** The fields of a form: for each one the pointer of its value, in the shape of the form's own state. */
export interface FormFields {
  [field: string]: string | FormFields;
}

/** Messages in the shape of the fields. A field without a message has an empty list. */
export type FormMessages<F extends FormFields> = {
  [K in keyof F]: F[K] extends FormFields ? FormMessages<F[K]> : string[];
};

/** A finding, and where a form may show it besides. */
type Shown = PlacedFinding & { fields?: string[] };

function isAt({ pointer, fields = [] }: Shown, place: string): boolean {
  return [pointer, ...fields].some((field) => isWithin(field, place));
}

/** Of the findings at or below a place, the one to show first: an error before a warning. What follows from another one is shown there. */
export function firstAt<F extends Shown>(findings: readonly F[], pointer: string): F | undefined {
  const here = unfolded(findings).filter((finding) => isAt(finding, pointer));
  return here.find(({ severity }) => severity === "error") ?? here[0];
}

/** The findings at or below none of the places, without what follows from another one. */
export function restOf<F extends Shown>(findings: readonly F[], pointers: readonly string[]): F[] {
  return unfolded(findings).filter((finding) => !pointers.some((pointer) => isAt(finding, pointer)));
}

/** The message of the first finding at each field, in the words that the caller chooses. */
export function messagesOf<F extends FormFields, A extends Shown>(
  findings: readonly A[],
  fields: F,
  words: (finding: A) => string,
): FormMessages<F> {
  const of = (entry: string | FormFields): unknown => {
    if (typeof entry !== "string") return Object.fromEntries(Object.entries(entry).map(([name, inner]) => [name, of(inner)]));
    const first = firstAt(findings, entry);
    return first ? [words(first)] : [];
  };
  return of(fields) as FormMessages<F>;
}
