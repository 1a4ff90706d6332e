/** What begins before the page's own code is there: the worker that checks, and the review of the text that the page opens with. */

import { type Checker, type CheckInput, type Review, startChecker } from "trellis-policy/checker";
import { firstEntry } from "./memory.js";
import { opening } from "./opening.js";
import { chosenVersion } from "./releases.js";

/** The review that has begun, and what it is of, until the page asks for it. */
let begun: { of: string; found: Promise<Review> } | undefined;
let listener = (): void => {};

/** The checker of the page. */
export const checker = startChecker({
  onMore() {
    // It says less than there is to say by now.
    begun = undefined;
    listener();
  },
});

/** Calls back when a review says more than the last one. */
export const onMore = (on: () => void): void => void (listener = on);

/** Begins with the review of what the page opens with. */
export async function begin(): Promise<void> {
  const { text, old, context } = (await opening(firstEntry(), location.hash)).shared;
  const input = { text, old, context, gardenerVersion: chosenVersion() };
  begun = { of: keyOf(input), found: checker.review(input) };
  // Who asks for it hears of it.
  begun.found.catch(() => {});
}

/** Reviews a text, or takes the review of the same that has begun. */
export const review: Checker["review"] = (input, options) => {
  const found = begun?.of === keyOf(input) ? begun.found : undefined;
  begun = undefined;
  return found ?? checker.review(input, options);
};

/** What a review is of, without what says nothing. */
function keyOf(input: CheckInput): string {
  const said = Object.entries(input).filter(([, value]) => value);
  return JSON.stringify(said.sort(([a], [b]) => (a < b ? -1 : 1)));
}
