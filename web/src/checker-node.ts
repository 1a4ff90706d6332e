/** The same as `checker.ts`, with a thread of Node. */

import type { startChecker as StartChecker } from "./checker.js";
import { type FromThread, isAnswer } from "./checker/messages.js";
import { start } from "./checker/start.js";
import { nodeWorker } from "./worker/node.js";

export { nameOfFix } from "./check/fix.js";
export { unfolded } from "./check/fold.js";
export { CheckError } from "./checker/interface.js";
export { FRESH } from "./checker/last.js";

export const startChecker: typeof StartChecker = (options = {}) =>
  start(options, () =>
    nodeWorker(new URL("./checker-thread-node.js", import.meta.url), (message) => isAnswer(message as FromThread)),
  );
