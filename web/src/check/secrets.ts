/** Where the values of Secrets stand in a text. */

import { lineEnd } from "../yaml/lines.js";
import { isSecretKind } from "./objects.js";
import type { Problem } from "../yaml/problem.js";
import { type Node, type Range, type ScalarNode, entryOf } from "../yaml/tree.js";

const FIELDS = new Set(["data", "stringData"]);
/** An annotation with which `kubectl apply` repeats the whole object. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** The values of a Secret that was read, or of those in a list of objects, in the order of the text. */
export function secretsOf(text: string, object: Node, kind = kindOf(object), root = object): Range[] {
  if (isSecretKind(kind)) return valuesOf(text, object, root);
  const items = kind?.endsWith("List") ? valueOf(object, "items") : undefined;
  if (items?.kind !== "sequence") return [];
  // Items of a list of one kind need not say which it is.
  const of = kind === "List" ? undefined : kind?.slice(0, -"List".length);
  return ordered(items.items.flatMap((item) => secretsOf(text, item, kindOf(item) ?? of, root)));
}

function kindOf(object: Node): string | undefined {
  const kind = valueOf(object, "kind");
  const value: unknown = kind?.kind === "scalar" ? JSON.parse(kind.json) : undefined;
  return typeof value === "string" ? value : undefined;
}

function valueOf(node: Node, key: string): Node | undefined {
  return node.kind === "mapping" ? entryOf(node, key)?.value : undefined;
}

function valuesOf(text: string, secret: Node, root: Node): Range[] {
  const scalars: ScalarNode[] = [];
  for (const { key, value } of entriesOf(secret)) {
    if (FIELDS.has(key)) scalars.push(...scalarsOf(value));
    if (key === "metadata") scalars.push(...lastApplied(value));
  }
  // What an alias repeats stands at its anchor, too.
  const repeated = new Set(scalars.filter(({ alias }) => alias).map(({ json }) => json));
  if (repeated.size > 0) scalars.push(...scalarsOf(root).filter(({ json }) => repeated.has(json)));
  return ordered(scalars.filter(({ from, to }) => from < to).map((scalar) => wholeScalar(text, scalar)));
}

function entriesOf(node: Node): { key: string; value: Node }[] {
  return node.kind === "mapping" ? node.entries : [];
}

function lastApplied(metadata: Node): ScalarNode[] {
  const annotations = entriesOf(metadata).filter(({ key }) => key === "annotations");
  const found = annotations.flatMap(({ value }) => entriesOf(value)).filter(({ key }) => key === LAST_APPLIED);
  return found.flatMap(({ value }) => scalarsOf(value));
}

function scalarsOf(node: Node): ScalarNode[] {
  if (node.kind === "scalar") return [node];
  const children = node.kind === "sequence" ? node.items : node.entries.map(({ value }) => value);
  return children.flatMap(scalarsOf);
}

/** A scalar without white space at its end. */
function wholeScalar(text: string, { from, to }: Range): Range {
  return { from, to: from + text.slice(from, to).trimEnd().length };
}

/** In the order of the text, those that touch made one. */
function ordered(ranges: Range[]): Range[] {
  const found: Range[] = [];
  for (const range of ranges.sort((one, other) => one.from - other.from)) {
    const last = found.at(-1);
    if (last && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else found.push({ ...range });
  }
  return found;
}

/** A line that says that a document is a Secret or a list of them, also within brackets. */
const IS_SECRET = /(?:^|[{,\s])["']?kind["']?[ \t]*:[ \t]*["']?(?:Internal)?Secret(?:List)?(?![\w-])/;
/** The key of what is to be hidden, at the start of a line or within brackets. */
const FIELD = new RegExp(`(^|[{,])([ \\t]*)["']?(?:data|stringData|${LAST_APPLIED.replaceAll(".", "\\.")})["']?[ \\t]*:`, "g");
const KEY = /^[ \t]*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'{[#][^:#]*)[ \t]*:(?=[ \t]|$)/;

/** Whether a text may be a Secret, as its lines alone show. */
function looksSecret(text: string): boolean {
  return text.split("\n").some((line) => IS_SECRET.test(line));
}

/**
 * Where the values of Secrets stand, as the lines alone show, for a text that nobody has read yet or that is half
 * written. Rather hides too much than too little.
 */
export function guessSecrets(text: string): Range[] {
  if (!text.includes("Secret")) return [];
  const separators = Array.from(text.matchAll(/^---/gm), ({ index }) => index);
  const starts = [0, ...separators, text.length];
  return starts.flatMap((start, at) => {
    const document = text.slice(start, starts[at + 1]);
    return looksSecret(document) ? guessDocument(document, start) : [];
  });
}

function guessDocument(text: string, offset: number): Range[] {
  const found: Range[] = [];
  const hide = (from: number, to: number): void => {
    const shown = text.slice(from, to);
    const part = shown.trim();
    // A header of a block scalar and an open bracket say nothing.
    if (part && !/^(?:[|>][-+0-9]*|[[\]{},]+)(?:\s+#.*)?$/.test(part)) {
      const start = offset + from + (shown.length - shown.trimStart().length);
      found.push({ from: start, to: start + part.length });
    }
  };
  /** Column of the key whose lines are hidden. */
  let column: number | undefined;
  for (let start = 0; start < text.length; start = text.indexOf("\n", start) + 1 || text.length) {
    const end = lineEnd(text, start);
    const line = text.slice(start, end);
    const indentation = /^[ \t]*/.exec(line)?.[0].length ?? 0;
    if (column !== undefined && line.trim() && indentation > column) {
      const key = KEY.exec(line)?.[0];
      hide(start + (key?.length ?? indentation), end);
      continue;
    }
    if (line.trim()) column = undefined;
    FIELD.lastIndex = 0;
    const field = FIELD.exec(line);
    if (!field) continue;
    if (!field[1]) column = indentation;
    hide(start + field.index + field[0].length, end);
  }
  return ordered(found);
}

/** What is wrong with the text of a Secret, without words of the text. */
export function withoutText(problem: Problem): Problem {
  if (problem.readable) return problem;
  return {
    ...problem,
    message: "the Secret cannot be read here: this is not valid YAML, or nothing that a manifest can have",
    remedy: "check indentation, quotes, tags and brackets here and in the line above",
  };
}
