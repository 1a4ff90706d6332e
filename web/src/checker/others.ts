/** What there is to say of the texts that a manifest is only compared with or refers to. */

import { calledOf, identityOf } from "../check/identity.js";
import { textAt } from "../check/objects.js";
import { isOfGardener, wrongKind } from "../check/kinds.js";
import { withoutText } from "../check/secrets.js";
import { twiceIn } from "../check/twice.js";
import type { NamedProfile, OtherProblem, Review } from "./interface.js";
import { leftOutIfUnread, ofOther } from "./limits.js";
import { secretsIn } from "./secret-places.js";
import type { WrongKey } from "./keys.js";
import { lineOf, type OtherObjects, type ReadText } from "./texts.js";

/** The old versions, and what the objects of a text refer to. */
export function saidOfOthers(text: ReadText, old: OtherObjects, context: OtherObjects, keys: WrongKey[]): Omit<Review, "documents" | "judgedAt"> {
  const misspelt = (objects: OtherObjects) => keys.filter(({ of }) => of === objects).map(({ problem }) => problem);
  return {
    old: [...problemsOf(old.of), ...objectless(old), ...wrongKinds(old), ...unpaired(old, text), ...twice(old), ...misspelt(old)],
    context: [...problemsOf(context.of), ...objectless(context), ...wrongKinds(context), ...twice(context), ...misspelt(context)],
    oldSecrets: secretsIn(old.of),
    contextSecrets: secretsIn(context.of),
    contextProfiles: namedProfiles(context),
  };
}

/** What is wrong with the YAML. */
function problemsOf({ documents, guessed }: ReadText): OtherProblem[] {
  const problems = documents.flatMap((document) => document.problems.map(ofOther));
  return (problems.length > 0 && guessed().length > 0 ? problems.map(withoutText) : problems).map(leftOutIfUnread);
}

/** What is wrong with a text in order that has no object. */
function objectless({ of, objects }: OtherObjects): OtherProblem[] {
  const [first] = of.documents;
  if (!first || objects.some(({ object }) => textAt(object, "kind") !== undefined || wrongKind(object)) || of.documents.some(({ problems }) => problems.length > 0)) return [];
  const { from, to } = first.locate("") ?? { from: 0, to: 0 };
  return [{ from, to, message: "there is no object in this text", remedy: "give objects, such as `kubectl get -o yaml` prints", readable: true, isLeftOut: true, document: 0 }];
}

/** The objects whose `apiVersion` and `kind` do not go together: without the kind that is meant, they are no objects of Gardener. */
function wrongKinds({ of, objects }: OtherObjects): OtherProblem[] {
  return objects.flatMap(({ object, document }) => {
    const wrong = wrongKind(object, { isJudged: false });
    if (!wrong) return [];
    const { pointer, detail: message, remedy, fix } = wrong;
    const { from = 0, to = 0 } = of.documents[document]?.locate(pointer) ?? {};
    return [{ from, to, message, remedy, readable: true, document, ...(fix && { fix }), ...(pointer === "/kind" && { isLeftOut: true as const }) }];
  });
}

/** The profiles among objects that are only looked at. */
function namedProfiles({ of, objects }: OtherObjects): NamedProfile[] {
  return objects.flatMap(({ object, document }) => {
    const [kind, namespace, name] = [textAt(object, "kind"), textAt(object, "metadata", "namespace"), textAt(object, "metadata", "name")];
    if (name === undefined || (kind !== "CloudProfile" && kind !== "NamespacedCloudProfile")) return [];
    const { from = 0, to = 0 } = of.documents[document]?.locate("/metadata/name") ?? {};
    return [{ from, to, kind, name, ...(kind === "NamespacedCloudProfile" && namespace !== undefined && { namespace }) }];
  });
}

/** The objects that differ from one of their API group, kind, namespace and name, which goes before them. */
function twice({ of, objects }: OtherObjects): OtherProblem[] {
  return [...twiceIn(objects)].flatMap(([at, { first, isCopy }]) => {
    const [found, other] = [objects[at], objects[first]];
    if (isCopy || !found || !other) return [];
    const { from = 0, to = 0 } = of.documents[found.document]?.locate("/metadata/name") ?? {};
    const line = lineOf(of, other.document);
    return [{ from, to, message: `the text has another ${calledOf(found.object)}, in line ${line}`, remedy: "remove one of the two", readable: true, isLeftOut: true, document: found.document }];
  });
}

/**
 * The old objects that are those of none, where one may be meant: an object of the text has no old one of its kind, or none has. Another one is
 * of an object that is gone, or not in this text.
 */
function unpaired({ of, objects }: OtherObjects, text: ReadText): OtherProblem[] {
  const olds = new Set(objects.map(({ object }) => identityOf(object)));
  const given = text.objects.flatMap((found) => (found ? [{ identity: identityOf(found.object), kind: textAt(found.object, "kind") }] : []));
  const identities = new Set(given.map(({ identity }) => identity));
  const isUnused = !given.some(({ identity }) => identity !== undefined && olds.has(identity));
  const lacking = new Set(given.filter(({ identity }) => identity === undefined || !olds.has(identity)).map(({ kind }) => kind));
  return objects.flatMap(({ object, document }) => {
    const identity = identityOf(object);
    const kind = textAt(object, "kind");
    if (kind === undefined || !isOfGardener(object) || (identity !== undefined && identities.has(identity))) return [];
    if (!isUnused && !lacking.has(kind)) return [];
    const name = [textAt(object, "metadata", "namespace"), textAt(object, "metadata", "name")].filter((part) => part);
    const { from = 0, to = 0 } = of.documents[document]?.locate("/metadata/name") ?? {};
    const problem = identity
      ? {
          message: `the text has no new version of ${kind} \`${name.join("/")}\``,
          remedy: "check API group, kind, namespace and name: they are the same in both versions",
        }
      : {
          message: `the old version of a ${kind} has no \`metadata.name\``,
          remedy: "write `metadata.name` in both versions, so that they can be recognised as the same object",
        };
    return [{ from, to, ...problem, readable: true, isLeftOut: true, document }];
  });
}
