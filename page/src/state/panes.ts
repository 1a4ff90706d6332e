/** How much of the page's width the texts have, in percent, for all visits. */

const KEY = "trellis:panes";

export const PANES = { least: 20, usual: 50, most: 80 };

/** A share within bounds. */
export function bounded(share: number): number {
  return Math.min(PANES.most, Math.max(PANES.least, Math.round(share * 10) / 10));
}

/** What was chosen, or half. */
export function chosenShare(): number {
  try {
    const share = Number.parseFloat(localStorage.getItem(KEY) ?? "");
    return Number.isFinite(share) ? bounded(share) : PANES.usual;
  } catch {
    return PANES.usual;
  }
}

/** Remembers a choice, or forgets it where it is half. */
export function rememberShare(share: number): void {
  try {
    if (share === PANES.usual) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, String(share));
  } catch {
    // A browser that keeps nothing has it for this visit.
  }
}
