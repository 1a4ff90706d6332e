import { Worker } from "node:worker_threads";
import type { WorkerEvent, WorkerLike } from "./interface.js";

/**
 * A thread, behind the events of a browser's worker, that keeps the process alive while an answer is open. There may be
 * messages that are none.
 */
export function nodeWorker(code: URL, isAnswer: (message: unknown) => boolean = () => true): WorkerLike {
  const worker = new Worker(code);
  worker.on("message", (message) => {
    if (isAnswer(message)) worker.unref();
  });
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
