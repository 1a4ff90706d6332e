/** Putting a part of an object into it, as a merge patch does. */

import { readJson } from "./json.js";
import { type Entry, type MappingNode, type Node, toJson } from "./tree.js";

/**
 * The JSON text of an object into which a part of it is put (RFC 7386): objects are joined, a `null` takes a member away, and all else,
 * such as a list, takes the place of what is there. All keeps its spelling, and a key that the part has twice is there twice.
 * Nothing where one of the two is no JSON.
 */
export function overlay(object: string, part: string): string | undefined {
  const [whole, given] = [object, part].map((json) => readJson(json, () => 1)?.[0]?.root);
  return whole && given && toJson(overlaid(whole, given));
}

function overlaid(whole: Node | undefined, part: Node): Node {
  if (part.kind !== "mapping") return part;
  const before = whole?.kind === "mapping" ? whole.entries : [];
  const given = new Map<string, Entry[]>();
  for (const entry of part.entries) given.set(entry.key, [...(given.get(entry.key) ?? []), entry]);
  const put = (entries: Entry[], old?: Node): Entry[] =>
    entries.filter(({ value }) => !isNull(value)).map((entry) => ({ ...entry, value: overlaid(old, entry.value) }));
  const names = new Set(before.map(({ key }) => key));
  const changed = before.flatMap((entry) => {
    const own = given.get(entry.key);
    return own ? put(own, entry.value) : [entry];
  });
  const added = [...given].flatMap(([key, entries]) => (names.has(key) ? [] : put(entries)));
  return { ...part, entries: [...changed, ...added] } satisfies MappingNode;
}

function isNull(node: Node): boolean {
  return node.kind === "scalar" && node.json === "null";
}
