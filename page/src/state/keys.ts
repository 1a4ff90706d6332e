/** The key that shows the keys. */

import { onScopeDispose } from "vue";

/** Where a `?` is a letter of a text. */
const TEXTS = "input, textarea, select, [contenteditable=true], .cm-editor";

/** Calls back for a `?` that no text takes, and that no dialog or menu is open for. */
export function useKeys(onAsked: () => void): void {
  const listener = (event: KeyboardEvent): void => {
    if (event.key !== "?" || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
    if (event.target instanceof Element && event.target.closest(`${TEXTS}, .v-overlay`)) return;
    event.preventDefault();
    onAsked();
  };
  addEventListener("keydown", listener);
  onScopeDispose(() => removeEventListener("keydown", listener));
}
