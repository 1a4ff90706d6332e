import { type FunctionalComponent, h } from "vue";

/** A pair of backticks around words. A backtick within a word is a person's own. */
const CODE = /(?<!\w)`([^`]+)`(?!\w)/;

/** A text in which what stands between a pair of backticks is code. */
export const Prose: FunctionalComponent<{ text: string }> = ({ text }) =>
  text.split(CODE).map((part, at) => (at % 2 === 1 ? h("code", { class: "trellis-code" }, part) : part));
Prose.props = ["text"];

/** The path of a field, which breaks before dots and brackets. */
export const FieldPath: FunctionalComponent<{ path: string }> = ({ path }) =>
  path.split(/(?=[.[])/).flatMap((part, at) => (at === 0 ? [part] : [h("wbr"), part]));
FieldPath.props = ["path"];
