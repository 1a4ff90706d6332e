/** Where values of Secrets stand in a text. */

import { secretsOf } from "../check/secrets.js";
import type { Range } from "../yaml/index.js";
import type { ReadText } from "./texts.js";

/** Where values of Secrets stand in a document. */
export function secretsAt(text: ReadText, index: number): Range[] {
  const part = text.parts[index];
  // What is half written has no parts.
  if (part?.root === undefined) return guessed(text, index);
  // An item of a list may repeat what stands in another one.
  return secretsOf(text.text, part.root, undefined, text.readings[part.document]?.root);
}

/** The same in all documents. */
export function secretsIn(text: ReadText): Range[] {
  return text.documents.flatMap((_, index) => secretsAt(text, index));
}

/** Where secrets may be from a document up to the next one, because what is half written may end before its last line. */
function guessed({ text, documents, guessed }: ReadText, index: number): Range[] {
  const from = documents[index]?.from ?? 0;
  const to = documents[index + 1]?.from ?? text.length;
  return guessed().filter((range) => from <= range.from && range.from < to);
}
