/** Quick fixes. */

import { type Action, forceLinting } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { PatchOperation } from "../documents.js";
import { isInText, nameOfFix } from "../check/fix.js";
import { type Document, edits } from "../yaml/index.js";
import { byLines } from "./lines.js";

/** Where a fix is made. */
export interface FixPlace {
  doc: Text;
  documents: Document[];
  /** Which of the documents. */
  document: number;
  at: string | undefined;
}

/**
 * Fixes the text by one transaction, which one undo takes back. The edits are made when they are asked for: each such
 * reads the whole text.
 */
export function quickFix(fix: PatchOperation[], { doc, documents, document, at }: FixPlace): Action | undefined {
  const place = documents[document];
  if (!place || !isInText(fix, place) || documents.some(({ problems }) => problems.length > 0)) return undefined;
  return {
    name: nameOfFix(fix),
    apply(view, from, to) {
      if (view.state.readOnly) return;
      // Where the text has changed since, the next check finds what there is to fix now.
      if (view.state.doc === doc) {
        const changes = edits(doc.toString(), fix, { at, document });
        // Where an alias would show the change elsewhere, the person is led to the place.
        const lead = { selection: { anchor: from, head: to }, scrollIntoView: true };
        view.dispatch(changes ? { changes: byLines(changes), userEvent: "input.fix" } : lead);
      }
      forceLinting(view);
    },
  };
}
