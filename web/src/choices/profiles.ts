/** The CloudProfiles at hand. */

import { type TextObject, textAt } from "../check/objects.js";
import { parse } from "../yaml/index.js";

/** The profiles that an object may refer to, in its text and next to it: a text, an object or several. */
export function profilesIn(text: string, context: string | object | undefined): TextObject[] {
  if (typeof context === "string") return [...inText(text), ...inText(context)];
  const given = Array.isArray(context) ? context : context ? [context] : [];
  return [...inText(text), ...given.filter(isProfile).map((object) => ({ json: "", object }))];
}

function isProfile(object: unknown): boolean {
  const kind = textAt(object, "kind");
  return kind === "CloudProfile" || kind === "NamespacedCloudProfile";
}

/** Documents by their text. A profile is long, and seldom what is being written. */
let read = new Map<string, TextObject[]>();
const KEPT = 16;

/** Each document is read for itself, because another one may be half written. */
function inText(text: string): TextObject[] {
  const documents = text.split(/^---.*$/m).filter((document) => /^[\s-]*["']?kind["']?:\s*["']?(?:Namespaced)?CloudProfile(?:List)?\b/m.test(document));
  return documents.flatMap((document) => {
    const before = read.get(document);
    if (before) return before;
    const objects = parse(document).flatMap(({ json }) => (json === undefined ? [] : [{ json, object: JSON.parse(json) as unknown }]));
    const found = objects.filter(({ object }) => isProfile(object));
    if (read.size >= KEPT) read = new Map();
    read.set(document, found);
    return found;
  });
}
