/** Documents as trees that know where each part stands, and how numbers were spelled. */

/** A range of a text in UTF-16 units, end excluded. */
export interface Range {
  from: number;
  to: number;
}

/**
 * A value and its place. What an alias stands for has the place of the alias; what is inside it, that of the anchor's.
 */
export type Node = ScalarNode | SequenceNode | MappingNode;

interface Placed extends Range {
  /** Offset behind the `:` or `-` that the value follows; absent at the root and in brackets without a colon. */
  behind?: number;
  /** Whether an alias stands here. */
  alias?: true;
}

export interface ScalarNode extends Placed {
  kind: "scalar";
  /** JSON text of the value, numbers as the person spelled them. */
  json: string;
  /** End of a block scalar (`|` or `>`) with its trailing line breaks. */
  blockEnd?: number;
}

export interface SequenceNode extends Placed {
  kind: "sequence";
  /** Whether it stands in brackets. */
  flow: boolean;
  items: Node[];
}

export interface MappingNode extends Placed {
  kind: "mapping";
  flow: boolean;
  /** In the order of the text; a key may be there twice, which is a problem of the document. */
  entries: Entry[];
}

export interface Entry {
  key: string;
  keyRange: Range;
  value: Node;
  /** Whether `<<` brought it from another mapping. */
  merged?: true;
}

/** The last entry of that key, which is the one that counts. */
export function entryOf(mapping: MappingNode, key: string): Entry | undefined {
  return mapping.entries.filter((entry) => entry.key === key).at(-1);
}

/** A tree as JSON text on one line. */
export function toJson(node: Node): string {
  switch (node.kind) {
    case "scalar":
      return node.json;
    case "sequence":
      return `[${node.items.map(toJson).join()}]`;
    case "mapping":
      return `{${node.entries.map(({ key, value }) => `${JSON.stringify(key)}:${toJson(value)}`).join()}}`;
  }
}

/** The tokens of a JSON pointer (RFC 6901). */
export function tokens(pointer: string): string[] {
  return pointer.split("/").slice(1).map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** A key as a token of a JSON pointer. */
export function pointerTo(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** An index of a list as RFC 6901 spells it: no sign, no leading zero. */
export function index(token: string): number | undefined {
  return /^(0|[1-9][0-9]*)$/.test(token) ? Number(token) : undefined;
}

/** Whether a pointer leads to another, or below it. */
export function isWithin(pointer: string, ancestor: string): boolean {
  return `${pointer}/`.startsWith(`${ancestor}/`);
}
