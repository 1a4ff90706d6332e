/** Quick fixes. */

import { type Action, forceLinting } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { PatchOperation } from "../documents.js";
import { type Document, edits } from "../yaml/index.js";
import { index, tokens } from "../yaml/tree.js";

/** Where a fix is made. */
export interface FixPlace {
  doc: Text;
  documents: Document[];
  /** Which of the documents. */
  document: number;
  at: string | undefined;
}

/**
 * Mends the text by one transaction, which one undo takes back. The edits are made when they are asked for: each such
 * reads the whole text.
 */
export function quickFix(fix: PatchOperation[], { doc, documents, document, at }: FixPlace): Action | undefined {
  const place = documents[document];
  if (!place || !isInText(fix, place) || documents.some(({ problems }) => problems.length > 0)) return undefined;
  return {
    name: nameOf(fix),
    apply(view, from, to) {
      if (view.state.readOnly) return;
      // Where the text has changed since, the next check finds what there is to mend now.
      if (view.state.doc === doc) {
        const changes = edits(doc.toString(), fix, { at, document });
        // Where an alias would show the change elsewhere, the person is led to the place.
        const lead = { selection: { anchor: from, head: to }, scrollIntoView: true };
        view.dispatch(changes ? { changes, userEvent: "input.fix" } : lead);
      }
      forceLinting(view);
    },
  };
}

/** Whether the text has what a fix changes, which may be a default or beside the fragment. */
function isInText(fix: PatchOperation[], document: Document): boolean {
  return fix.every(({ op, path }, before) => {
    if (document.locate(path)?.exact) return true;
    if (op !== "add") return false;
    const parent = path.slice(0, path.lastIndexOf("/"));
    return document.locate(parent)?.exact || fix.slice(0, before).some((earlier) => earlier.path === parent);
  });
}

/** What a fix does, in a few words. */
function nameOf([operation, ...more]: PatchOperation[]): string {
  if (!operation || more.length > 0) return "Fix";
  const path = tokens(operation.path);
  if (operation.op === "remove") return `Remove ${placeName(path)}`;
  const text = typeof operation.value === "object" ? "" : String(operation.value);
  const shown = text.length > 40 ? "" : text;
  const last = path.at(-1) ?? "";
  if (operation.op === "add" && (last === "-" || index(last) !== undefined)) {
    return ["Add", shown, "to", placeName(path.slice(0, -1))].filter((part) => part).join(" ");
  }
  return `Set ${placeName(path)}${shown && ` to ${shown}`}`;
}

/** The last key of a path, with the indices behind it: `workers[0]`. */
function placeName(path: string[]): string {
  const last = path.at(-1) ?? "";
  return index(last) === undefined ? last : `${placeName(path.slice(0, -1))}[${last}]`;
}
