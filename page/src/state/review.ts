/** What the checker says of the texts, as they are typed. */

import { computed, onScopeDispose, ref, shallowRef } from "vue";
import type { CheckInput, Review } from "trellis-policy/checker";
import { strings } from "../strings.js";
import { checker, review as ask } from "./early.js";
import { idle } from "./later.js";

export type Reviewing = ReturnType<typeof useReview>;

/**
 * A checker, and the review of the last text that it was asked about. `manifest` is the text as it is now, as far as that is known;
 * `others` are the texts next to it.
 */
export function useReview(manifest: () => string | undefined, others: () => Pick<CheckInput, "gardenerVersion" | "openapi" | "kubernetes" | "old" | "context" | "applied" | "showDefaults" | "addresses" | "plans" | "rollouts" | "manifests">) {
  /** Called when nothing else is to be done, and a review of the same texts would try more fixes. */
  let untried = (): void => {};
  const review = shallowRef<Review>();
  /** The texts that the review is of. */
  const reviewed = shallowRef<CheckInput>({ text: "" });
  const failure = ref<string>();
  const busy = ref(true);
  onScopeDispose(() => checker.close());

  const documents = computed(() => review.value?.documents ?? []);
  /** Whether what is shown is of the text as it is now. */
  const state = computed(() => {
    if (failure.value !== undefined) return "failed";
    return !busy.value && reviewed.value.text === manifest() ? "reviewed" : "checking";
  });
  /** Whether all rules were asked that there are. */
  const isWhole = computed(() => !documents.value.some(({ isPreliminary }) => isPreliminary));
  /** Where values of Secrets stand in the texts that were reviewed. */
  const secrets = computed(() => ({
    manifest: documents.value.flatMap(({ secrets }) => secrets),
    before: review.value?.oldSecrets ?? [],
    context: review.value?.contextSecrets ?? [],
  }));
  const hasSecrets = computed(() => Object.values(secrets.value).some(({ length }) => length > 0));

  const input = (text: string): CheckInput => ({ text, ...others() });

  async function check(text: string, signal: AbortSignal): Promise<Review> {
    const now = input(text);
    // Of a review that only tries more fixes, nobody has to wait for anything.
    if (!(isSame(now, reviewed.value) && hasUntried(review.value))) busy.value = true;
    try {
      const found = inPageWords(await ask(now, { signal }));
      if (!signal.aborted) {
        reviewed.value = now;
        review.value = found;
        failure.value = undefined;
        if (hasUntried(found)) void idle().then(() => reviewed.value === now && !busy.value && untried());
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

  return { checker, onUntried, review, reviewed, documents, state, isWhole, secrets, hasSecrets, failure, fail, busy, check };
}

/** A review whose remedies say where on the page something is to be done. */
function inPageWords({ documents, ...rest }: Review): Review {
  const worded = documents.map((document) => {
    const { skipped, ruling } = document;
    if (skipped?.because !== "twice" || !ruling) return document;
    return { ...document, ruling: { ...ruling, findings: ruling.findings.map((finding) => ({ ...finding, remedy: strings.twiceRemedy })) } };
  });
  return { documents: worded, ...rest };
}

/** Whether there are fixes that nobody has tried yet. */
export function hasUntried(review: Review | undefined): boolean {
  return review?.documents.some(({ ruling }) => ruling?.untried !== undefined) === true;
}

function isSame(one: CheckInput, other: CheckInput): boolean {
  const names = Object.keys({ ...one, ...other }) as (keyof CheckInput)[];
  return names.every((name) => one[name] === other[name]);
}
