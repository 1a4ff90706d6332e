/** What an object refers to, among the objects at hand. */

import { withParent } from "./namespaced.js";
import { type TextObject, find, parentOf, projectsOf, textAt } from "./objects.js";

/**
 * What a policy may look at next to the object itself, by role, as far as it is in the text. What else the policy needs it
 * asks for by queries.
 */
export function contextOf(object: unknown, others: TextObject[]): Record<string, TextObject> {
  const cloudProfile = profileOf(object, others);
  return cloudProfile ? { cloudProfile } : {};
}

/**
 * What Gardener's own rules look at next to a Shoot and its profile, by role, as far as it is in the text: the bindings that the
 * Shoot names, and the Project of its namespace.
 */
export function companionsOf(object: unknown, others: TextObject[]): Record<string, TextObject> {
  if (textAt(object, "kind") !== "Shoot") return {};
  const namespace = textAt(object, "metadata", "namespace") ?? "";
  const binding = (kind: string, field: string): TextObject | undefined => find(others, kind, namespace, textAt(object, "spec", field));
  const found = {
    credentialsBinding: binding("CredentialsBinding", "credentialsBindingName"),
    project: projectsOf(others).get(namespace),
    secretBinding: binding("SecretBinding", "secretBindingName"),
  };
  return Object.fromEntries(Object.entries(found).flatMap(([role, companion]) => (companion ? [[role, companion]] : [])));
}

/** What a Shoot or a NamespacedCloudProfile is judged by: a profile with what its parent offers. */
function profileOf(object: unknown, others: TextObject[]): TextObject | undefined {
  const profile = namedProfileOf(object, others);
  return textAt(object, "kind") === "Shoot" ? offeredBy(profile, others) : profile;
}

/** The profile that a Shoot or a NamespacedCloudProfile names, as it is at hand. */
export function namedProfileOf(object: unknown, others: TextObject[]): TextObject | undefined {
  switch (textAt(object, "kind")) {
    case "Shoot":
      return cloudProfileOf(object, others);
    case "NamespacedCloudProfile":
      return parentOf(object, others);
    default:
      return undefined;
  }
}

/** A profile with what it offers, as far as the objects at hand show it. */
function offeredBy(profile: TextObject | undefined, others: TextObject[]): TextObject | undefined {
  return profile && withParent(profile, parentOf(profile.object, others));
}

/** The profile that a Shoot names, as it is at hand. */
export function cloudProfileOf(shoot: unknown, others: TextObject[]): TextObject | undefined {
  const namespace = textAt(shoot, "metadata", "namespace") ?? "";
  const name = textAt(shoot, "spec", "cloudProfile", "name");
  if (name === undefined) return find(others, "CloudProfile", "", textAt(shoot, "spec", "cloudProfileName"));
  const isNamespaced = textAt(shoot, "spec", "cloudProfile", "kind") === "NamespacedCloudProfile";
  const kind = isNamespaced ? "NamespacedCloudProfile" : "CloudProfile";
  return find(others, kind, isNamespaced ? namespace : "", name);
}
