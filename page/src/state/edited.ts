/** Which Shoots of the text are no longer as they were applied. */

import { type Ref, shallowRef, watch } from "vue";
import type { Checker, CheckInput, Review } from "trellis-policy/checker";
import type { Cloud } from "./apply.js";
import { nameOf } from "./names.js";

interface Sources {
  review: Ref<Review | undefined>;
  reviewed: Ref<CheckInput>;
  applied: Ref<object[]>;
  cloud: Ref<Cloud | undefined>;
}

/** Compares the Shoots of the text with what was applied; `sent` records what this tab has just sent. */
export function useEdited(checker: Checker, { review, reviewed, applied, cloud }: Sources) {
  const shoots = shallowRef<ReadonlySet<string>>(new Set());
  const sinceSent = shallowRef<ReadonlySet<string>>(new Set());
  /** What this tab sent last: what a run that goes on applies. */
  const last = shallowRef<{ shoot: string; text: string }>();

  watch([review, applied, cloud, last], async () => {
    const input = reviewed.value;
    const found = new Set<string>();
    const since = new Set<string>();
    const known = new Map(applied.value.map((object) => [nameOf(metadataOf(object)), JSON.stringify(object)]));
    if (last.value && cloud.value?.running) known.set(last.value.shoot, last.value.text);
    for (const [index, document] of (review.value?.documents ?? []).entries()) {
      const name = nameOf(document);
      const isLast = name === last.value?.shoot;
      if (document.kind !== "Shoot" || !(known.has(name) || isLast)) continue;
      const [object] = await checker.objects(input, index).catch(() => []);
      const text = JSON.stringify(object);
      if (known.has(name) && text !== known.get(name)) found.add(name);
      if (isLast && text !== last.value?.text) since.add(name);
    }
    if (reviewed.value !== input) return;
    shoots.value = found;
    sinceSent.value = since;
  });

  return {
    /** The Shoots that are no longer as they were applied. */
    shoots,
    /** The Shoot of the last run of this tab, where it was edited since the run began. */
    sinceSent,
    sent: (shoot: string, [object]: object[]) => void (last.value = { shoot, text: JSON.stringify(object) }),
  };
}

function metadataOf(object: object): { namespace?: string; name?: string } {
  return "metadata" in object ? (object.metadata as { namespace?: string; name?: string }) : {};
}
