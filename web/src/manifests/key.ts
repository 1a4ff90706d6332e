import { groupOf } from "../check/objects.js";

/** What identifies an object of a managed resource; another version of its API is still the same object. */
export function keyOf(
  resource: string,
  { apiVersion, kind, namespace = "", name }: { apiVersion: string; kind: string; namespace?: string; name: string },
): string {
  return JSON.stringify([resource, groupOf(apiVersion), kind, namespace, name]);
}
