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
  /** The documents of Context that New Shoot put there. */
  put?: string[];
}

const key = (entry: string): string => `trellis:${entry}`;

/** An id that no other entry has. `randomUUID` is there in secure contexts alone. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
}

/** Where the tab remembers the id of the entry that was shown last. */
const LAST = "trellis-entry";

/**
 * The id of the entry that a document begins with. A reload while the address changes can lose the state of the entry; it is the one
 * that was shown last.
 */
export function firstEntry(): string {
  const [navigation] = performance.getEntriesByType("navigation");
  return currentEntry(navigation instanceof PerformanceNavigationTiming && navigation.type === "reload" ? lastEntry() : undefined);
}

/** The id of the history's current entry. One without gets `otherwise`, or a new one. */
export function currentEntry(otherwise?: string): string {
  const { state } = history;
  if (typeof state?.entry === "string") return shown(state.entry);
  const entry = shown(otherwise ?? newId());
  history.replaceState({ entry }, "");
  return entry;
}

/** Begins a new entry of the history, for what replaces everything that was shown. */
export function newEntry(address: string): string {
  const entry = shown(newId());
  history.pushState({ entry }, "", address);
  return entry;
}

function shown(entry: string): string {
  attempt(() => sessionStorage.setItem(LAST, entry));
  return entry;
}

function lastEntry(): string | undefined {
  try {
    return sessionStorage.getItem(LAST) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Whether something is remembered: there may be no room for so much, or the browser keeps nothing at all. */
export type Kept = "kept" | "full" | "denied";

/** Remembers. Where there is no room, what was remembered longest ago goes. */
export function remember(entry: string, state: Remembered): Kept {
  const text = JSON.stringify({ ...state, at: Date.now() });
  if (attempt(() => sessionStorage.setItem(key(entry), text))) return "kept";
  // What was remembered before is not to come back in the place of what there was no room for.
  if (!attempt(() => sessionStorage.removeItem(key(entry)))) return "denied";
  for (;;) {
    if (attempt(() => sessionStorage.setItem(key(entry), text))) return "kept";
    const oldest = others(entry)[0];
    if (oldest === undefined) return attempt(() => sessionStorage.setItem(key(entry), "{}")) ? forget(entry) : "denied";
    sessionStorage.removeItem(oldest);
  }
}

function forget(entry: string): Kept {
  sessionStorage.removeItem(key(entry));
  return "full";
}

/** The keys of other entries, that of the oldest first. */
function others(entry: string): string[] {
  const keys = Object.keys(sessionStorage).filter((found) => found.startsWith(key("")) && found !== key(entry));
  const age = (found: string): number => Number(/"at":(\d+)\}$/.exec(sessionStorage.getItem(found) ?? "")?.[1] ?? 0);
  return keys.map((found) => ({ found, at: age(found) })).sort((a, b) => a.at - b.at).map(({ found }) => found);
}

/** Whether something can be done with the storage. */
function attempt(run: () => void): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
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
