/** A verdict of an idle text: versions expire, so that what was said some minutes ago may be wrong. */

import { onScopeDispose, type Ref } from "vue";
import { FRESH, type Review } from "trellis-policy/checker";

/** Asks for the review again where its verdict is older than a checker keeps one when the person comes back to the tab. */
export function useAging(review: Readonly<Ref<Review | undefined>>, checkAgain: () => void): void {
  const look = (): void => {
    if (document.visibilityState === "visible" && review.value && Date.now() - review.value.judgedAt >= FRESH) checkAgain();
  };
  document.addEventListener("visibilitychange", look);
  onScopeDispose(() => document.removeEventListener("visibilitychange", look));
}
