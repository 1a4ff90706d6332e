/** What is wrong with an object is said there alone, and not again at each object that names it. */

import { GARDENER } from "../check/join.js";
import { isSame, type PlacedFinding } from "../check/finding.js";
import type { Judged } from "../check/judge.js";
import { nameOf } from "../check/identity.js";
import { credentialsOf, type TextObject, textAt } from "../check/objects.js";
import { cloudProfileOf, companionsOf } from "../check/references.js";
import { profileParts } from "../generated/profile-parts.js";
import { isWithin } from "../yaml/tree.js";
import type { ReviewedDocument, Ruling } from "./interface.js";

/** An object that another one names, and the place where it does. */
interface Named {
  place: string;
  object: TextObject | undefined;
}

/** Leaves findings to objects of the text that an object names, if these report them. `objects` has the object of each document. */
export function leaveToNamed(documents: ReviewedDocument[], objects: (TextObject | undefined)[], others: TextObject[]): void {
  documents.forEach((document, index) => {
    if (!document.ruling?.findings.some(({ severity }) => severity === "error")) return;
    for (const { place, object } of namedBy(objects[index]?.object, others)) {
      const named = object && documents[objects.indexOf(object)];
      // What another provider says of the object is something else.
      const reported = named?.provider === document.provider ? named?.ruling : undefined;
      const ruling: Ruling = document.ruling;
      if (!reported || !object) continue;
      const findings: Ruling["findings"] = ruling.findings.filter((finding) => !isReported(finding, place, document.kind, reported));
      if (findings.length === ruling.findings.length) continue;
      document.ruling = { ...ruling, findings };
      if (ruling.verdict === "reject") document.leftTo = nameOf(object.object);
    }
  });
}

/**
 * The findings of an object without the errors that follow from mistakes of its profile: those that are judged by a part of the profile with an
 * error, and are not there where nobody knows the profile, of which `judge` asks.
 */
export async function leaveToProfile(object: TextObject, findings: PlacedFinding[], profile: Judged["ruling"], judge: () => Promise<Judged>): Promise<PlacedFinding[]> {
  const isOpen = ({ severity, causedBy }: PlacedFinding): boolean => severity === "error" && causedBy === undefined;
  // A key that is misspelt stands for the part that it means.
  const places = profile.findings.filter(isOpen).flatMap(({ pointer, fix = [] }) => [pointer, ...fix.map(({ path }) => path)]);
  const kind = textAt(object.object, "kind");
  const isBy = ({ severity, pointer }: PlacedFinding): boolean => severity === "error" && isJudgedBy(kind, pointer, places);
  if (!findings.some(isBy)) return findings;
  const { ruling } = await judge();
  return findings.filter((finding) => !isBy(finding) || ruling.findings.some((other) => isSame(other, finding)));
}

/** Whether what stands at a place of an object is judged by a part of the profile in which one of these places is. */
function isJudgedBy(kind: string | undefined, pointer: string, places: string[]): boolean {
  const has = (pointer: string, key: string): boolean => pointer.split("/").includes(key);
  const { judgedBy, describing } = profileParts;
  if (kind === "NamespacedCloudProfile") return places.length > 0;
  const parts = judgedBy.find(([key]) => has(pointer, key))?.[1] ?? [];
  const isOf = (place: string): boolean => parts.some((part) => isWithin(place, part) || isWithin(part, place));
  return places.some((place) => isOf(place) && !describing.some((key) => has(place, key)));
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

/** Whether the ruling on an object says what a finding of another one does, which is of that kind and names the object at that place. */
function isReported({ rule, pointer, type, source }: Ruling["findings"][number], place: string, kind: string | undefined, { findings, verdict }: Ruling): boolean {
  if (verdict === "reject" && type === "Denied" && source !== GARDENER && pointer.startsWith(place)) return true;
  // What a binding says of a Secret, the Secret's own rules say.
  return kind !== "Shoot" && rule !== undefined && findings.some((other) => other.rule === rule && other.severity === "error");
}
