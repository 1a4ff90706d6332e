/**
 * What a tab remembers of an entry of its history, so that reload and back lose nothing. It is gone with the tab, and no
 * other tab sees it.
 */

import type { Shared } from "./address.js";

/** What is remembered: what an address holds, and where the person was. */
export interface Remembered extends Shared {
  /** The editor that was open. */
  editor?: string;
  /** The panel that was open. */
  panel?: string;
}

const key = (entry: string): string => `trellis:${entry}`;

/** The id of the history's current entry. One without gets one. */
export function currentEntry(): string {
  const { state } = history;
  if (typeof state?.entry === "string") return state.entry;
  const entry = crypto.randomUUID();
  history.replaceState({ entry }, "");
  return entry;
}

/** Begins a new entry of the history, for what replaces everything that was shown. */
export function newEntry(address: string): string {
  const entry = crypto.randomUUID();
  history.pushState({ entry }, "", address);
  return entry;
}

/** Remembers; false where there is no room for so much, or where the browser keeps nothing. */
export function remember(entry: string, state: Remembered): boolean {
  try {
    sessionStorage.setItem(key(entry), JSON.stringify(state));
    return true;
  } catch {
    forget(entry);
    return false;
  }
}

/** What was remembered before is not to come back in the place of what there was no room for. */
function forget(entry: string): void {
  try {
    sessionStorage.removeItem(key(entry));
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** What is remembered of an entry. */
export function recall(entry: string): Remembered | undefined {
  try {
    const text = sessionStorage.getItem(key(entry));
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
