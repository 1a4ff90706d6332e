/** Policies off the page's own thread: `await startWorker(...)`, then calls that are promises. */

import type { WorkerOptions, WorkerPolicy } from "./worker/interface.js";
import { startPolicy } from "./worker/policy.js";

export { LoadError } from "./errors.js";
export type { CallOptions, WorkerEvent, WorkerLike, WorkerOptions, WorkerPolicy } from "./worker/interface.js";

/** Starts a worker with the policy of a provider; rejects with a `LoadError`. */
export function startWorker(options: WorkerOptions): Promise<WorkerPolicy> {
  // Bundlers find the worker's code by this literal expression.
  return startPolicy(options, () => new Worker(new URL("./worker-thread.js", import.meta.url), { type: "module" }));
}
