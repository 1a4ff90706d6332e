/** What a package that only judges leaves out. */

import type { ErrorAnswer } from "./documents.js";
import { type CallFailure, failure, LoadError, reason } from "./errors.js";

/** Why a package that only judges cannot answer: it leaves out the file for it. */
class AbsentError extends LoadError {}

/** Stands in the place of the URL of such a file; `scripts/judging.js` puts it there. */
export function absent(file: string, here: string, whole: string): never {
  throw new AbsentError(`${file} is in the package \`${whole}\`, and not in \`${here}\`, which only judges: install \`${whole}\` in its place`);
}

/** The answer of a call for which something cannot be loaded. */
export function unloaded(code: CallFailure, thrown: unknown): ErrorAnswer {
  return failure(thrown instanceof AbsentError ? "NotPackaged" : code, reason(thrown));
}
