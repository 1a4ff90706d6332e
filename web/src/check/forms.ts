/** What a form shows of the findings: a message at each field, and the rest. */

import { shown } from "../errors.js";
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

/** Throws where a value is no JSON pointer, in words that say what it is of. */
function demandPointer(what: string, value: unknown): asserts value is string {
  if (typeof value === "string" && /^(\/|$)/.test(value)) return;
  throw new TypeError(`${what} is the JSON pointer of a field, such as \`/spec/region\`, not ${shown(value)}`);
}

/**
 * Of the findings at or below a place, the one to show first: an error before a warning. What follows from another one is shown there.
 * Throws a `TypeError` for what is no pointer.
 */
export function firstAt<F extends Shown>(findings: readonly F[], pointer: string): F | undefined {
  demandPointer("what `at` is given", pointer);
  const here = unfolded(findings).filter((finding) => isAt(finding, pointer));
  return here.find(({ severity }) => severity === "error") ?? here[0];
}

/** The findings at or below none of the places, without what follows from another one. Throws a `TypeError` for what is no list of pointers. */
export function restOf<F extends Shown>(findings: readonly F[], pointers: readonly string[]): F[] {
  if (!Array.isArray(pointers)) throw new TypeError(`what \`rest\` is given is a list of JSON pointers, such as \`["/spec/region"]\`, not ${shown(pointers)}`);
  for (const pointer of pointers) demandPointer("each entry of what `rest` is given", pointer);
  return unfolded(findings).filter((finding) => !pointers.some((pointer) => isAt(finding, pointer)));
}

/**
 * The message of the first error at each field, in the words that the caller chooses. Warnings are none: a message keeps a form from being
 * sent. Throws a `TypeError` for what is no fields or no words.
 */
export function messagesOf<F extends FormFields, A extends Shown>(
  findings: readonly A[],
  fields: F,
  words: (finding: A) => string,
): FormMessages<F> {
  if (typeof fields !== "object" || fields === null) {
    throw new TypeError(`what \`messages\` is given is an object of fields, such as \`{ region: "/spec/region" }\`, not ${shown(fields)}`);
  }
  if (typeof words !== "function") throw new TypeError(`the words of \`messages\` are a function that makes a text of a finding, not ${shown(words)}`);
  const errors = findings.filter(({ severity }) => severity === "error");
  const of = (entry: string | FormFields, name: string): unknown => {
    if (typeof entry === "object" && entry !== null) return Object.fromEntries(Object.entries(entry).map(([inner, value]) => [inner, of(value, inner)]));
    demandPointer(`the field \`${name}\` of \`messages\``, entry);
    const first = firstAt(errors, entry);
    return first ? [words(first)] : [];
  };
  return of(fields, "") as FormMessages<F>;
}
