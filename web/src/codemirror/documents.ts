import type { Text } from "@codemirror/state";
import { type Document, parse } from "../yaml/index.js";
import type { Fragment } from "./options.js";

const parsed = new WeakMap<Text, { at: string | undefined; documents: Document[] }>();

/** The documents of an editor's text, read once for check and hover. An empty fragment is one, too: a null. */
export function documentsOf(text: Text, { at }: { at?: Fragment["at"] } = {}): Document[] {
  const before = parsed.get(text);
  if (before && before.at === at) return before.documents;
  const documents = parse(text.toString(), { at });
  if (documents.length === 0 && at !== undefined) documents.push(nothing(at));
  parsed.set(text, { at, documents });
  return documents;
}

/** What Kubernetes reads as absent. */
function nothing(at: string): Document {
  const range = { from: 0, to: 0 };
  return {
    ...range,
    json: "null",
    problems: [],
    locate: (pointer) => (`${pointer}/`.startsWith(`${at}/`) ? { ...range, exact: pointer === at } : undefined),
    find: () => undefined,
  };
}
