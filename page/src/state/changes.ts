/** What the page changes in the texts: each is one step for Undo. */

import { ref, watch } from "vue";
import type { ZoneRequest } from "trellis-policy";
import type { ReviewedDocument, ReviewedFinding } from "trellis-policy/checker";
import type { TextEdit } from "trellis-policy/yaml";
import { strings } from "../strings.js";
import type { Notify } from "./notes.js";
import type { Other } from "./others.js";
import type { ProfileDocument } from "./profiles.js";
import type { Reviewing } from "./review.js";
import type { EditorName, Texts } from "./workspace.js";

/** The texts, and their editors. */
interface Page {
  texts: Texts;
  /** Leads to the manifest. */
  focus: () => Promise<void>;
  /** Makes edits of the manifest; false where that is another text by now. */
  edit: (edits: TextEdit[], text: string) => boolean;
  /** Makes edits of one of the texts, as it was reviewed. */
  editOther: (name: EditorName, edits: TextEdit[], text: string) => boolean;
  /** Puts the documents of a profile under Context. What comes back takes that back. */
  fill: (documents: ProfileDocument[]) => () => void;
  /** Says what was done. */
  notify: Notify;
}

export function useChanges({ checker, review, reviewed, documents, fail }: Reviewing, { texts, focus, edit, editOther, fill, notify }: Page) {
  const now = (): string => texts.manifest;
  const indexOf = (document: ReviewedDocument): number => documents.value.indexOf(document);

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

  /** Fixes a key of another text than the manifest, which is checked then. */
  async function fixOther({ editor: name, fix }: Other): Promise<void> {
    const text = { before: reviewed.value.old, context: reviewed.value.context, manifest: reviewed.value.text }[name] ?? "";
    try {
      const edits = fix && (await checker.edits(text, fix.document, fix.patch));
      if (edits && editOther(name, edits, text)) notify(strings.fixedPlace(strings[name]));
      else notify(strings.changedMeanwhile);
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
      // It brings what edits texts, which few visits need.
      const { changeOf, fixAll } = await import("./fix-all.js");
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

  /** Puts a new Shoot in the place of the text, and its profile under Context. */
  async function takeShoot(shoot: string, documents: ProfileDocument[]): Promise<void> {
    const undone = fill(documents);
    await focus();
    if (!edit([{ from: 0, to: now().length, insert: shoot }], now())) return;
    notify(documents.every(({ from }) => from === "context") ? strings.newMade : strings.newMadeWithProfile, now(), { undone });
  }

  return { fix, fixOther, fixing, fixEverything, zoneError, addZone, takeShoot };
}
