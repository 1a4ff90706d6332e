/** When texts are checked, and which checks count. */

import { type Diagnostic, forceLinting, linter } from "@codemirror/lint";
import { type Extension, StateEffect } from "@codemirror/state";
import { type EditorView, type PluginValue, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const recheckEffect = StateEffect.define<null>();

/** Checks the text again, after something else has changed that goes into the check. */
export function recheck(view: EditorView): void {
  view.dispatch({ effects: recheckEffect.of(null) });
}

/** The same without a delay, because nobody types: what there is to wait for is there. */
export function recheckAtOnce(view: EditorView): void {
  recheck(view);
  forceLinting(view);
}

/** A linter whose checks end when they are out of date; the signal ends each. */
export function checking(
  run: (view: EditorView, signal: AbortSignal) => Promise<Diagnostic[]>,
  delay: number,
): Extension {
  const checks = ViewPlugin.define((view) => new Checks(view));
  const lint = (view: EditorView): Promise<Diagnostic[]> | Diagnostic[] =>
    view.plugin(checks)?.next((signal) => run(view, signal)) ?? [];
  const needsRefresh = ({ transactions, startState, state }: ViewUpdate): boolean =>
    startState.readOnly !== state.readOnly ||
    transactions.some(({ effects }) => effects.some((effect) => effect.is(recheckEffect)));
  return [checks, linter(lint, { delay, needsRefresh })];
}

/** The checks of one linter in one view. Each ends when the next one starts, the text changes, or the linter goes. */
class Checks implements PluginValue {
  private current = new AbortController();
  private last: Promise<Diagnostic[]> = Promise.resolve([]);

  /** The first check does not wait as those after a change do, but until all plugins of the view are there. */
  constructor(view: EditorView) {
    queueMicrotask(() => this.current.signal.aborted || forceLinting(view));
  }

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
