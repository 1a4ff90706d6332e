/** How much a checker reads, and what is said of more. */

import type { OtherProblem } from "./interface.js";
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

const [TOO_LARGE, TOO_MANY] = [tooLarge, tooManyNodes].map((limit) => limit(START).message);

/** What is wrong with a text that a manifest is only compared with or refers to: what the manifest does not name can go. */
export function ofOther(found: Problem): Problem {
  if (found.message !== TOO_LARGE && found.message !== TOO_MANY) return found;
  const message = found.message === TOO_MANY ? `${found.message}: this document and those behind it are not read` : found.message;
  return { ...found, message, remedy: "give only the objects that the manifest names, because each change of the manifest checks all of them" };
}

/** A problem of such a text, which says where the verdict is without what it is about. */
export function leftOutIfUnread(found: Problem): OtherProblem {
  return found.readable ? found : { ...found, isLeftOut: true };
}
