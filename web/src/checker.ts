/** Everything about a text, found in a worker: `startChecker()` once, then `await checker.review({ text })`. */

import type { Checker, CheckerOptions } from "./checker/interface.js";
import { start } from "./checker/start.js";

export { nameOfFix } from "./check/fix.js";
export type { Upgrade } from "./check/upgrade.js";
export { unfolded } from "./check/fold.js";
export { CheckError } from "./checker/interface.js";
export { FRESH } from "./checker/last.js";
export type * from "./checker/interface.js";
export type { Choice, ChoicePlace } from "./choices/place.js";

/** Starts a checker. Its worker is made when it is first asked. Throws a `LoadError` for a wrong option. */
export function startChecker(options: CheckerOptions = {}): Checker {
  // Bundlers find the worker's code by this literal expression.
  return start(options, () => new Worker(new URL("./checker-thread.js", import.meta.url), { type: "module" }));
}
