import { type FunctionalComponent, h, type VNode } from "vue";
import { codeOf, splitInvisible } from "../invisible.js";

/** A pair of backticks around words. A backtick within a word is a person's own. */
const CODE = /(?<!\w)`([^`]+)`(?!\w)/;

/** A text whose invisible characters are seen. */
export function seen(text: string): (string | VNode)[] {
  return splitInvisible(text).map((part, at) => (at % 2 === 1 ? h("span", { class: "trellis-invisible" }, codeOf(part)) : part));
}

/** A text in which what stands between a pair of backticks is code. */
export const Prose: FunctionalComponent<{ text: string }> = ({ text }) =>
  text.split(CODE).flatMap((part, at) => (at % 2 === 1 ? [h("code", { class: "trellis-code" }, seen(part))] : seen(part)));
Prose.props = ["text"];

/** Where the words are that somebody looks for. */
export function foundIn(text: string, words: string[]): { from: number; to: number }[] {
  if (words.length === 0) return [];
  const sought = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return [...text.matchAll(new RegExp(sought.join("|"), "gi"))].map(({ 0: found, index }) => ({ from: index, to: index + found.length }));
}

/** A text in which the words that somebody looks for are marked. */
export const Marked: FunctionalComponent<{ text: string; words: string[] }> = ({ text, words }) => {
  const found = foundIn(text, words);
  const marks = found.flatMap(({ from, to }, at) => [
    ...seen(text.slice(found[at - 1]?.to ?? 0, from)),
    h("mark", { class: "trellis-mark" }, seen(text.slice(from, to))),
  ]);
  return [...marks, ...seen(text.slice(found.at(-1)?.to ?? 0))];
};
Marked.props = ["text", "words"];

/** The path of a field, which breaks before dots and brackets. */
export const FieldPath: FunctionalComponent<{ path: string }> = ({ path }) =>
  path.split(/(?=[.[])/).flatMap((part, at) => [...(at === 0 ? [] : [h("wbr")]), ...seen(part)]);
FieldPath.props = ["path"];
