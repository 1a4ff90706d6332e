/** What the editors of the page can do, in addition to editing. */

import { forceLinting, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { search } from "@codemirror/search";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap, ViewPlugin } from "@codemirror/view";
import { ref, watch } from "vue";
import { type CompletionOptions, fieldHover, hiddenValues, hideValues, policyCompletion, problemDiagnostic, recheck, revealValues, reviewLinter } from "trellis-policy/codemirror";
import { schemas } from "trellis-policy/schema";
import { strings } from "../strings.js";
import type { Reviewing } from "./review.js";
import type { EditorName } from "./workspace.js";

/** Milliseconds without typing before a text is checked. */
const DELAY = 150;

/** The extensions of the three editors, and what is done to all of them. */
export function useEditors({ checker, review, reviewed, check, onUntried }: Reviewing, onReplaced: (text: string) => void) {
  const views = { all: new Set<EditorView>(), manifest: new Set<EditorView>(), old: new Set<EditorView>(), context: new Set<EditorView>() };
  /** Whether values of Secrets are shown. */
  const revealed = ref(false);

  const known = (among: Set<EditorView>): Extension =>
    ViewPlugin.define((view) => {
      among.add(view);
      // A text that takes the place of another hides its values.
      if (among === views.all) revealed.value = false;
      return { destroy: () => among.delete(view) };
    });
  /** The CloudProfile of the editor Context, too, says what a Shoot can choose. */
  const fields: CompletionOptions = {
    schemas,
    choices: (text, place, options) => checker.choices({ text, context: reviewed.value.context }, place, options),
  };
  const all: Extension = [
    known(views.all),
    hiddenValues({ label: strings.hiddenValue }),
    policyCompletion(fields),
    fieldHover(fields),
    keymap.of(lintKeymap),
    // At the bottom, a note would cover it.
    search({ top: true }),
  ];
  const manifest = reviewLinter({
    review: (text, { signal }) => check(text, signal ?? new AbortController().signal),
    edits: (text, document, patch, options) => checker.edits(text, document, patch, options),
    delay: DELAY,
    onReview: ({ documents }, view) => hideValues(view, documents.flatMap(({ secrets }) => secrets)),
  });
  const extensions: Record<EditorName, Extension> = {
    manifest: [all, known(views.manifest), manifest, replacing(onReplaced)],
    before: [all, known(views.old)],
    context: [all, known(views.context)],
  };

  watch(review, (found) => {
    for (const name of ["old", "context"] as const) {
      for (const view of views[name]) {
        // The next review judges a text that has changed meanwhile.
        if (!found || view.state.doc.toString() !== reviewed.value[name]) continue;
        view.dispatch(setDiagnostics(view.state, found[name].map(problemDiagnostic)));
        hideValues(view, found[`${name}Secrets`]);
      }
    }
  });

  watch(revealed, (isRevealed) => views.all.forEach((view) => revealValues(view, isRevealed)));

  const checkAgain = (): void => views.manifest.forEach((view) => recheck(view));
  onUntried(checkAgain);

  return {
    extensions,
    revealed,
    reveal: () => void (revealed.value = !revealed.value),
    /** Checks the manifest again, after something else has changed that its findings depend on. */
    recheck: checkAgain,
    /** Checks a text that is new at once, because nobody types it. */
    checkNow: () => views.manifest.forEach(forceLinting),
  };
}

/** Reports a text that a person put in the place of the whole, by a paste or a file. */
function replacing(onReplaced: (text: string) => void): Extension {
  return EditorView.updateListener.of(({ transactions, startState, state }) => {
    const isWhole = transactions.some((transaction) => {
      let covers = false;
      transaction.changes.iterChanges((from, to) => (covers ||= from === 0 && to === startState.doc.length));
      return covers && (transaction.isUserEvent("input.paste") || transaction.isUserEvent("input.fix"));
    });
    if (isWhole) onReplaced(state.doc.toString());
  });
}
