/** One fix after the other, until none is left. */

import type { Checker, CheckInput, ReviewedFinding } from "trellis-policy/checker";
import { unfolded } from "trellis-policy/checker";
import { applyEdits, type TextEdit } from "trellis-policy/yaml";

/** More fixes than any text needs. */
const MOST = 500;

/** What fixing a text came to. */
export interface FixedText {
  text: string;
  /** How many fixes were made. */
  fixed: number;
  /** How many findings are left. */
  left: number;
}

/**
 * Makes the fix of one finding after the other, and reviews the text after each: what a fix ends besides its own finding, and what it
 * brings, is known then. `onFixed` says whether to go on. A fix that cannot be made, or that leads back to a text that there was, is left out.
 */
export async function fixAll(checker: Checker, input: CheckInput, onFixed: (fixed: number) => boolean): Promise<FixedText> {
  const skipped = new Set<string>();
  const seen = new Set([input.text]);
  let text = input.text;
  for (let fixed = 0; ; ) {
    const { documents } = await checker.review({ ...input, text, wait: true, showDefaults: false, addresses: false, plans: false, rollouts: false, manifests: false });
    const found = documents.flatMap(({ ruling }, document) => unfolded(ruling?.findings ?? []).map((finding) => ({ document, finding })));
    const next = fixed < MOST ? found.find(({ document, finding }) => finding.isFixable && !skipped.has(nameOf(document, finding))) : undefined;
    if (!next) return { text, fixed, left: found.length };
    const { document, finding } = next;
    const edits = finding.fix && (await checker.edits(text, document, finding.fix));
    const made = edits && applyEdits(text, edits);
    if (made === undefined || seen.has(made)) {
      skipped.add(nameOf(document, finding));
      continue;
    }
    seen.add((text = made));
    fixed += 1;
    if (!onFixed(fixed)) return { text, fixed, left: found.length };
  }
}

/** The one edit between two texts: what is alike at both ends stays, and so does what a person looks at there. */
export function changeOf(before: string, after: string): TextEdit {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let behind = 0;
  while (behind < most - from && before.at(-1 - behind) === after.at(-1 - behind)) behind += 1;
  return { from, to: before.length - behind, insert: after.slice(from, after.length - behind) };
}

function nameOf(document: number, { rule, pointer }: ReviewedFinding): string {
  return `${document} ${rule} ${pointer}`;
}
