/** Fixes of findings. */

import type { PatchOperation } from "../documents.js";
import type { Document } from "../yaml/index.js";
import { index, tokens } from "../yaml/tree.js";

/** Whether a text has what a fix changes, which may be a default or elsewhere. */
export function isInText(fix: PatchOperation[], document: Document): boolean {
  return fix.every(({ op, path }, before) => {
    if (document.locate(path)?.exact) return true;
    if (op !== "add") return false;
    const parent = path.slice(0, path.lastIndexOf("/"));
    return document.locate(parent)?.exact || fix.slice(0, before).some((earlier) => earlier.path === parent);
  });
}

/** What a fix does, in a few words, for the button that makes it: `Set workers to 10.250.0.0/19`. */
export function nameOfFix([operation, ...more]: PatchOperation[]): string {
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
