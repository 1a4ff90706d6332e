/** What is being written at a place of a YAML text, as the editor's own syntax tree shows it, which half a text has, too. */

import { ensureSyntaxTree, language, syntaxTree } from "@codemirror/language";
import { EditorState, type Line } from "@codemirror/state";
import type { ChoicePlace } from "../choices/place.js";
import { excerptAt } from "./excerpt.js";

type SyntaxNode = ReturnType<ReturnType<typeof syntaxTree>["resolveInner"]>;
type Tree = ReturnType<typeof syntaxTree>;

/** What is being written. */
export interface Position {
  /** Where the word starts that is being written. */
  from: number;
  /** A key of the object at `path`, or the value there. */
  part: "key" | "value";
  /** Keys from the top of the document; `[]` stands for any item of a list. */
  path: string[];
  /** The keys that the object has already. */
  siblings: string[];
  /** Column of a key that has a line of its own; none within brackets. */
  column?: number;
  /** Whether a colon follows already. */
  hasColon: boolean;
  /** A text of the document, by keys from its top. */
  textAt(...path: string[]): string | undefined;
  /** The texts at keys within what is at the first `depth` steps of `path`: those of a list, or the one that there is. */
  textsNear(depth: number, ...path: string[]): string[];
}

/** What a place says of a position. `node` is the innermost pair or item around it, or within that. */
interface Found extends Pick<Position, "part" | "path" | "siblings" | "column"> {
  node: SyntaxNode | null;
}

/** Milliseconds that the tree of an excerpt may take. */
const PATIENCE = 200;

/** The steps to a worker pool. */
const POOL = 4;

