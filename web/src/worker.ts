/** Policies off the page's own thread: `await startWorker(...)`, then calls that are promises. */

import { startPolicy, type WorkerOptions, type WorkerPolicy } from "./worker-policy.js";

export { LoadError } from "./errors.js";
export type { WorkerEvent, WorkerLike } from "./worker-link.js";
export type { CallOptions, WorkerOptions, WorkerPolicy } from "./worker-policy.js";

/** Starts a worker with the policy of a provider; rejects with a `LoadError`. */
export function startWorker(options: WorkerOptions): Promise<WorkerPolicy> {
  // Bundlers find the worker's code by this literal expression.
  const make = () => new Worker(new URL("./worker-thread.js", import.meta.url), { type: "module" });
  return startPolicy(options, make, (url) => fetch(url));
}
