/** What documents of a text are. */

import { textAt } from "../check/objects.js";
import { withoutText } from "../check/secrets.js";
import type { ReviewedDocument } from "./interface.js";
import { secretsAt } from "./secret-places.js";
import type { ReadText } from "./texts.js";

/** What a document is, before a policy has seen it. */
export function described(text: ReadText, index: number): ReviewedDocument {
  const [document, found] = [text.documents[index], text.objects[index]];
  if (!document) throw new RangeError("there is no such document");
  const { from, to } = document;
  const object = found?.object;
  const kind = textAt(object, "kind");
  const name = textAt(object, "metadata", "name");
  const names = {
    apiVersion: textAt(object, "apiVersion"),
    kind,
    namespace: textAt(object, "metadata", "namespace"),
    name,
    generateName: name ? undefined : textAt(object, "metadata", "generateName"),
  };
  const head = document.locate("") ?? { from, to: from };
  const secrets = secretsAt(text, index);
  return {
    from,
    to,
    line: text.lineAt(from),
    head: { from: head.from, to: head.to },
    ...(text.partOf.has(index) && { isPart: true }),
    ...defined(names),
    isUpdate: false,
    problems: document.problems.map((problem) => ({
      ...(secrets.length > 0 ? withoutText(problem) : problem),
      line: text.lineAt(problem.from),
    })),
    secrets,
  };
}

/** The entries that have a value. */
function defined<T extends object>(entries: T): { [Key in keyof T]?: NonNullable<T[Key]> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as never;
}
