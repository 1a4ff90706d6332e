/** A finding, or an open question, as plain text for people, such as below the field of a form. */

import { detailOf } from "./detail.js";
import type { Finding, Query } from "./documents.js";

/** What is wrong and what to do, in one line of plain text. */
export function sentenceOf(finding: Pick<Finding, "atKey" | "badValue" | "detail" | "remedy" | "summary" | "supported" | "type">): string {
  const { remedy } = finding;
  const detail = detailOf(finding);
  const end = /[.!?]$/.test(detail) ? "" : ".";
  return plain(remedy === "" ? `${detail}${end}` : `${detail}${end} ${remedy}`);
}

/** What a rule needs that nobody could decide, in some words such as `needs CloudProfile aws`; else why it is open. */
export function promptOf({ query, why }: { query?: Query; why: string }): string {
  const needed = neededBy(query);
  if (!needed) return plain(why);
  const { kind, namespace, name } = needed;
  return plain(`needs ${kind} ${namespace === "" ? name : `${namespace}/${name}`}`);
}

/** An object that a rule needs, which people may give. */
export interface Needed {
  kind: string;
  /** Empty where the kind has no namespaces. */
  namespace: string;
  name: string;
}

/** The object that a query asks for, if it asks for one of Kubernetes. */
export function neededBy(query: Query | undefined): Needed | undefined {
  if (query?.call.service !== "kubernetes" || query.call.action !== "get") return undefined;
  const { kind, namespace = "", name } = query.call.parameters as { kind?: unknown; namespace?: unknown; name?: unknown };
  if (typeof kind !== "string" || typeof name !== "string" || typeof namespace !== "string") return undefined;
  return { kind, namespace, name };
}

/** A text without marks of code, and without two blanks in a row. */
function plain(text: string): string {
  return text.replaceAll("`", "").replace(/\s+/g, " ").trim();
}
