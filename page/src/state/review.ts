/** What the checker says of the texts, as they are typed. */

import { onScopeDispose, ref, shallowRef } from "vue";
import { type CheckInput, type Review, startChecker } from "trellis-policy/checker";

export type Reviewing = ReturnType<typeof useReview>;

/** A checker, and the review of the last text that it was asked about. `others` are the texts beside it. */
export function useReview(others: () => Pick<CheckInput, "gardenerVersion" | "openapi" | "kubernetes" | "old" | "context" | "applied" | "showDefaults" | "addresses" | "plans" | "rollouts" | "manifests">) {
  const checker = startChecker({ onMore: () => more() });
  /** Called when a review says more than the last one. */
  let more = (): void => {};
  const review = shallowRef<Review>();
  /** The texts that the review is of. */
  const reviewed = shallowRef<CheckInput>({ text: "" });
  const failure = ref<string>();
  const busy = ref(true);
  onScopeDispose(() => checker.close());

  const input = (text: string): CheckInput => ({ text, ...others() });

  async function check(text: string, signal: AbortSignal): Promise<Review> {
    const now = input(text);
    busy.value = true;
    try {
      const found = await checker.review(now, { signal });
      if (!signal.aborted) {
        reviewed.value = now;
        review.value = found;
        failure.value = undefined;
      }
      return found;
    } catch (thrown) {
      if (!signal.aborted) fail(thrown);
      throw thrown;
    } finally {
      if (!signal.aborted) busy.value = false;
    }
  }

  function fail(thrown: unknown): void {
    failure.value = thrown instanceof Error ? thrown.message : String(thrown);
  }

  const onMore = (listener: () => void) => void (more = listener);

  return { checker, onMore, review, reviewed, failure, fail, busy, check };
}
