/** A linter that asks a policy. */

import { type Diagnostic, linter } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { check } from "./check.js";
import { checking } from "./checks.js";
import { ofJudgement, ofProblem } from "./diagnostics.js";
import { documentsOf } from "./documents.js";
import { expected } from "./expected.js";
import { refuseUnknown } from "./known-options.js";
import { LINT_OPTIONS, type LintOptions } from "./options.js";
import { theme } from "./theme.js";

/** What is wrong with the YAML itself: one linter, however many policies an editor has. */
const yamlLinter = linter(({ state }) => documentsOf(state.doc).flatMap(({ problems }) => problems.map(ofProblem)));

/**
 * Underlines what a policy finds in the editor's text, with what to do, and a quick fix where one fix is certain. What
 * is wrong with the YAML itself is underlined, too.
 */
export function policyLinter(options: LintOptions): Extension {
  refuseUnknown("policyLinter", options, LINT_OPTIONS);
  return linting(options);
}

/** The same, for who has looked at the options. */
export function linting(options: LintOptions): Extension {
  const { delay = 300 } = options;
  expected(options.policy);
  return [yamlLinter, checking((view, signal) => judged(view, options, signal), delay), theme];
}

/** The diagnostics of the text as it is now. */
async function judged(view: EditorView, options: LintOptions, signal: AbortSignal): Promise<Diagnostic[]> {
  const { state } = view;
  const documents = documentsOf(state.doc, options.fragment);
  const judgements = await check(documents, options, signal);
  if (signal.aborted) return [];
  options.onCheck?.(judgements, view);
  return judgements.flatMap((judgement) => ofJudgement(judgement, { state, documents, options }));
}
