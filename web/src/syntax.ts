/** Which parts of a text have a colour: what finds them has a parser, what shows them has none. */

/** What a part of a text in YAML is. */
export type SyntaxName = "key" | "string" | "value" | "comment" | "keyword";

/** A part of a text with a colour of its own. */
export interface SyntaxSpan {
  from: number;
  to: number;
  name: SyntaxName;
}

/** Finds the parts of a text, in its order. */
export type Syntax = (text: string) => SyntaxSpan[];
