/** From text to trees: JSON where it is such, else YAML. */

import { Composer, type Document, Lexer, Parser, visit } from "yaml";
import { type Budget, TreeBuilder } from "./compose.js";
import { readJson } from "./json.js";
import { type Known, moved, type Piece } from "./known.js";
import { lineCounter, lineEnd } from "./lines.js";
import * as problems from "./problem.js";
import { MAX_BYTES, MAX_DEPTH, MAX_NODES, type Problem, Unreadable } from "./problem.js";
import { templateIn } from "./template.js";
import type { Node, Range } from "./tree.js";

/** A document of a text. */
export interface Reading extends Range {
  /** Absent where the text has no meaning. */
  root?: Node;
  problems: Problem[];
}

/** Scalars stay texts, and keys may be there twice: what they mean is decided in `compose.ts`. */
const OPTIONS = {
  keepSourceTokens: true,
  logLevel: "silent",
  merge: false,
  resolveKnownTags: false,
  schema: "failsafe",
  uniqueKeys: false,
} as const;

/** The documents of a text. Those without content are left out; those that are `known` are not read again. */
export function read(text: string, known?: Known): Reading[] {
  const refused = (problem: Problem): Reading[] => [{ from: 0, to: text.length, problems: [problem] }];
  if (text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES) {
    return refused(problems.tooLarge({ from: 0, to: 0 }));
  }
  const strange = text.search(/[\0\p{Surrogate}]/u);
  if (strange >= 0) return refused(problems.notText({ from: strange, to: strange + 1 }));

  const lineAt = lineCounter(text);
  const json = /^\s*[{[]/.test(text) ? readJson(text, lineAt) : undefined;
  const readings = json ?? readPieces(text, lineAt, known);
  const template = templateIn(text, readings.flatMap(({ problems }) => problems));
  if (template) return refused(template);
  return readings.filter(
    ({ root, problems }) => problems.length > 0 || !(root?.kind === "scalar" && root.json === "null"),
  );
}

/** Reads each document for itself, with one budget for all. */
function readPieces(text: string, lineAt: (offset: number) => number, known: Known | undefined): Reading[] {
  const budget: Budget = { nodes: MAX_NODES, repeated: MAX_BYTES };
  const found: Reading[] = [];
  const pieces = piecesOf(text);
  for (const piece of pieces) {
    const before = known?.of(piece);
    if (before && before.nodes <= budget.nodes && before.repeated <= budget.repeated) {
      budget.nodes -= before.nodes;
      budget.repeated -= before.repeated;
      found.push(...before.readings);
      continue;
    }
    const { nodes, repeated } = budget;
    const readings = readYaml(piece.text, (offset) => lineAt(piece.from + offset), budget).map((reading) => moved(reading, piece.from));
    known?.keep(piece, { readings, nodes: nodes - budget.nodes, repeated: repeated - budget.repeated });
    found.push(...readings);
    if (budget.nodes < 0) break;
  }
  known?.forget(pieces.length);
  return found;
}

const MARKER = /^---(?=[ \t\r\n]|$)/gm;
/** What says something of documents next to their own: a directive, or an end. */
const BETWEEN = /^(?:%|\.\.\.)/m;

/** The documents of a text, each from its `---` on; those with nothing but comments go with the next one. */
function piecesOf(text: string): Piece[] {
  if (BETWEEN.test(text)) return [{ text, from: 0 }];
  const markers = Array.from(text.matchAll(MARKER), ({ index }) => index);
  const starts = [0, ...markers.filter((marker, at) => /^(?!---\s*$)[ \t]*[^\s#]/m.test(text.slice(markers[at - 1] ?? 0, marker)))];
  return starts.map((from, at) => ({ text: text.slice(from, starts[at + 1]), from }));
}

function readYaml(text: string, lineAt: (offset: number) => number, budget: Budget): Reading[] {
  const readings: Reading[] = [];
  try {
    for (const document of new Composer(OPTIONS).compose(lexemes(text), true, text.length)) {
      readings.push(readDocument(document, text, new TreeBuilder(text, budget, lineAt)));
      if (budget.nodes < 0) break;
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    readings.push({ from: 0, to: text.length, problems: [error.problem] });
  }
  return readings;
}

/** What the composer reads, ended by a problem where it is too deep or too much to be composed. */
function* lexemes(text: string): ReturnType<Parser["parse"]> {
  const parser = new Parser();
  const marks = { "---": 0, "-": 0, ":": 0, ",": 0, any: 0 };
  for (const lexeme of new Lexer().lex(text)) {
    const range = { from: parser.offset, to: parser.offset + 1 };
    yield* parser.next(lexeme);
    // On the stack are the containers, the document and the scalar at hand.
    if (parser.stack.length > MAX_DEPTH + 3) throw new Unreadable(problems.tooDeep(range));
    if (lexeme === "---" || lexeme === "-" || lexeme === ":" || lexeme === ",") marks[lexeme] += 1;
    marks.any += Number(lexeme > " " && !lexeme.startsWith("#"));
    // Each document, each item behind a dash, each entry behind a colon and each part before a comma is a value, and no
    // value has more than a few other marks around it: a key, an anchor, a tag.
    const values = Math.max(marks["---"], marks["-"] + marks[":"], marks[","], marks.any / 7);
    if (values > MAX_NODES) throw new Unreadable(problems.tooManyNodes(range));
  }
  yield* parser.end();
}

function readDocument(document: Document.Parsed, text: string, builder: TreeBuilder): Reading {
  const [from, , to] = document.range;
  const problem = syntaxProblem(document, text);
  if (problem) return { from, to, problems: [problem] };
  try {
    const root = builder.build(document);
    return { from, to, root, problems: builder.problems };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return { from, to, problems: [...builder.problems, error.problem] };
  }
}

/** The first error of a document. The parser makes the others of it more often than not, and none has a meaning next to it. */
function syntaxProblem(document: Document.Parsed, text: string): Problem | undefined {
  const found = document.errors.map(({ message, pos }) => {
    // What is never closed is noticed at the end, but wrong where it starts.
    const from = Math.min(openQuote(document, message, pos[0]), text.trimEnd().length);
    return problems.syntax(message, { from, to: Math.max(from, Math.min(pos[1], lineEnd(text, from))) });
  });
  return found.sort((one, other) => one.from - other.from)[0];
}

/** Where the quoted scalar starts that ends here without its quote; for other errors, here. */
function openQuote(document: Document.Parsed, message: string, at: number): number {
  let start = at;
  if (/closing .quote/.test(message)) {
    visit(document, {
      Scalar: (_, { range, type }) => {
        if (range?.[1] === at && type?.startsWith("QUOTE")) start = range[0];
      },
    });
  }
  return start;
}
