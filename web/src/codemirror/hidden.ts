/** Values that are not to be seen over a person's shoulder. */

import { type EditorState, type Extension, Facet, StateEffect, StateField, type Transaction } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView, WidgetType } from "@codemirror/view";
import { guessSecrets } from "../check/secrets.js";
import type { Range } from "../yaml/index.js";
import { refuseUnknown } from "./known-options.js";

export interface HiddenOptions {
  /** Whether the values are shown at first; false by default. */
  revealed?: boolean | undefined;
  /** What stands for a value to those who hear it; `hidden value` by default. */
  label?: string | undefined;
}

const BULLETS = "••••••";

/** From here on what is put in is not typed, and may be a Secret. */
const PASTED = 100;

/** Texts beyond this are not looked through on the page's thread. */
const LARGEST = 3 << 20;

const label = Facet.define<string, string>({ combine: ([first = "hidden value"]) => first });
const revealedAtFirst = Facet.define<boolean, boolean>({ combine: (given) => given.includes(true) });
const hide = StateEffect.define<readonly Range[]>();
const reveal = StateEffect.define<boolean>();

interface Hidden {
  values: DecorationSet;
  isRevealed: boolean;
}

const hidden = StateField.define<Hidden>({
  create: (state) => ({ values: guessed(state), isRevealed: state.facet(revealedAtFirst) }),
  update(before, transaction) {
    let { values, isRevealed } = before;
    if (transaction.docChanged) values = isPaste(transaction) ? guessed(transaction.state) : values.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(hide)) values = decorated(transaction.state, effect.value);
      if (effect.is(reveal)) isRevealed = effect.value;
    }
    return values === before.values && isRevealed === before.isRevealed ? before : { values, isRevealed };
  },
  provide: (field) => {
    const shown = ({ values, isRevealed }: Hidden): DecorationSet => (isRevealed ? Decoration.none : values);
    return [
      EditorView.decorations.from(field, shown),
      EditorView.atomicRanges.of((view) => shown(view.state.field(field))),
    ];
  },
});

/**
 * Shows bullets in the place of values: those that `hideValues` gets, and until then those that the lines of a text show
 * to be a Secret's. A value can be selected, removed and written again; what is written is seen until `hideValues` gets
 * it.
 */
export function hiddenValues(options: HiddenOptions = {}): Extension {
  refuseUnknown("hiddenValues", options, { revealed: true, label: true });
  const { revealed = false, label: text } = options;
  return [revealedAtFirst.of(revealed), text === undefined ? [] : label.of(text), hidden, selecting, theme];
}

/** Says which values there are, such as the `secrets` of a review's documents. */
export function hideValues(view: EditorView, ranges: readonly Range[]): void {
  view.dispatch({ effects: hide.of(ranges) });
}

/** Shows the values, or hides them again. */
export function revealValues(view: EditorView, isRevealed: boolean): void {
  view.dispatch({ effects: reveal.of(isRevealed) });
}

class Bullets extends WidgetType {
  constructor(private readonly label: string) {
    super();
  }

  override eq(other: Bullets): boolean {
    return this.label === other.label;
  }

  toDOM(): HTMLElement {
    const made = document.createElement("span");
    made.className = "cm-trellis-hidden";
    made.textContent = BULLETS;
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", this.label);
    return made;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function decorated(state: EditorState, ranges: readonly Range[]): DecorationSet {
  const widget = Decoration.replace({ widget: new Bullets(state.facet(label)) });
  const inText = ranges.filter(({ from, to }) => from < to && to <= state.doc.length);
  return Decoration.set(inText.map(({ from, to }) => widget.range(from, to)), true);
}

function guessed(state: EditorState): DecorationSet {
  return state.doc.length > LARGEST ? Decoration.none : decorated(state, guessSecrets(state.doc.toString()));
}

/** Whether something comes into the text that was not typed just now. */
function isPaste({ changes }: Transaction): boolean {
  let found = false;
  changes.iterChanges((_, __, ___, ____, inserted) => (found ||= inserted.length >= PASTED || inserted.lines > 2));
  return found;
}

/** A click on a hidden value selects it, so that what is typed next takes its place. */
const selecting = EditorView.domEventHandlers({
  mousedown(event, view) {
    const target = event.target instanceof Element ? event.target.closest(".cm-trellis-hidden") : null;
    if (!target) return false;
    const at = view.posAtDOM(target);
    view.state.field(hidden).values.between(at, at, (from, to) => {
      if (from === at) view.dispatch({ selection: { anchor: from, head: to } });
    });
    view.focus();
    event.preventDefault();
    return true;
  },
});

const theme = EditorView.baseTheme({
  ".cm-trellis-hidden": { opacity: "0.75", cursor: "pointer", letterSpacing: "1px" },
});
