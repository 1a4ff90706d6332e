/** What the checker says of the texts, as they are typed. */

import { onScopeDispose, ref, shallowRef } from "vue";
import { type CheckInput, type Review, startChecker } from "trellis-policy/checker";

export type Reviewing = ReturnType<typeof useReview>;

/** A checker, and the review of the last text that it was asked about. `others` are the texts beside it. */
export function useReview(others: () => Pick<CheckInput, "gardenerVersion" | "openapi" | "kubernetes" | "old" | "context" | "applied" | "addresses" | "plans" | "rollouts" | "manifests">) {
  const checker = startChecker({ onMore: () => more() });
  /** Called when a review says more than the last one. */
  let more = (): void => {};
  /** Called when nothing else is to be done, and a review of the same texts would try more fixes. */
  let untried = (): void => {};
  const review = shallowRef<Review>();
  /** The texts that the review is of. */
  const reviewed = shallowRef<CheckInput>({ text: "" });
  const failure = ref<string>();
  const busy = ref(true);
  onScopeDispose(() => checker.close());

  const input = (text: string): CheckInput => ({ text, ...others() });

  async function check(text: string, signal: AbortSignal): Promise<Review> {
    const now = input(text);
    // Of a review that only tries more fixes, nobody has to wait for anything.
    if (!(isSame(now, reviewed.value) && hasUntried(review.value))) busy.value = true;
    try {
      const found = await checker.review(now, { signal });
      if (!signal.aborted) {
        reviewed.value = now;
        review.value = found;
        failure.value = undefined;
        if (hasUntried(found)) whenIdle(() => reviewed.value === now && !busy.value && untried());
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

  const onUntried = (listener: typeof untried) => void (untried = listener);
  const onMore = (listener: () => void) => void (more = listener);

  return { checker, onMore, onUntried, review, reviewed, failure, fail, busy, check };
}

/** Whether there are fixes that nobody has tried yet. */
export function hasUntried(review: Review | undefined): boolean {
  return review?.documents.some(({ ruling }) => ruling?.untried !== undefined) === true;
}

function isSame(one: CheckInput, other: CheckInput): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof CheckInput)[];
  return names.every((name) => one[name] === other[name]);
}

/** Not every browser tells when it has nothing else to do. */
const whenIdle = (run: () => void): void => void ("requestIdleCallback" in globalThis ? requestIdleCallback(run) : setTimeout(run));
