/** What can be wrong with a text before anybody looks at its meaning. */

import type { Range } from "./tree.js";

/** Largest text, in bytes of UTF-8. */
export const MAX_BYTES = 3 << 20;
/** Deepest nesting of lists and mappings. */
export const MAX_DEPTH = 64;
/** Most values in a text. Keys do not count; what anchors keep and aliases repeat does. */
export const MAX_NODES = 50_000;

/** Something wrong with a text, and its place. */
export interface Problem extends Range {
  message: string;
  /** What to do about it. */
  remedy: string;
  /** Whether the document has a meaning all the same: a key set twice has, and its last value counts. */
  readable: boolean;
  /** The line of its first character in the whole text, the first being 1; present in a review. */
  line?: number;
}

/** A text without meaning: why. */
export class Unreadable extends Error {
  constructor(readonly problem: Problem) {
    super(problem.message);
  }
}

function problem(message: string, remedy: string, readable = false): (range: Range) => Problem {
  return ({ from, to }) => ({ from, to, message, remedy, readable });
}

export const tooLarge = problem(
  `the text is larger than ${MAX_BYTES >> 20} MiB`,
  "give fewer documents at a time",
);
export const notText = problem(
  "the text has a character that is none: a NUL, or half of a surrogate pair",
  "remove the character",
);
export const tooDeep = problem(
  `lists and mappings are nested more than ${MAX_DEPTH} levels deep`,
  "no manifest needs that: look for brackets that are never closed",
);
export const tooManyNodes = problem(
  `the text has more than ${MAX_NODES.toLocaleString("en")} values, counting those that aliases repeat`,
  "split the text, or write out what the aliases repeat",
);
export const repeatsTooMuch = problem(
  `aliases repeat more than ${MAX_BYTES >> 20} MiB`,
  "write out what the aliases repeat, and shorten it",
);
export const keyNotScalar = problem(
  "a key must be a text, a number or a boolean",
  "write the key as a quoted text",
);
export const mergeNotMapping = problem(
  "`<<` merges mappings, and this is none",
  "give `<<` an alias of a mapping, or a list of such",
);

/** As much of a text as a message can hold. */
function shown(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

export const duplicateKey = (key: string, firstLine: number): ((range: Range) => Problem) =>
  problem(
    `the key \`${shown(key)}\` is already set in line ${firstLine}`,
    "keep one of the two and remove the other",
    true,
  );
export const notFinite = (text: string): ((range: Range) => Problem) =>
  problem(
    `\`${shown(text)}\` is not a number that a computer can hold`,
    `write a finite number, or quote it if it is a text: \`"${shown(text)}"\``,
  );
export const unknownTag = (tag: string): ((range: Range) => Problem) =>
  problem(`the tag \`${shown(tag)}\` has no meaning in a manifest`, "remove the tag; quote the value if it is a text");
export const tagMismatch = (tag: string): ((range: Range) => Problem) =>
  problem(`the value does not fit its tag \`${tag}\``, "remove the tag, or write a value of its type");
export const unknownAlias = (name: string): ((range: Range) => Problem) =>
  problem(
    `the alias \`*${shown(name)}\` has no anchor before it in this document`,
    `set the anchor \`&${shown(name)}\` earlier in the document, or quote the value if it is a text`,
  );

export const template = problem(
  "this looks like a template",
  "render it first (`helm template`, `envsubst`), and give what comes out",
);

/** What usually fixes a syntax error of which the parser's message says this. */
const HELPS: [RegExp, string][] = [
  [/^Tabs/, "indent with spaces, not with tabs"],
  [/^Nested mappings/, "quote the value if it has `: ` in it, or check the indentation"],
  [/^Implicit keys need/, "put a space behind the colon; quote the value if it has `: ` in it, or check the indentation"],
  [/reserved character|^Plain value cannot/, "quote the value"],
  [/closing .quote/, "close the quote that is opened here"],
  [/escape sequence/, "write `\\\\` for a backslash"],
  [/^Implicit map keys need/, "put a colon and a space behind the key, or check the indentation"],
  [/end with a [\]}]|flow-error|flow-(map|seq)-end/i, "check that every bracket has its partner"],
  [/flow-(map|seq)-start at node end/, "put `---` between documents"],
];

/** A syntax error as the parser words it. */
export function syntax(message: string, range: Range): Problem {
  const help = HELPS.find(([words]) => words.test(message))?.[1];
  const lower = message.charAt(0).toLowerCase() + shown(message.slice(1));
  return problem(
    `this is not valid YAML: ${lower}`,
    help ?? "check indentation, quotes and brackets here and in the line above",
  )(range);
}
