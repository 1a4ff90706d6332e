/** Fixes of findings. */

import type { Finding, PatchOperation } from "../documents.js";
import type { Document } from "../yaml/index.js";
import { index, tokens } from "../yaml/tree.js";

/** Whether a text has what a fix changes, which may be a default or elsewhere. */
export function isInText(fix: PatchOperation[], document: Document): boolean {
  return fix.every((operation, before) => {
    const { op, path } = operation;
    const isThere = (pointer: string): boolean => document.locate(pointer)?.exact === true;
    if (op === "move") return isThere(operation.from) && !isThere(path);
    if (isThere(path)) return true;
    if (op !== "add") return false;
    const parent = path.slice(0, path.lastIndexOf("/"));
    return document.locate(parent)?.exact || fix.slice(0, before).some((earlier) => earlier.path === parent);
  });
}

/** A value to choose, and what puts it in the place of the wrong one. */
export interface Choice {
  value: string;
  fix: PatchOperation[];
}

type Mendable = Pick<Finding, "badValue" | "choices" | "fix" | "pointer">;

/** The values to choose from, the nearest first. */
export function choicesOf({ badValue, choices = [], pointer }: Mendable): Choice[] {
  // Where there is no value yet, the place is a member of an object.
  const op = badValue === null ? "add" : "replace";
  return choices.map((value) => ({ value, fix: [{ op, path: pointer, value }] }));
}

/** Every way to fix a finding: the one that is certain, then the choices that do something else. */
export function fixesOf(finding: Mendable): PatchOperation[][] {
  const { fix, pointer } = finding;
  const [only, ...more] = fix ?? [];
  const set = only && "value" in only && only.path === pointer && more.length === 0 ? only.value : undefined;
  const others = choicesOf(finding).filter(({ value }) => value !== set);
  return [...(fix ? [fix] : []), ...others.map((choice) => choice.fix)];
}

/** What a fix does, in a few words, for the button that makes it: `Set workers to 10.250.0.0/19`. */
export function nameOfFix([operation, ...more]: PatchOperation[]): string {
  if (!operation || more.length > 0) return "Fix";
  const path = tokens(operation.path);
  if (operation.op === "remove") return `Remove ${placeName(path)}`;
  if (operation.op === "move") return `Rename ${placeName(tokens(operation.from))} to ${path.at(-1) ?? ""}`;
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
