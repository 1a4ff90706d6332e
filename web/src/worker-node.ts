/** The same as `worker.ts`, with a thread of Node. */

import { readFileOrFetch } from "./read-node.js";
import type { startWorker as StartWorker } from "./worker.js";
import { nodeWorker } from "./worker/node.js";
import { startPolicy } from "./worker/policy.js";

export { LoadError } from "./errors.js";

export const startWorker: typeof StartWorker = (options) => {
  const make = () => nodeWorker(new URL("./worker-thread-node.js", import.meta.url));
  return startPolicy(options, make, readFileOrFetch);
};
