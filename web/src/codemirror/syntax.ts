// Colours of YAML for what is shown outside of an editor.
import { highlightTree, tagHighlighter, tags } from "@lezer/highlight";
import type { SyntaxName, SyntaxSpan } from "../syntax.js";
import { language } from "./language.js";

/** The same parts that the editor gives a colour. */
const PARTS: { tag: (typeof tags.string)[]; class: SyntaxName }[] = [
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: "key" },
  { tag: [tags.string], class: "string" },
  { tag: [tags.content, tags.number, tags.bool, tags.null], class: "value" },
  { tag: [tags.comment, tags.lineComment], class: "comment" },
  { tag: [tags.meta, tags.keyword, tags.typeName], class: "keyword" },
];
const highlighter = tagHighlighter(PARTS);

/** The parts of a text in YAML that have a colour of their own, in its order. A text too deep for the parser has none. */
export function yamlSyntax(text: string): SyntaxSpan[] {
  const spans: SyntaxSpan[] = [];
  highlightTree(language.parser.parse(text), highlighter, (from, to, name) => spans.push({ from, to, name: name as SyntaxName }));
  return spans;
}
