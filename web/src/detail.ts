/** What is wrong, in words. */

import type { Finding, FindingType } from "./documents.js";

/** Longest value in a sentence, in characters. */
const MAX_VALUE = 120;
/** Longest detail, in characters. */
const MAX_DETAIL = 500;

/** The sorts of errors, in the words of Kubernetes. */
const KINDS: Partial<Record<FindingType, string>> = {
  FieldValueDuplicate: "Duplicate value",
  FieldValueForbidden: "Forbidden",
  FieldValueInvalid: "Invalid value",
  FieldValueNotFound: "Not found",
  FieldValueNotSupported: "Unsupported value",
  FieldValueRequired: "Required value",
  FieldValueTooLong: "Too long",
  FieldValueTooMany: "Too many",
  InternalError: "Internal error",
};

/** The sorts that are about a value. */
const ABOUT_VALUES: readonly FindingType[] = [
  "FieldValueDuplicate",
  "FieldValueInvalid",
  "FieldValueNotFound",
  "FieldValueNotSupported",
];

/**
 * The detail of a finding for people: never empty, with the value in front where the detail does not name the value, and
 * without most of a very long text. The command line says the same behind the field.
 */
export function detailOf({ badValue, detail, type }: Pick<Finding, "badValue" | "detail" | "type">): string {
  const kind = KINDS[type] ?? type;
  const value = ABOUT_VALUES.includes(type) ? unnamed(badValue, detail) : undefined;
  if (value === undefined) return detail === "" ? kind : shortened(detail, MAX_DETAIL);
  return [`${kind}: ${value}`, shortened(detail, MAX_DETAIL)].filter((part) => part !== "").join(": ");
}

/** A value that the detail does not name, as JSON; a list or an object is none. */
function unnamed(value: Finding["badValue"], detail: string): string | undefined {
  switch (typeof value) {
    case "string":
      return names(detail, value) ? undefined : JSON.stringify(shortened(value, MAX_VALUE));
    case "number":
    case "boolean":
      return detail.split(/[^\p{L}\p{N}+.-]+/u).includes(String(value)) ? undefined : String(value);
    default:
      return undefined;
  }
}

/** Whether a detail has a text that is no part of a longer word; what was cut may go on. */
function names(detail: string, value: string): boolean {
  const text = value.replace(/…$/u, "");
  if (text === "") return false;
  const pieces = detail.split(text);
  return pieces.slice(1).some((after, index) => {
    const isWhole = text !== value || !/^[\p{Alphabetic}\p{N}]/u.test(after);
    return isWhole && !/[\p{Alphabetic}\p{N}]$/u.test(pieces[index] ?? "");
  });
}

/** A text of at most so many characters; one that is cut here ends in its length, unless the policy has cut it before. */
function shortened(text: string, most: number): string {
  const characters = Array.from(text);
  if (characters.length <= most) return text;
  const start = characters.slice(0, most).join("");
  return text.endsWith("…") ? `${start}…` : `${start}… (${characters.length} characters)`;
}
