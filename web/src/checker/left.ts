/** What is wrong with an object is said there alone, and not again at each object that names it. */

import { GARDENER } from "../check/join.js";
import { credentialsOf, type TextObject, textAt } from "../check/objects.js";
import { cloudProfileOf, companionsOf } from "../check/references.js";
import type { ReviewedDocument, Ruling } from "./interface.js";

/** An object that another one names, and the place where it does. */
interface Named {
  place: string;
  object: TextObject | undefined;
}

/** Leaves findings to the objects of the text that an object names, where they are told there. `objects` has the object of each document. */
export function leaveToNamed(documents: ReviewedDocument[], objects: (TextObject | undefined)[], others: TextObject[]): void {
  documents.forEach((document, index) => {
    if (!document.ruling?.findings.some(({ severity }) => severity === "error")) return;
    for (const { place, object } of namedBy(objects[index]?.object, others)) {
      const named = object && documents[objects.indexOf(object)];
      // What another provider says of the object is something else.
      const told = named?.provider === document.provider ? named?.ruling : undefined;
      const ruling: Ruling = document.ruling;
      if (!told || !object) continue;
      const findings: Ruling["findings"] = ruling.findings.filter((finding) => !isTold(finding, place, document.kind, told));
      if (findings.length === ruling.findings.length) continue;
      const [kind, namespace, name] = [["kind"], ["metadata", "namespace"], ["metadata", "name"]].map((path) => textAt(object.object, ...path));
      document.ruling = { ...ruling, findings };
      if (ruling.verdict === "reject") document.leftTo = `${kind ?? ""} ${namespace === undefined ? "" : `${namespace}/`}${name ?? ""}`;
    }
  });
}

/** The objects whose mistakes are errors of a Shoot or of a binding, too. */
function namedBy(object: unknown, others: TextObject[]): Named[] {
  switch (textAt(object, "kind")) {
    case "SecretBinding":
      return [{ place: "/secretRef", object: credentialsOf(object, others) }];
    case "CredentialsBinding":
      return [{ place: "/credentialsRef", object: credentialsOf(object, others) }];
    case "Shoot": {
      const { credentialsBinding, secretBinding } = companionsOf(object, others);
      const bindings = [["/spec/credentialsBindingName", credentialsBinding], ["/spec/secretBindingName", secretBinding]] as const;
      return [
        { place: "/spec/cloudProfile", object: cloudProfileOf(object, others) },
        ...bindings.flatMap(([place, binding]) => [{ place, object: credentialsOf(binding?.object, others) }, { place, object: binding }]),
      ];
    }
    default:
      return [];
  }
}

/** Whether the ruling on an object tells what a finding of another one does, which is of that kind and names the object at that place. */
function isTold({ rule, pointer, type, source }: Ruling["findings"][number], place: string, kind: string | undefined, { findings, verdict }: Ruling): boolean {
  if (verdict === "reject" && type === "Denied" && source !== GARDENER && pointer.startsWith(place)) return true;
  // What a binding says of a Secret, the Secret's own rules say.
  return kind !== "Shoot" && rule !== undefined && findings.some((other) => other.rule === rule && other.severity === "error");
}
