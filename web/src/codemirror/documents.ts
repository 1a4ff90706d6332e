import type { Text } from "@codemirror/state";
import { type Document, parse } from "../yaml/index.js";

const parsed = new WeakMap<Text, { at: string; documents: Document[] }>();

/** The documents of an editor's text, read once for the linters and the hover. */
export function documentsOf(text: Text, at = ""): Document[] {
  const before = parsed.get(text);
  if (before?.at === at) return before.documents;
  const documents = parse(text.toString(), { at });
  parsed.set(text, { at, documents });
  return documents;
}
