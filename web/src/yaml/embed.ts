/** Putting a fragment into the object that it is a part of. */

import { readJson } from "./json.js";
import { type MappingNode, type Node, index, toJson, tokens } from "./tree.js";

/**
 * The JSON text of an object with a fragment at a pointer, in the place of what is there: the workers that an editor
 * shows in the Shoot that they belong to. Objects on the way that are missing are made. All else keeps its spelling.
 *
 * Nothing where one of the two is no JSON, or the pointer leads into something that is neither object nor list.
 */
export function embed(object: string, at: string, fragment: string): string | undefined {
  const [whole, part] = [parseOne(object), parseOne(fragment)];
  const embedded = whole && part && put(whole, tokens(at), part);
  return embedded && toJson(embedded);
}

function parseOne(json: string): Node | undefined {
  const [reading, ...more] = readJson(json, () => 1) ?? [];
  return more.length === 0 ? reading?.root : undefined;
}

function put(node: Node, [token, ...rest]: string[], part: Node): Node | undefined {
  if (token === undefined) return part;
  if (node.kind === "mapping") {
    const known = node.entries.find(({ key }) => key === token);
    const value = put(known?.value ?? empty, rest, part);
    if (!value) return undefined;
    const entry = { key: token, keyRange: node, value };
    const entries = known ? node.entries.map((old) => (old === known ? entry : old)) : [...node.entries, entry];
    return { ...node, entries };
  }
  const at = index(token);
  if (node.kind !== "sequence" || at === undefined || at > node.items.length) return undefined;
  const value = put(node.items[at] ?? empty, rest, part);
  return value && { ...node, items: [...node.items.slice(0, at), value, ...node.items.slice(at + 1)] };
}

const empty: MappingNode = { kind: "mapping", flow: true, entries: [], from: 0, to: 0 };
