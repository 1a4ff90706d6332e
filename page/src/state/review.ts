/** What the checker says of the texts, as they are typed. */

import { onScopeDispose, ref, shallowRef } from "vue";
import { type CheckInput, type Review, startChecker } from "trellis-policy/checker";
import { providers } from "trellis-policy/schema";

export type Reviewing = ReturnType<typeof useReview>;

/** A checker, and the review of the last text that it was asked about. `others` are the texts beside it. */
export function useReview(others: () => Pick<CheckInput, "old" | "context">) {
  const checker = startChecker();
  const review = shallowRef<Review>();
  /** The text that the review is of. */
  const text = shallowRef("");
  const failure = ref<string>();
  const busy = ref(true);
  onScopeDispose(() => checker.close());

  const input = (text: string): CheckInput => ({ text, ...others(), provider: providers[0] });

  async function check(now: string, signal: AbortSignal): Promise<Review> {
    busy.value = true;
    try {
      const found = await checker.review(input(now), { signal });
      if (!signal.aborted) {
        text.value = now;
        review.value = found;
        failure.value = undefined;
      }
      return found;
    } catch (thrown) {
      if (!signal.aborted) failure.value = thrown instanceof Error ? thrown.message : String(thrown);
      throw thrown;
    } finally {
      if (!signal.aborted) busy.value = false;
    }
  }

  return { checker, review, text, failure, busy, check, input };
}
