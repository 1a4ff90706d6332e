/** Values as YAML or JSON text that reads as the same values. */

import { type Part, entriesOf } from "./patch.js";
import { resolve } from "./scalar.js";

/** How a document is written. */
export interface Style {
  /** Line break. */
  eol: string;
  /** Columns by which the entries of a mapping stand right of its key. */
  step: number;
  /** The same for the dashes of a list. */
  dash: number;
  /** The quote for texts that need one. */
  quote: '"' | "'";
  /** Whether texts are quoted that need it not. */
  always?: boolean;
}

/** How a list or mapping in brackets is written. */
export interface FlowStyle {
  /** Whether all texts and keys are in double quotes, as JSON has it. */
  json: boolean;
  /** What stands between a key and its value. */
  colon: string;
  /** What stands between entries on one line. */
  comma: string;
  /** For entries on lines of their own: the indentation of the line with the bracket, and of one level. */
  lines?: { indent: string; step: string; eol: string };
}

/**
 * A value as it stands behind the colon of a key, or behind the dash of an item, at that column: on the same line with a
 * space before it, or on lines of its own.
 */
export function behind(part: Part, after: "colon" | "dash", column: number, style: Style): string {
  if (part.kind === "scalar" || isEmpty(part) || after === "dash") return ` ${block(part, column + 2, style)}`;
  const inner = column + (part.kind === "mapping" ? style.step : style.dash);
  return style.eol + " ".repeat(inner) + block(part, inner, style);
}

/** A value as a block in that column, without the indentation of its first line. */
export function block(part: Part, column: number, style: Style): string {
  if (part.kind === "scalar") return scalar(part.json, style);
  if (isEmpty(part)) return part.kind === "mapping" ? "{}" : "[]";
  const lines =
    part.kind === "mapping"
      ? [...entriesOf(part)].map(([key, value]) => entry(key, value, column, style))
      : part.items.map((item) => `-${behind(item, "dash", column, style)}`);
  return lines.join(style.eol + " ".repeat(column));
}

/** The style for a text in the place of one that starts so: what is in quotes stays in such. */
export function quotedAs(first: string | undefined, style: Style): Style {
  return first === '"' || first === "'" ? { ...style, quote: first, always: true } : style;
}

/** A key without its colon. */
export function keyText(key: string, style: ScalarStyle): string {
  return scalar(JSON.stringify(key), style);
}

/** An entry of a block, without its indentation. */
export function entry(key: string, value: Part, column: number, style: Style): string {
  return `${keyText(key, { quote: style.quote })}:${behind(value, "colon", column, style)}`;
}

/** A value as it stands in brackets. */
export function flow(part: Part, style: FlowStyle): string {
  if (part.kind === "scalar") return style.json ? part.json : scalar(part.json, IN_BRACKETS);
  const [open, close] = part.kind === "mapping" ? "{}" : "[]";
  if (isEmpty(part)) return `${open}${close}`;
  const { lines, ...line } = style;
  const inner = lines ? { ...line, lines: { ...lines, indent: lines.indent + lines.step } } : line;
  const entries =
    part.kind === "mapping"
      ? [...entriesOf(part)].map(([key, value]) => flowEntry(key, value, inner))
      : part.items.map((item) => flow(item, inner));
  if (!lines) return `${open}${entries.join(style.comma)}${close}`;
  const outer = lines.eol + lines.indent;
  return `${open}${outer}${lines.step}${entries.join(`,${outer}${lines.step}`)}${outer}${close}`;
}

/** An entry of a mapping in brackets. */
export function flowEntry(key: string, value: Part, style: FlowStyle): string {
  return `${style.json ? JSON.stringify(key) : keyText(key, IN_BRACKETS)}${style.colon}${flow(value, style)}`;
}

function isEmpty(part: Part): boolean {
  return part.kind === "mapping" ? entriesOf(part).size === 0 : part.kind === "sequence" && part.items.length === 0;
}

/** Texts that readers of other YAML versions would take for a date or a time. */
const TIME = /^\d{4}-\d|^[-+]?\d[\d_]*(:\d+)+/;
const PLAIN = /^(?!---|\.\.\.)(?:[\p{L}\p{N}_/.+]|-(?=\S))(?:[^\p{C}\p{Z}:]|:(?=\S)| (?=[^\s#]))*$/u;
const PLAIN_IN_BRACKETS = /^[^,[\]{}:]*$/;
const PRINTABLE = /^[^\p{C}\u2028\u2029]*$/u;

interface ScalarStyle {
  /** The quote for texts that need one. */
  quote: '"' | "'";
  /** Whether texts are quoted that need it not. */
  always?: boolean;
  inBrackets?: boolean;
}

const IN_BRACKETS: ScalarStyle = { quote: '"', inBrackets: true };

/** A scalar from its JSON text: a text is plain where that reads as the same text. */
function scalar(json: string, { quote, always = false, inBrackets = false }: ScalarStyle): string {
  if (!json.startsWith('"')) return json;
  const text = String(JSON.parse(json));
  const plain = PLAIN.test(text) && (!inBrackets || PLAIN_IN_BRACKETS.test(text)) && !TIME.test(text);
  if (plain && !always && resolve(text) === json) return text;
  if (quote === "'" && PRINTABLE.test(text)) return `'${text.replaceAll("'", "''")}'`;
  // What JSON leaves as it is and YAML does not.
  return json.replace(/[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g, (found) => {
    return `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
