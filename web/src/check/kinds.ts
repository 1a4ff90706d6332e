/** The kinds of Gardener, and objects whose `apiVersion` and `kind` do not go together, as with a typing mistake in one of them. */

import type { PatchOperation } from "../documents.js";
import { nearest } from "./nearest.js";
import { groupOf, textAt } from "./objects.js";

const CORE = "core.gardener.cloud";
const SECURITY = "security.gardener.cloud";
/** The group that Gardener's kinds had before. */
const OLD = "garden.sapcloud.io";

/** The kinds that belong to a provider, and their API groups. */
const GROUPS = new Map([
  ["Shoot", CORE],
  ["Seed", CORE],
  ["BackupBucket", CORE],
  ["CloudProfile", CORE],
  ["NamespacedCloudProfile", CORE],
  ["SecretBinding", CORE],
  ["CredentialsBinding", SECURITY],
  ["WorkloadIdentity", SECURITY],
  ["Secret", ""],
]);

/** The version of each group in which its kinds belong to a provider. */
const VERSIONS = new Map([
  [CORE, "core.gardener.cloud/v1beta1"],
  [SECURITY, "security.gardener.cloud/v1alpha1"],
  ["", "v1"],
]);

/** Further kinds of Gardener's groups, which belong to no provider. */
const OTHERS = [
  "BackupEntry",
  "ControllerDeployment",
  "ControllerInstallation",
  "ControllerRegistration",
  "ExposureClass",
  "InternalSecret",
  "Project",
  "Quota",
  "ShootState",
  "TokenRequest",
  "Binding",
];

/** Kinds that others have too. */
const SHARED = ["BackupBucket", "Secret"];

/** The kinds that Gardener's own rules judge, whatever the provider. */
export const OF_ALL = new Set(["CloudProfile", "NamespacedCloudProfile", "Seed", "Shoot"]);

/**
 * Whether objects like this belong to a provider at all. One without `apiVersion` counts by its kind, and one without
 * kind if it has an `apiVersion`: the policy says what is missing.
 */
export function isOfGardener(object: unknown): boolean {
  const version = textAt(object, "apiVersion");
  const kind = textAt(object, "kind");
  if (kind === undefined) return version !== undefined;
  if (!GROUPS.has(kind) || version === undefined) return GROUPS.has(kind);
  // Gardener's own rules say what is wrong with an `apiVersion` of the old group.
  return groupOf(version) === GROUPS.get(kind) || (groupOf(version) === OLD && OF_ALL.has(kind));
}

/**
 * The API group that an object counts to: that of Gardener's kind, also where `apiVersion` is missing, misspelt or of another version, because
 * such an object can be nothing else.
 */
export function groupIn(object: unknown): string {
  const [version, kind] = [textAt(object, "apiVersion"), textAt(object, "kind") ?? ""];
  const of = GROUPS.get(kind);
  if (version === undefined) return of ?? "";
  const group = groupOf(version);
  if (of !== undefined && isMeant(group, of)) return of;
  return group === OLD ? CORE : group;
}

/** Whether who writes an API group can only mean Gardener's of that kind: it is one of Gardener's, a misspelt one, or none. */
function isMeant(group: string, of: string): boolean {
  return [of, CORE, SECURITY, OLD, ""].includes(group) || nearest(group, [of]) !== undefined;
}

/** What is wrong with the `apiVersion` or the `kind` of an object. */
export interface WrongKind {
  pointer: string;
  detail: string;
  remedy: string;
  /** Absent where nobody knows what is meant. */
  fix?: PatchOperation[];
}

/**
 * The error in an object without a kind, of a kind that Gardener has in another version, or of one that Gardener does not have in its own
 * groups. `isJudged`: whether rules are asked of the object, so that Gardener's own say what they say of its `apiVersion`.
 */
export function wrongKind(object: unknown, { isJudged = true } = {}): WrongKind | undefined {
  const [version, kind] = [textAt(object, "apiVersion"), textAt(object, "kind")];
  if (kind === "" || (kind === undefined && version !== undefined)) {
    const remedy = version === undefined ? "Add `apiVersion` and `kind`." : "Add `kind`, such as `kind: Shoot`.";
    return { pointer: "/kind", detail: "this document has no `kind`, so it is no Kubernetes object", remedy };
  }
  if (version === undefined || kind === undefined) return undefined;
  const group = groupOf(version);
  const of = GROUPS.get(kind);
  if (of !== undefined) {
    const expected = VERSIONS.get(of) ?? "";
    const isOthers = SHARED.includes(kind) && group !== of;
    const isSaid = isJudged && OF_ALL.has(kind) && [CORE, OLD].includes(group);
    if (version === expected || isOthers || isSaid) return undefined;
    return {
      pointer: "/apiVersion",
      detail: `${kind} has \`apiVersion: ${version}\`, and Gardener's kind has \`apiVersion: ${expected}\``,
      remedy: "Correct `apiVersion`, or leave the object out.",
      ...(isMeant(group, of) && { fix: [{ op: "replace", path: "/apiVersion", value: expected }] }),
    };
  }
  if (![CORE, SECURITY].includes(group) || OTHERS.includes(kind) || kind.endsWith("List")) return undefined;
  const meant = nearest(kind, [...GROUPS.keys(), ...OTHERS]);
  return {
    pointer: "/kind",
    detail: `Gardener has no kind \`${kind}\` in the API group \`${group}\``,
    remedy: meant === undefined ? "Correct `kind`, such as `Shoot`, `CloudProfile` or `Seed`, or leave the object out." : `Did you mean \`${meant}\`?`,
    ...(meant !== undefined && { fix: [{ op: "replace", path: "/kind", value: meant }] }),
  };
}
