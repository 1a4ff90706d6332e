/** From the parser's nodes to a tree, within limits: tags, aliases and merge keys are given their meaning here. */

import {
  type Alias,
  type Document,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
  isAlias,
  isMap,
  isScalar,
  isSeq,
} from "yaml";
import { lineEnd } from "./lines.js";
import * as problems from "./problem.js";
import { type Problem, Unreadable } from "./problem.js";
import { resolve } from "./scalar.js";
import {
  type Entry,
  type MappingNode,
  type Node,
  type Range,
  type ScalarNode,
  type SequenceNode,
  toJson,
} from "./tree.js";

/** What a text may still hold, over all of its documents. */
export interface Budget {
  nodes: number;
  /** Bytes that aliases repeat. */
  repeated: number;
}

interface Anchor {
  node: Node;
  nodes: number;
  height: number;
}

const CORE = "tag:yaml.org,2002:";

/** The tree of a document. Adds to its problems, and throws `Unreadable` where it has no meaning. */
export class TreeBuilder {
  readonly problems: Problem[] = [];
  private readonly anchors = new Map<string, Anchor>();
  /** Levels below the node that was built last. */
  private height = 0;

  constructor(
    private readonly text: string,
    private readonly budget: Budget,
    private readonly lineAt: (offset: number) => number,
  ) {}

  build(document: Document.Parsed): Node {
    const end = document.range[1];
    return this.node(document.contents, { from: end, to: end }, 0, undefined, false);
  }

  /** `absent` is the place of a value that is not there. */
  private node(parsed: unknown, absent: Range, depth: number, behind: number | undefined, isKey: boolean): Node {
    const before = this.budget.nodes;
    const anchor = isScalar(parsed) || isMap(parsed) || isSeq(parsed) ? parsed.anchor : undefined;
    // Inside a value its own anchor is not there yet, nor is an older one of that name any more.
    if (anchor) this.anchors.delete(anchor);
    let node: Node;
    this.height = 0;
    if (isAlias(parsed)) {
      node = this.alias(parsed, depth);
    } else if (isMap(parsed) || isSeq(parsed)) {
      node = this.collection(parsed, depth, isKey);
    } else {
      if (!isKey) this.count(1, absent);
      node = isScalar(parsed) ? this.scalar(parsed) : { kind: "scalar", json: "null", ...absent };
    }
    if (behind !== undefined) node = { ...node, behind };
    if (anchor) {
      const nodes = isScalar(parsed) ? 1 : before - this.budget.nodes;
      this.count(nodes, node);
      this.anchors.set(anchor, { node, nodes, height: this.height });
    }
    return node;
  }

  private count(nodes: number, range: Range): void {
    this.budget.nodes -= nodes;
    if (this.budget.nodes < 0) throw new Unreadable(problems.tooManyNodes(range));
  }

  private alias(parsed: Alias, depth: number): Node {
    const range = rangeOf(parsed);
    const anchor = this.anchors.get(parsed.source);
    if (!anchor) throw new Unreadable(problems.unknownAlias(parsed.source)(range));
    if (depth + anchor.height > problems.MAX_DEPTH) throw new Unreadable(problems.tooDeep(range));
    this.count(anchor.nodes, range);
    this.budget.repeated -= toJson(anchor.node).length;
    if (this.budget.repeated < 0) throw new Unreadable(problems.repeatsTooMuch(range));
    this.height = anchor.height;
    return { ...anchor.node, ...range, alias: true };
  }

  private collection(parsed: YAMLMap | YAMLSeq, depth: number, isKey: boolean): Node {
    const range = rangeOf(parsed);
    if (depth >= problems.MAX_DEPTH) throw new Unreadable(problems.tooDeep(range));
    if (isKey) throw new Unreadable(problems.keyNotScalar(range));
    const tag = `${CORE}${isMap(parsed) ? "map" : "seq"}`;
    if (parsed.tag !== undefined && parsed.tag !== tag) throw unknownTag(parsed.tag, range);
    this.count(1, range);
    return isMap(parsed) ? this.mapping(parsed, range, depth + 1) : this.sequence(parsed, range, depth + 1);
  }

  private sequence(parsed: YAMLSeq, range: Range, depth: number): SequenceNode {
    const token = parsed.srcToken;
    const starts = token?.type === "block-seq" ? token.items.map(({ start }) => start) : [];
    const dashes = starts.flatMap((start) => offsetsBehind(start, "seq-item-ind"));
    let height = 1;
    const items = parsed.items.map((item, at) => {
      const node = this.node(item, range, depth, dashes[at], false);
      height = Math.max(height, this.height + 1);
      return node;
    });
    this.height = height;
    const last = items.at(-1);
    const end = Math.max(last?.to ?? 0, last?.behind ?? 0);
    return { kind: "sequence", flow: parsed.flow ?? false, items, ...range, to: parsed.flow ? range.to : end };
  }

