/** Objects of one kind, namespace and name that are given together: the first counts. */

import { type TextObject, identityOf, textAt } from "./objects.js";

/** An object that another one of its kind, namespace and name goes before. */
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
    const identity = given && textAt(given.object, "kind") !== undefined ? identityOf(given.object) : undefined;
    if (!given || identity === undefined) continue;
    const first = firsts.get(identity);
    if (first) found.set(at, { first: first.at, isCopy: first.json === given.json });
    else firsts.set(identity, { at, json: given.json });
  }
  return found;
}

/** An object as people call it: its kind, namespace and name. */
export function calledOf(object: unknown): string {
  const [kind = "", namespace = "", name = ""] = [textAt(object, "kind"), textAt(object, "metadata", "namespace"), textAt(object, "metadata", "name")];
  return `${kind} \`${namespace === "" ? "" : `${namespace}/`}${name}\``;
}
