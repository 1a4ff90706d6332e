/** What a rule says, why it is there and how to fix what it finds. */

import type { ExplainedRule } from "trellis-policy";
import type { Checker, ReviewedDocument } from "trellis-policy/checker";
import { strings } from "../strings.js";

/** A rule of the policies that judged some documents, with its words, or why it is not known. */
export async function explained(checker: Checker, documents: ReviewedDocument[], id: string): Promise<{ rule: ExplainedRule } | { error: string }> {
  const isOfGardener = documents.some(({ ruling }) => ruling && [...ruling.findings, ...ruling.undecided, ...ruling.changes].some(({ rule, source }) => rule === id && source === "gardener"));
  const providers = new Set(isOfGardener ? ["gardener"] : documents.flatMap(({ provider }) => provider ?? []));
  const asked = await Promise.allSettled([...providers].map((provider) => checker.rules(provider)));
  const rules = asked.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
  const rule = rules.find((candidate) => candidate.id === id);
  if (rule) return { rule };
  const failed = asked.find((answer) => answer.status === "rejected");
  if (!failed) return { error: strings.ruleUnknown };
  return { error: strings.ruleUnreadable(failed.reason instanceof Error ? failed.reason.message : String(failed.reason)) };
}
