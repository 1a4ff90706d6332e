/** What is shown of a text that takes the place of another: its first error, or the finding that the address leads to. */

import { type Ref, watch } from "vue";
import type EditorPane from "../components/EditorPane.vue";
import type ResultPane from "../components/ResultPane.vue";
import { strings } from "../strings.js";
import type { LinkedFinding } from "./address.js";
import type { Going } from "./going.js";
import { findingAt } from "./link.js";
import type { Reviewing } from "./review.js";
import { firstError } from "./verdict.js";

interface Page {
  reviewing: Reviewing;
  pane: Readonly<Ref<InstanceType<typeof EditorPane> | null>>;
  resultPane: Readonly<Ref<InstanceType<typeof ResultPane> | null>>;
  going: Going;
  notify: (text: string) => void;
}

export function useArriving({ reviewing: { review, reviewed, documents, state, isWhole }, pane, resultPane, going, notify }: Page) {
  /** The text that was opened or pasted, until its first error is in sight. */
  let opened: string | undefined;
  /** The text that took the place of another last: it says at once which panels it has. */
  let fresh: string | undefined;
  /** Whether the person put it there, and types on. */
  let keepsCursor = false;
  /** The finding that the address leads to, until it is in sight. */
  let linked: LinkedFinding | undefined;

  watch(state, (now) => {
    if (now !== "reviewed" || opened === undefined) return;
    const isAsOpened = reviewed.value.text === opened;
    opened = undefined;
    const first = isAsOpened ? firstError(documents.value) : undefined;
    if (first) pane.value?.manifest?.show(first, { keepsCursor });
  });

  watch([state, review], async () => {
    if (state.value !== "reviewed" || !review.value || !linked) return;
    const found = findingAt(review.value, linked);
    // Gardener's own rules may still have it.
    if (!found && !isWhole.value) return;
    const { rule } = linked;
    linked = undefined;
    if (!found) return notify(strings.findingGone(rule));
    await going.go(found.finding.range);
    // The editor scrolls with the next frame, and the page with it where it scrolls as one.
    await new Promise(requestAnimationFrame);
    await resultPane.value?.showFinding(found.document, found.finding);
  });

  return {
    /** A text is opened, which an address leads to. */
    open: (text: string, finding?: LinkedFinding) => void ([opened, keepsCursor, fresh, linked] = [finding ? undefined : text, false, text, finding]),
    /** A person puts a text in the place of the whole. */
    replace: (text: string) => void ([opened, keepsCursor, fresh] = [text, true, text]),
    /** Whether the text that was reviewed took the place of another one, and was not typed. */
    isFresh: () => reviewed.value.text === fresh,
  };
}
