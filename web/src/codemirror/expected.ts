/** Marks a promise as one whose failure is reported when it is needed, and not before. */
export function expected(soon: unknown): void {
  if (soon instanceof Promise) soon.catch(() => undefined);
}
