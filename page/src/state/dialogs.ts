/** The dialogs of the page. Each is loaded when it is first asked for, and leads back to where it was opened. */

import { reactive } from "vue";

export type DialogName = "about" | "destroy" | "keys" | "new" | "rule";

export function useDialogs() {
  const open = reactive<Record<DialogName, boolean>>({ about: false, destroy: false, keys: false, new: false, rule: false });
  const wasOpen = reactive<Record<DialogName, boolean>>({ ...open });
  let opener: Element | null = null;

  function show(name: DialogName): void {
    opener = document.activeElement;
    next(name);
  }

  /** Opens a dialog from another one: it leads back to where that was opened. */
  function next(name: DialogName): void {
    open[name] = wasOpen[name] = true;
  }

  function leave(): void {
    if (opener instanceof HTMLElement) opener.focus();
  }

  return { open, wasOpen, show, next, leave };
}
