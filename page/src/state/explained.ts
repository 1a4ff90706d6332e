/** What a rule says, why it is there and how to fix what it finds. */

import { type Ref, shallowRef } from "vue";
import type { ExplainedRule } from "trellis-policy";
import type { Checker, ReviewedDocument } from "trellis-policy/checker";
import { strings } from "../strings.js";

/** A rule of the policies that judged some documents, with its words, or why it is not known. */
async function explained(checker: Checker, documents: ReviewedDocument[], id: string): Promise<{ rule: ExplainedRule } | { error: string }> {
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

/** The rule that a person asks about. */
export function useRule(checker: Checker, documents: Ref<ReviewedDocument[]>, open: () => void) {
  /** The rule, or why it is not known; neither while the words of the rules are being read. */
  const rule = shallowRef<{ id: string; rule?: ExplainedRule; error?: string }>({ id: "" });

  async function showRule(id: string): Promise<void> {
    const shown = (rule.value = { id });
    open();
    const found = await explained(checker, documents.value, id);
    if (rule.value === shown) rule.value = { id, ...found };
  }

  return { rule, showRule };
}
