/** From text to trees: JSON where it is such, else YAML. */

import { Composer, type Document, Lexer, Parser, visit } from "yaml";
import { type Budget, TreeBuilder } from "./compose.js";
import { readJson } from "./json.js";
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

/** The documents of a text. Those without content are left out. */
export function read(text: string): Reading[] {
  const refused = (problem: Problem): Reading[] => [{ from: 0, to: text.length, problems: [problem] }];
  if (text.length > MAX_BYTES || new TextEncoder().encode(text).length > MAX_BYTES) {
    return refused(problems.tooLarge({ from: 0, to: 0 }));
  }
  const strange = text.search(/[\0\p{Surrogate}]/u);
  if (strange >= 0) return refused(problems.notText({ from: strange, to: strange + 1 }));

  const lineAt = lineCounter(text);
  const json = /^\s*[{[]/.test(text) ? readJson(text, lineAt) : undefined;
  const readings = json ?? readYaml(text, lineAt);
  const template = templateIn(text, readings.flatMap(({ problems }) => problems));
  if (template) return refused(template);
  return readings.filter(
    ({ root, problems }) => problems.length > 0 || !(root?.kind === "scalar" && root.json === "null"),
  );
}

function readYaml(text: string, lineAt: (offset: number) => number): Reading[] {
  const budget: Budget = { nodes: MAX_NODES, repeated: MAX_BYTES };
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

/** The first error of a document. The parser makes the others of it more often than not, and none has a meaning beside it. */
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
