/** The same as `worker.ts`, with a thread of Node. */

import { Worker } from "node:worker_threads";
import { readFileOrFetch } from "./read-node.js";
import type { startWorker as StartWorker } from "./worker.js";
import type { WorkerEvent, WorkerLike } from "./worker/interface.js";
import { startPolicy } from "./worker/policy.js";

export { LoadError } from "./errors.js";

export const startWorker: typeof StartWorker = (options) => startPolicy(options, makeWorker, readFileOrFetch);

/** A thread, behind the events of a browser's worker, that keeps the process alive while an answer is open. */
function makeWorker(): WorkerLike {
  const worker = new Worker(new URL("./worker-thread-node.js", import.meta.url));
  worker.on("message", () => worker.unref());
  worker.on("exit", (code) => worker.emit("error", new Error(`it ended with code ${code}`)));
  return {
    postMessage: (message) => {
      worker.ref();
      worker.postMessage(message);
    },
    terminate: () => void worker.terminate(),
    addEventListener: (type: string, listener: (event: WorkerEvent) => void) => {
      worker.on(type, (value: unknown) => listener(type === "message" ? { data: value } : (value as Error)));
    },
  };
}
