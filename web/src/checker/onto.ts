/** Texts that have but a part of a Shoot, which an editor shows alone. */

import type { PatchOperation } from "../documents.js";
import { type TextObject, isObject, isPart, member } from "../check/objects.js";
import { overlay } from "../yaml/overlay.js";
import { tokens } from "../yaml/tree.js";
import type { ReadText } from "./texts.js";

/** A text whose objects that are parts of a Shoot, given as JSON text, are the whole Shoot with the part in it. */
export function partsOnto(text: ReadText, onto: string): ReadText {
  const shoot: TextObject = { json: onto, object: JSON.parse(onto) };
  const of = new Map<number, TextObject>();
  const objects = text.objects.map((found, index) => {
    const json = found && isPart(found.object) ? overlay(onto, found.json) : undefined;
    if (json === undefined) return found;
    of.set(index, shoot);
    return { json, object: JSON.parse(json) };
  });
  return { ...text, objects, partOf: of };
}

/**
 * Whether a patch of a part is one of the whole. What a part leaves out shows as the Shoot has it: it cannot take that away by leaving it out.
 */
export function isOfWhole(patch: PatchOperation[], onto: unknown): boolean {
  const shows = (pointer: string): boolean => {
    let value = onto;
    for (const token of tokens(pointer)) value = isObject(value) ? member(value, token) : undefined;
    return value !== undefined;
  };
  return patch.every((change) => (change.op === "remove" ? !shows(change.path) : change.op === "move" ? !shows(change.from) : true));
}
