/** The documents of a text, as people who check it see them. */

import { type Found, type Place, find, place } from "./locate.js";
import { partsOf } from "./items.js";
import type { Problem } from "./problem.js";
import { type Reading, read } from "./read.js";
import { type Range, toJson } from "./tree.js";

export interface ParseOptions {
  /**
   * Where the text belongs in the whole object, as a JSON pointer: `/spec/provider/workers` for the workers of a Shoot
   * alone. Pointers into the whole object are then placed in the text.
   */
  at?: string | undefined;
}

/** A document of a text. */
export interface Document extends Range {
  /**
   * The document as JSON text, with the spelling of numbers and keys that are there twice. Absent where it has no
   * meaning.
   */
  json?: string;
  /** What is wrong with the text itself. */
  problems: Problem[];
  /**
   * What to underline for a JSON pointer, or for its nearest ancestor that exists. Nothing for a pointer that leads
   * elsewhere than into the text, or where the text has no meaning.
   */
  locate(pointer: string): Place | undefined;
  /** The key or the scalar at an offset, by the pointer of its value. */
  find(offset: number): Found | undefined;
}

/**
 * The documents of a text, without those that are empty; a list of Kubernetes objects stands for its items. Never throws: what is wrong
 * is in `problems`.
 */
export function parse(text: string, { at = "" }: ParseOptions = {}): Document[] {
  const readings = read(text);
  return (at === "" ? partsOf(readings) : readings).map((reading) => documentOf(text, reading, at));
}

/** The document of a text that was read. */
export function documentOf(text: string, { from, to, root, problems }: Reading, at = ""): Document {
  return {
    from,
    to,
    problems,
    ...(root && { json: toJson(root) }),
    locate: (pointer) => {
      const inside = pointer === at || pointer.startsWith(`${at}/`);
      return root && inside ? place(text, root, pointer.slice(at.length)) : undefined;
    },
    find: (offset) => root && find(root, offset, at),
  };
}
