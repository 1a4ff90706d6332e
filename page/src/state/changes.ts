/** What the page changes in the manifest: each is one step for Undo. */

import { ref, watch } from "vue";
import type { ZoneRequest } from "trellis-policy";
import type { ReviewedDocument, ReviewedFinding } from "trellis-policy/checker";
import type { TextEdit } from "trellis-policy/yaml";
import { strings } from "../strings.js";
import { changeOf, fixAll } from "./fix-all.js";
import type { Reviewing } from "./review.js";

/** The editor of the manifest. */
interface Manifest {
  /** The text as it is now. */
  text: () => string;
  /** Makes edits of a text; false where the manifest is another one by now. */
  edit: (edits: TextEdit[], text: string) => boolean;
  /** Says what was done, which can be undone as long as the text is this one. */
  notify: (text: string, result?: string) => void;
}

export function useChanges({ checker, review, reviewed, fail }: Reviewing, { text: now, edit, notify }: Manifest) {
  const indexOf = (document: ReviewedDocument): number => review.value?.documents.indexOf(document) ?? -1;

  async function fix(document: ReviewedDocument, { fix }: ReviewedFinding): Promise<void> {
    const { text } = reviewed.value;
    const at = indexOf(document);
    try {
      const edits = fix && at >= 0 && (await checker.edits(text, at, fix));
      if (edits) edit(edits, text);
    } catch (thrown) {
      fail(thrown);
    }
  }

  /** How many findings are fixed, while all are being fixed. */
  const fixing = ref<number>();
  async function fixEverything(): Promise<void> {
    if (fixing.value !== undefined) return;
    fixing.value = 0;
    const input = reviewed.value;
    try {
      const { text, fixed, left } = await fixAll(checker, input, (count) => {
        fixing.value = count;
        return now() === input.text;
      });
      if (fixed > 0 && !edit([changeOf(input.text, text)], input.text)) return notify(strings.changedMeanwhile);
      notify(strings.fixedAll(fixed, left), fixed > 0 ? now() : undefined);
    } catch (thrown) {
      // A check of what the person types takes the place of one that goes on.
      if (now() !== input.text) notify(strings.changedMeanwhile);
      else fail(thrown);
    } finally {
      fixing.value = undefined;
    }
  }

  const zoneError = ref<string>();
  watch(review, () => (zoneError.value = undefined));
  let isPlanning = false;
  async function addZone(document: ReviewedDocument, zone: ZoneRequest): Promise<void> {
    if (isPlanning) return;
    zoneError.value = undefined;
    const input = reviewed.value;
    isPlanning = true;
    try {
      const plan = await checker.zones(input, indexOf(document), [zone]);
      if ("error" in plan) {
        zoneError.value = plan.error.message;
      } else if (!plan.edits) {
        zoneError.value = strings.zoneNoEdit;
      } else if (edit(plan.edits, input.text)) {
        notify(strings.zoneAdded(zone.name, plan.zones.map(({ cidr }) => cidr).join(", ")), now());
      }
    } catch (thrown) {
      fail(thrown);
    } finally {
      isPlanning = false;
    }
  }

  return { fix, fixing, fixEverything, zoneError, addZone };
}
