/** How objects are called. */

/** Namespace and name, as people write them. */
export function nameOf({ namespace, name = "" }: { namespace?: string | undefined; name?: string }): string {
  return namespace === undefined ? name : `${namespace}/${name}`;
}
