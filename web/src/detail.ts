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

/** Which releases of Gardener have a finding, in a sentence. */
export function sinceWords(release: string): string {
  return `Gardener ${release} and newer say so.`;
}

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
export function detailOf(finding: Pick<Finding, "atKey" | "badValue" | "detail" | "summary" | "supported" | "type">): string {
  const { atKey, badValue, supported = [], type } = finding;
  // The phrase, or the detail, of which a long list is no part.
  const detail = finding.summary ?? (supported.length > 0 ? `none of the ${supported.length} supported values` : finding.detail);
  const kind = KINDS[type] ?? type;
  const value = ABOUT_VALUES.includes(type) && !atKey ? unnamed(badValue, detail) : undefined;
  if (value === undefined) return detail === "" ? kind : shortened(detail, MAX_DETAIL);
  return [`${kind}: ${value}`, shortened(detail, MAX_DETAIL)].filter((part) => part !== "").join(": ");
}

/** The place of a finding as people read it: in the words of the existing extension where that names it; empty for the whole object. */
export function placeOf({ field, pointer }: Pick<Finding, "field" | "pointer">): string {
  const last = pointer.split("/").at(-1) ?? "";
  const isNamed = /^\d*$/.test(last) || field.split(/[.[\]]/).includes(last);
  return field !== "" && isNamed ? field : pathOf(pointer);
}

/** A pointer as people read it: `spec.provider.workers[0]`. */
export function pathOf(pointer: string): string {
  const parts = pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return parts.map((part, at) => (/^\d+$/.test(part) ? `[${part}]` : at > 0 ? `.${part}` : part)).join("");
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
