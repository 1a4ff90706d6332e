/** How much a checker reads, and what is said of more. */

import { MAX_BYTES, type Problem, tooLarge, tooManyNodes } from "../yaml/problem.js";

/** Whether a text is not even sent to a worker. */
export function isTooLarge(text: string | undefined): boolean {
  return text !== undefined && text.length > MAX_BYTES;
}

const START = { from: 0, to: 0 };

/** What is wrong with a text that nobody reads. */
export function problem(): Problem {
  return tooLarge(START);
}

const LIMITS = [tooLarge, tooManyNodes].map((limit) => limit(START).message);

/** What is wrong with a text that a manifest is only compared with or refers to: what the manifest does not name can go. */
export function ofOther(found: Problem): Problem {
  if (!LIMITS.includes(found.message)) return found;
  return { ...found, remedy: "give only the objects that the manifest names, because each change of the manifest checks all of them" };
}
