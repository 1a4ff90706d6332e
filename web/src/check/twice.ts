/** Objects of one API group, kind, namespace and name that are given together: the first counts. */

import { identityOf } from "./identity.js";
import { type TextObject, textAt } from "./objects.js";

/** An object that another one with the same identity goes before. */
export interface Twice {
  /** The number of the first one. */
  first: number;
  /** Whether both say the same, so that nothing is lost. */
  isCopy: boolean;
}

/** By their numbers, the objects that others go before. */
export function twiceIn(objects: (TextObject | undefined)[]): Map<number, Twice> {
  const firsts = new Map<string, { at: number; json: string }>();
  const found = new Map<number, Twice>();
  for (const [at, given] of objects.entries()) {
    // One without a kind, or with an empty one, is nothing yet.
    const identity = given && textAt(given.object, "kind") ? identityOf(given.object) : undefined;
    if (!given || identity === undefined) continue;
    const first = firsts.get(identity);
    if (first) found.set(at, { first: first.at, isCopy: first.json === given.json });
    else firsts.set(identity, { at, json: given.json });
  }
  return found;
}