  private mapping(parsed: YAMLMap, range: Range, depth: number): MappingNode {
    const entries: Entry[] = [];
    const merges: MappingNode[] = [];
    const keys = new Map<string, number>();
    let height = 1;
    // What stands below the last value of a block by indentation alone is not part of it.
    let end = range.from;
    for (const pair of parsed.items as Pair[]) {
      const keyNode = this.node(pair.key, range, depth, undefined, true);
      const keyRange = { from: keyNode.from, to: keyNode.to };
      const isMerge = isScalar(pair.key) && pair.key.type === "PLAIN" && !pair.key.tag && pair.key.source === "<<";
      const key = isMerge ? "<<" : keyOf(keyNode);
      const behind = colonOf(pair);
      const absent = behind ?? keyRange.to;
      const value = this.node(pair.value, { from: absent, to: absent }, depth, behind, false);
      height = Math.max(height, this.height + 1);
      end = value.from < value.to ? value.to : keyRange.to;
      if (isMerge) {
        merges.push(...mappingsOf(value));
        continue;
      }
      const first = keys.get(key);
      if (first !== undefined) this.problems.push(problems.duplicateKey(key, this.lineAt(first))(keyRange));
      else keys.set(key, keyRange.from);
      entries.push({ key, keyRange, value });
    }
    // Entries that are not there yet; earlier mappings go first.
    for (const entry of merges.flatMap((mapping) => mapping.entries)) {
      if (keys.has(entry.key)) continue;
      keys.set(entry.key, entry.keyRange.from);
      entries.push({ ...entry, merged: true });
    }
    this.height = height;
    return { kind: "mapping", flow: parsed.flow ?? false, entries, ...range, to: parsed.flow ? range.to : end };
  }

  private scalar(parsed: Scalar): ScalarNode {
    const range = rangeOf(parsed);
    const text = parsed.source ?? "";
    const json = this.value(parsed, text, range);
    if (parsed.type !== "BLOCK_LITERAL" && parsed.type !== "BLOCK_FOLDED") return { kind: "scalar", json, ...range };
    // As the command line points at it: at the content behind the header, or at the header where there is none.
    const header = lineEnd(this.text, range.from);
    const content = this.text.slice(header, range.to);
    const from = content.trim() ? header + content.search(/\S/) : range.from;
    return { kind: "scalar", json, from, to: Math.max(header, header + content.trimEnd().length), blockEnd: range.to };
  }

  private value(parsed: Scalar, text: string, range: Range): string {
    const { tag, type } = parsed;
    // A lone `!` says: a text.
    const isText = tag === "!" || tag === `${CORE}str` || tag === `${CORE}timestamp` || (!tag && type !== "PLAIN");
    if (isText) return JSON.stringify(text);
    const expected = tag === undefined ? undefined : FITS.get(tag);
    if (tag !== undefined && !expected) throw unknownTag(tag, range);
    const json = resolve(text);
    if (json === undefined) throw new Unreadable(problems.notFinite(text)(range));
    if (tag !== undefined && !expected?.test(json)) throw new Unreadable(problems.tagMismatch(short(tag))(range));
    return json;
  }
}

/** What the JSON of a value with one of these tags looks like. */
const FITS = new Map([
  [`${CORE}int`, /^-?[0-9]+$/],
  [`${CORE}float`, /^-?[0-9]/],
  [`${CORE}bool`, /^(true|false)$/],
  [`${CORE}null`, /^null$/],
]);

function unknownTag(tag: string, range: Range): Unreadable {
  return new Unreadable(problems.unknownTag(short(tag))(range));
}

/** A tag as people write it. */
function short(tag: string): string {
  return tag.startsWith(CORE) ? `!!${tag.slice(CORE.length)}` : tag;
}

function rangeOf(parsed: Scalar | Alias | YAMLMap | YAMLSeq): Range {
  const [from, to] = parsed.range ?? [0, 0];
  return { from, to };
}

function keyOf(node: Node): string {
  if (node.kind !== "scalar" || node.json === "null") throw new Unreadable(problems.keyNotScalar(node));
  return node.json.startsWith('"') ? String(JSON.parse(node.json)) : node.json;
}

function mappingsOf(value: Node): MappingNode[] {
  const parts = value.kind === "sequence" ? value.items : [value];
  return parts.map((part) => {
    if (part.kind !== "mapping") throw new Unreadable(problems.mergeNotMapping(value));
    return part;
  });
}

/** Offset behind the colon of a pair, if it has one. */
function colonOf(pair: Pair): number | undefined {
  return offsetsBehind(pair.srcToken?.sep ?? [], "map-value-ind")[0];
}

function offsetsBehind(tokens: { type: string; offset: number; source: string }[], type: string): number[] {
  return tokens.filter((token) => token.type === type).map(({ offset, source }) => offset + source.length);
}
