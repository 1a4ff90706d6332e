import { groupOf } from "../check/objects.js";

/** What tells an object of a managed resource from all others; another version of its API is still the same object. */
export function keyOf(
  resource: string,
  { apiVersion, kind, namespace = "", name }: { apiVersion: string; kind: string; namespace?: string; name: string },
): string {
  return JSON.stringify([resource, groupOf(apiVersion), kind, namespace, name]);
}
