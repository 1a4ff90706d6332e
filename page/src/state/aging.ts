/** A verdict of an idle text: versions expire, so that what was said some minutes ago may be wrong. */

import { onScopeDispose, type Ref, watch } from "vue";
import type { Review } from "trellis-policy/checker";

/** Milliseconds after which a review is asked for again: as long as a checker takes for the same input what it said before. */
const AGE = 300_000;

/** Asks for the review again where it is older when the person comes back to the tab. */
export function useAging(review: Readonly<Ref<Review | undefined>>, checkAgain: () => void): void {
  let reviewedAt = Date.now();
  watch(review, () => (reviewedAt = Date.now()));
  const look = (): void => {
    if (document.visibilityState === "visible" && Date.now() - reviewedAt > AGE) checkAgain();
  };
  document.addEventListener("visibilitychange", look);
  onScopeDispose(() => document.removeEventListener("visibilitychange", look));
}
