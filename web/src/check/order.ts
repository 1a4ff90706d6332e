/** The order in which a document has what JSON pointers lead to. */

import { tokens } from "../yaml/tree.js";

/** Sorts what has pointers by their places in an object. What the object lacks stands where the rest of its parent begins. */
export function inOrder<T extends { pointer: string }>(found: T[], object: unknown): T[] {
  const places = new Map(found.map(({ pointer }) => [pointer, placeOf(pointer, object)]));
  const place = ({ pointer }: T): number[] => places.get(pointer) ?? [];
  return [...found].sort((one, other) => compare(place(one), place(other)));
}

/** The number of each step among its siblings, as far as the object has them. */
function placeOf(pointer: string, object: unknown): number[] {
  const place: number[] = [];
  let value = object;
  for (const token of tokens(pointer)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, token)) break;
    place.push(Array.isArray(value) ? Number(token) : Object.keys(value).indexOf(token));
    value = Reflect.get(value, token);
  }
  return place;
}

function compare(one: number[], other: number[]): number {
  for (const [index, step] of one.entries()) {
    const difference = step - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
