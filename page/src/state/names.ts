/** How objects are called. */

import type { ReviewedDocument } from "trellis-policy/checker";
import { strings } from "../strings.js";

/** Namespace and name, as people write them. */
export function nameOf({ namespace, name = "" }: { namespace?: string | undefined; name?: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}

/** A document among others. One without a name has its line, because others may look the same. */
export function titleOf({ kind = "", namespace, name, generateName, line }: ReviewedDocument): string {
  if (name) return strings.object(kind, nameOf({ namespace, name }));
  return strings.nameless(kind, generateName && nameOf({ namespace, name: generateName }), line);
}
