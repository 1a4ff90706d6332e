/** The objects of the documents of a text: a list of Kubernetes objects, as `kubectl get` prints it, stands for its items. */

import type { Reading } from "./read.js";
import { type MappingNode, type Node, type ScalarNode, entryOf } from "./tree.js";

/** A document, or an item of a list in one. */
export interface Part extends Reading {
  /** Which document, the first being 0. */
  document: number;
  /** Where the part is in the document: a JSON pointer. */
  at: string;
}

/** The parts of documents, in the order of the text. */
export function partsOf(readings: Reading[]): Part[] {
  return readings.flatMap((reading, document) => {
    const whole = { ...reading, document, at: "" };
    const parts = reading.root ? itemsOf(reading.root, document, "") : [];
    const last = parts.at(-1);
    if (!last) return [whole];
    last.to = reading.to;
    for (const problem of reading.problems) {
      const around = parts.filter(({ from }) => from <= problem.from).at(-1) ?? parts[0];
      around?.problems.push(problem);
    }
    return parts;
  });
}

/** The items of a list of objects, those of lists in it too; none for what is no such list. */
function itemsOf(root: Node, document: number, at: string): Part[] {
  const kind = textOf(root, "kind");
  const items = root.kind === "mapping" ? entryOf(root, "items")?.value : undefined;
  if (!kind?.endsWith("List") || items?.kind !== "sequence") return [];
  const of = kind.slice(0, -"List".length);
  return items.items.flatMap((item, index) => {
    const named = of === "" ? item : withNames(item, [["apiVersion", textOf(root, "apiVersion")], ["kind", of]]);
    const place = `${at}/items/${index}`;
    const within = itemsOf(named, document, place);
    return within.length > 0 ? within : [{ from: item.from, to: item.to, root: named, problems: [], document, at: place }];
  });
}

/** An item of a list of one kind, such as `ShootList`: the API server leaves out `apiVersion` and `kind` of such items. */
function withNames(item: Node, names: [string, string | undefined][]): Node {
  if (item.kind !== "mapping") return item;
  const range = { from: item.from, to: item.from };
  const missing = names.flatMap(([key, text]) => {
    if (text === undefined || entryOf(item, key)) return [];
    const value: ScalarNode = { kind: "scalar", json: JSON.stringify(text), ...range };
    return [{ key, keyRange: range, value }];
  });
  return { ...item, entries: [...missing, ...item.entries] } satisfies MappingNode;
}

function textOf(node: Node, key: string): string | undefined {
  const value = node.kind === "mapping" ? entryOf(node, key)?.value : undefined;
  const read: unknown = value?.kind === "scalar" ? JSON.parse(value.json) : undefined;
  return typeof read === "string" ? read : undefined;
}
