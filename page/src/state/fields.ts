/** What the fields of a garden's API server change in the findings. */

import { onWatcherCleanup, type Ref, shallowRef, watch } from "vue";
import type { Checker, CheckInput, Review } from "trellis-policy/checker";
import type { GardenFields } from "./garden.js";
import { hasUntried } from "./review.js";

/** How many findings there are with the fields and are not without them, and the other way round. */
export interface FieldsChange {
  /** The file that lists the fields. */
  name: string;
  more: number;
  less: number;
}

/** Reviews the text once more without the fields, after each review with them. */
export function useFieldsChange(checker: Checker, review: Ref<Review | undefined>, reviewed: Ref<CheckInput>, fields: Ref<GardenFields | undefined>) {
  const change = shallowRef<FieldsChange>();
  watch([review, fields], async () => {
    const [input, { name } = { name: "" }] = [reviewed.value, fields.value];
    if (fields.value === undefined) change.value = undefined;
    if (!review.value || !fields.value || input.openapi !== fields.value.json) return;
    // The checker keeps what it tried of one input: another one between would begin it again, and so without end.
    if (hasUntried(review.value)) return;
    const aborter = new AbortController();
    onWatcherCleanup(() => aborter.abort());
    const without = { ...input, openapi: undefined, showDefaults: false, addresses: false, plans: false, rollouts: false, manifests: false };
    const plain = await checker.review(without, { signal: aborter.signal }).catch(() => undefined);
    if (!plain || aborter.signal.aborted || !review.value) return;
    const [now, before] = [findingsOf(review.value), findingsOf(plain)];
    change.value = { name, more: count(now, before), less: count(before, now) };
  });
  return change;
}

function count(some: Set<string>, others: Set<string>): number {
  return [...some].filter((one) => !others.has(one)).length;
}

/** The findings by what they say. */
function findingsOf({ documents }: Review): Set<string> {
  return new Set(
    documents.flatMap(({ ruling }, index) =>
      (ruling?.findings ?? []).map(({ rule, severity, pointer, detail }) => JSON.stringify([index, rule, severity, pointer, detail])),
    ),
  );
}
