/** What JSON texts say. Those of the last calls are kept, because the next call often has the same: a CloudProfile takes milliseconds. */

const KEPT = 4;
const LONG = 10_000;

const known = new Map<string, unknown>();

/** The value of a JSON text, which nobody changes. Throws where it is none. */
export function parsed(text: string): unknown {
  if (text.length < LONG) return JSON.parse(text);
  if (known.has(text)) return known.get(text);
  const value: unknown = JSON.parse(text);
  if (known.size >= KEPT) known.clear();
  known.set(text, value);
  return value;
}