const WORD = /[\w./-]*$/;
const DASHES = /^([ \t]*)((?:-[ \t]+)*)$/;
const KEY = /^[ \t]*(?:-[ \t]+)*([^\s#'"[\]{},&*!|>%@`-][^#]*?|-[^\s#][^#]*?)[ \t]*:[ \t]+$/;

/** The position at an offset; nothing within comments, quotes and other texts. */
export function positionAt(state: EditorState, pos: number): Position | undefined {
  const excerpt = excerptAt(state.doc, pos);
  if (!excerpt) return undefined;
  const own = EditorState.create({ doc: excerpt.text, extensions: state.facet(language)?.extension ?? [] });
  const found = positionIn(own, excerpt.at);
  return found && { ...found, from: found.from - excerpt.at + pos };
}

function positionIn(state: EditorState, pos: number): Position | undefined {
  const line = state.doc.lineAt(pos);
  const word = WORD.exec(line.text.slice(0, pos - line.from))?.[0] ?? "";
  const from = pos - word.length;
  if (isText(treeOf(state, pos).resolveInner(pos, -1))) return undefined;
  const rest = /^[\w./-]*/.exec(line.text.slice(pos - line.from))?.[0] ?? "";
  const behind = line.text.slice(pos - line.from + rest.length);
  // Without the word all else is in order: half a key would take the lines below for its own.
  const changes = { from, to: pos + rest.length };
  const clean = word || rest ? state.update({ changes, filter: false }).state : state;
  const place = new Place(clean, from);
  const found = place.position(/^[ \t]*:/.test(behind), behind);
  return found && withinItem(found);
}

/** The same position, within the item of a list of objects that it is in: `kubectl get` prints such lists. */
function withinItem(found: Position): Position {
  const kind = found.textAt("kind");
  if (!kind?.endsWith("List") || found.path[0] !== "items" || found.path[1] !== "[]") return found;
  // Items of a list of one kind need not say which it is.
  const names = new Map([["kind", kind.slice(0, -"List".length)], ["apiVersion", found.textAt("apiVersion")]]);
  const inherited = (path: string[]): string | undefined => (path.length === 1 && names.get("kind") !== "" ? names.get(path[0] ?? "") : undefined);
  return withinItem({
    ...found,
    path: found.path.slice(2),
    textAt: (...path) => found.textsNear(2, ...path)[0] ?? inherited(path),
    textsNear: (depth, ...path) => found.textsNear(depth + 2, ...path),
  });
}

/** What a value at a position depends on. */
export function placeOf({ path, textAt, textsNear }: Position): ChoicePlace {
  const beside = (key: string): string | undefined => textsNear(path.length - 1, key)[0];
  const inPool = (...keys: string[]): string | undefined => textsNear(POOL, ...keys)[0];
  return {
    path,
    object: {
      kind: textAt("kind") ?? "",
      metadata: { namespace: textAt("metadata", "namespace") },
      spec: {
        cloudProfile: { kind: textAt("spec", "cloudProfile", "kind"), name: textAt("spec", "cloudProfile", "name") },
        cloudProfileName: textAt("spec", "cloudProfileName"),
        region: textAt("spec", "region"),
      },
    },
    beside: { kind: beside("kind"), name: beside("name") },
    pool: { zones: textsNear(POOL, "zones"), machineType: inPool("machine", "type"), architecture: inPool("machine", "architecture") },
  };
}

function treeOf(state: EditorState, upto: number): Tree {
  return ensureSyntaxTree(state, upto, PATIENCE) ?? syntaxTree(state);
}

function isText({ name }: SyntaxNode): boolean {
  return name === "Comment" || name.startsWith("Quoted") || name.startsWith("BlockLiteral") || name.startsWith("Directive");
}

/** A place of a text at which nothing stands. */
class Place {
  private readonly tree: Tree;
  private readonly line: Line;
  private readonly document: SyntaxNode | undefined;

  constructor(
    private readonly state: EditorState,
    private readonly from: number,
  ) {
    this.tree = treeOf(state, state.doc.length);
    this.line = state.doc.lineAt(from);
    const documents = children(this.tree.topNode).filter(({ name }) => name === "Document");
    this.document = documents.filter((document) => document.from <= from).at(-1) ?? documents[0];
  }

  position(hasColon: boolean, behind: string): Position | undefined {
    const found = this.inBrackets() ?? this.inBlock(behind);
    if (!found) return undefined;
    const { node, ...rest } = found;
    return {
      from: this.from,
      hasColon,
      textAt: (...path) => this.textsAt(mappingIn(this.document), path)[0],
      textsNear: (depth, ...path) => this.textsAt(mappingIn(steps(node)[depth - 1]), path),
      ...rest,
    };
  }

  private inBrackets(): Found | undefined {
    let around: SyntaxNode | null = this.tree.resolveInner(this.from, -1);
    while (around && !(around.name.startsWith("Flow") && around.from < this.from && !this.isClosed(around))) {
      around = around.parent;
    }
    if (!around) return undefined;
    const before = this.text(around.from, this.from).trimEnd();
    const path = this.pathOf(around);
    if (before.endsWith(":")) {
      const pair = ancestor(this.tree.resolveInner(around.from + before.length, -1), "Pair");
      return pair ? { part: "value", path: this.pathOf(pair), siblings: [], node: pair } : undefined;
    }
    if (!/[[{,]$/.test(before)) return undefined;
    const node = around;
    if (node.name === "FlowSequence") return { part: "value", path: [...path, "[]"], siblings: [], node };
    return { part: "key", path, siblings: this.keysOf(node), node };
  }

  /** Whether brackets are closed before this place. */
  private isClosed({ name, to }: SyntaxNode): boolean {
    return to <= this.from && this.text(to - 1, to) === (name === "FlowMapping" ? "}" : "]");
  }

  private inBlock(behind: string): Found | undefined {
    const before = this.line.text.slice(0, this.from - this.line.from);
    const key = KEY.exec(before);
    if (key) {
      const colon = this.line.from + before.trimEnd().length;
      const pair = ancestor(this.tree.resolveInner(colon, -1), "Pair");
      return pair && behind.trim().replace(/^#.*/, "") === ""
        ? { part: "value", path: this.pathOf(pair), siblings: [], node: pair }
        : undefined;
    }
    const dashes = DASHES.exec(before);
    if (!dashes || !/^[ \t]*(?::(?:[ \t]|$)|#|$)/.test(behind)) return undefined;
    const column = before.length;
    const [, indentation = "", items = ""] = dashes;
    const parent = this.parentOf(indentation.length, items !== "");
    if (parent === undefined) return undefined;
    const path = [...(parent ? this.pathOf(parent) : []), ...Array.from(items.matchAll(/-/g), () => "[]")];
    const mapping = items ? this.itemMapping(indentation.length + items.lastIndexOf("-")) : mappingIn(parent ?? this.document);
    const first = mapping?.getChild("Pair");
    if (first && this.columnOf(first.from) !== column) return undefined;
    return { part: "key", path, siblings: mapping ? this.keysOf(mapping) : [], column, node: parent };
  }

  /**
   * The pair or item whose value is written in this column; null at the top of a document, and nothing where what is
   * written there would belong to a scalar.
   */
  private parentOf(column: number, isItem: boolean): SyntaxNode | null | undefined {
    let around: SyntaxNode | null = this.lastBefore();
    for (; around; around = around.parent) {
      if (around.name === "Document") break;
      if (around.name === "Pair") {
        const own = this.columnOf(around.from);
        const value = valueOf(around);
        // A list may stand in the column of its key.
        if (own > column || (own === column && !(isItem && isListLike(value)))) continue;
        if (value?.name === "BlockSequence" ? isItem : !value || value.name === "BlockMapping") return around;
        return undefined;
      }
      if (around.name === "Item" && this.columnOf(this.dashOf(around)) < column) return around;
    }
    return column === 0 || isItem ? null : undefined;
  }

  /** The innermost node of what stands in the lines above, in the same document. */
  private lastBefore(): SyntaxNode | null {
    for (let number = this.line.number - 1; number > 0; number -= 1) {
      const { from, text } = this.state.doc.line(number);
      if (/^---/.test(text)) return null;
      let end = from + text.trimEnd().length;
      if (end === from) continue;
      let node = this.tree.resolveInner(end, -1);
      if (node.name === "Comment") {
        end = from + this.text(from, node.from).trimEnd().length;
        if (end === from) continue;
        node = this.tree.resolveInner(end, -1);
      }
      return node;
    }
    return null;
  }

  /** The mapping of an item whose dash stands in a column of this line. */
  private itemMapping(column: number): SyntaxNode | null {
    const dash = this.tree.resolveInner(this.line.from + column, 1);
    const item = dash.name === "-" ? dash.nextSibling : null;
    return item?.name === "Item" ? mappingIn(item) : null;
  }

  private dashOf(item: SyntaxNode): number {
    return item.prevSibling?.name === "-" ? item.prevSibling.from : item.from;
  }

  private columnOf(offset: number): number {
    return offset - this.state.doc.lineAt(offset).from;
  }

  private text(from: number, to: number): string {
    return this.state.doc.sliceString(from, to);
  }

  private pathOf(node: SyntaxNode): string[] {
    return steps(node).map((step) => (step.name === "Pair" ? (this.keyOf(step) ?? "") : "[]"));
  }

  private keysOf(mapping: SyntaxNode): string[] {
    return mapping.getChildren("Pair").flatMap((pair) => this.keyOf(pair) ?? []);
  }

  private keyOf(pair: SyntaxNode): string | undefined {
    const key = pair.getChild("Key");
    return key ? unquoted(this.text(key.from, key.to)) : undefined;
  }

  /** The texts at a path of keys: those of a list, or the one that there is. */
  private textsAt(from: SyntaxNode | null, path: string[]): string[] {
    let mapping = from;
    let value: SyntaxNode | null = null;
    for (const step of path) {
      const pair = mapping?.getChildren("Pair").find((candidate) => this.keyOf(candidate) === step);
      value = pair ? valueOf(pair) : null;
      mapping = value?.name.endsWith("Mapping") ? value : null;
    }
    const items = value?.name.endsWith("Sequence") ? value.getChildren("Item").map(valueOf) : [value];
    return items.flatMap((item) => (item && /Literal$/.test(item.name) ? [unquoted(this.text(item.from, item.to))] : []));
  }
}

/** The pairs and items around a node and it itself, from the outermost: a step of a path each. */
function steps(node: SyntaxNode | null): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let at = node; at; at = at.parent) {
    if (at.name === "Pair" || at.name === "Item") found.unshift(at);
  }
  return found;
}

function children(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}

function ancestor(node: SyntaxNode, name: string): SyntaxNode | null {
  let at: SyntaxNode | null = node;
  while (at && at.name !== name) at = at.parent;
  return at;
}

/** The mapping that is the value of a pair, an item or a document. */
function mappingIn(node: SyntaxNode | undefined): SyntaxNode | null {
  return node?.getChild("BlockMapping") ?? node?.getChild("FlowMapping") ?? null;
}

/** The value of a pair or an item. */
function valueOf(pair: SyntaxNode): SyntaxNode | null {
  return children(pair).find(({ name }) => /Mapping$|Sequence$|Literal$|^Alias$|^Tagged$|^Anchored$/.test(name)) ?? null;
}

function isListLike(value: SyntaxNode | null): boolean {
  return value === null || value.name === "BlockSequence";
}

function unquoted(text: string): string {
  return /^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text;
}
