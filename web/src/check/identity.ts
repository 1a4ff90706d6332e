/** What tells objects apart. */

import { groupIn } from "./kinds.js";
import { textAt } from "./objects.js";

/** API group, kind, namespace and name of an object, as a key; nothing where it has no name. */
export function identityOf(object: unknown): string | undefined {
  const name = textAt(object, "metadata", "name");
  if (!name) return undefined;
  return JSON.stringify([groupIn(object), textAt(object, "kind") ?? "", textAt(object, "metadata", "namespace") ?? "", name]);
}

/** An object as people call it: its kind, namespace and name. */
export function calledOf(object: unknown): string {
  const [kind = "", namespace = "", name = ""] = [textAt(object, "kind"), textAt(object, "metadata", "namespace"), textAt(object, "metadata", "name")];
  return `${kind} \`${namespace === "" ? "" : `${namespace}/`}${name}\``;
}
