/** The same as `worker.ts`, with a thread of Node. */

import type { startWorker as StartWorker } from "./worker.js";
import { nodeWorker } from "./worker/node.js";
import { startPolicy } from "./worker/policy.js";

export { LoadError } from "./errors.js";

export const startWorker: typeof StartWorker = (options) => {
  return startPolicy(options, () => nodeWorker(new URL("./worker-thread-node.js", import.meta.url)));
};
