/** What identifies objects. */

import { groupIn } from "./kinds.js";
import { textAt } from "./objects.js";

/** API group, kind, namespace and name of an object, as a key; nothing where it has no name. */
export function identityOf(object: unknown): string | undefined {
  const name = textAt(object, "metadata", "name");
  if (!name) return undefined;
  return JSON.stringify([groupIn(object), textAt(object, "kind") ?? "", textAt(object, "metadata", "namespace") ?? "", name]);
}

/** The kind of an object, and its namespace and name. */
function wordsOf(object: unknown): [string, string] {
  const [kind = "", namespace = "", name = ""] = [textAt(object, "kind"), textAt(object, "metadata", "namespace"), textAt(object, "metadata", "name")];
  return [kind, `${namespace === "" ? "" : `${namespace}/`}${name}`];
}

/** An object as people call it. */
export function nameOf(object: unknown): string {
  return wordsOf(object).join(" ");
}

/** The same in a sentence. */
export function calledOf(object: unknown): string {
  const [kind, name] = wordsOf(object);
  return `${kind} \`${name}\``;
}
