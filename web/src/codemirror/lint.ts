/** The linters, and when they run. */

import { type Diagnostic, linter } from "@codemirror/lint";
import { type Extension, StateEffect } from "@codemirror/state";
import { type EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from "@codemirror/view";
import { check } from "./check.js";
import { ofJudgement, ofProblem } from "./diagnostics.js";
import { documentsOf } from "./documents.js";
import { expected } from "./expected.js";
import type { LintOptions } from "./options.js";
import { theme } from "./theme.js";

const recheckEffect = StateEffect.define<null>();

/** Checks the text again, after something else has changed that goes into the request. */
export function recheck(view: EditorView): void {
  view.dispatch({ effects: recheckEffect.of(null) });
}

/** What is wrong with the YAML itself: one linter, however many policies an editor has. */
const yamlLinter = linter(({ state }) => documentsOf(state.doc).flatMap(({ problems }) => problems.map(ofProblem)));

/**
 * Underlines what a policy finds in the editor's text, with what to do, and a quick fix where one mend is certain. What
 * is wrong with the YAML itself is underlined, too.
 */
export function policyLinter(options: LintOptions): Extension {
  const { delay = 300 } = options;
  expected(options.policy);
  const checks = ViewPlugin.define(() => new Checks());
  const lint = (view: EditorView): Promise<Diagnostic[]> | Diagnostic[] =>
    view.plugin(checks)?.next((signal) => judged(view, options, signal)) ?? [];
  const needsRefresh = ({ transactions, startState, state }: ViewUpdate): boolean =>
    startState.readOnly !== state.readOnly ||
    transactions.some(({ effects }) => effects.some((effect) => effect.is(recheckEffect)));
  return [checks, yamlLinter, linter(lint, { delay, needsRefresh }), theme];
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

/** The checks of one linter in one view. Each ends when the next one starts, the text changes, or the linter goes. */
class Checks implements PluginValue {
  private current = new AbortController();
  private last: Promise<Diagnostic[]> = Promise.resolve([]);

  update({ docChanged }: ViewUpdate): void {
    if (docChanged) this.current.abort();
  }

  destroy(): void {
    this.current.abort();
  }

  /**
   * What a check finds; nothing as soon as it is ended. The one before is then settled and shown already, so that it
   * cannot take the place of what this one finds.
   */
  next(run: (signal: AbortSignal) => Promise<Diagnostic[]>): Promise<Diagnostic[]> {
    this.current.abort();
    this.current = new AbortController();
    const { signal } = this.current;
    const before = this.last.catch(() => []);
    this.last = before.then(() => unlessAborted(signal, run));
    return this.last;
  }
}

function unlessAborted(
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<Diagnostic[]>,
): Promise<Diagnostic[]> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return resolve([]);
    signal.addEventListener("abort", () => resolve([]), { once: true });
    run(signal).then(resolve, reject);
  });
}
