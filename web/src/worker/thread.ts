import { LoadError } from "../errors.js";
import type { WorkerLike } from "./interface.js";
import type { FromWorker, ToWorker } from "./messages.js";

/** A worker that is asked one thing after the other. */
export class Thread {
  readonly #worker: WorkerLike;
  #open: { resolve(message: FromWorker): void; reject(error: Error): void } | undefined;
  #death: Error | undefined;

  constructor(worker: WorkerLike) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => {
      const open = this.#open;
      this.#open = undefined;
      open?.resolve(data as FromWorker);
    });
    worker.addEventListener("messageerror", () => this.end("a message of the worker cannot be read"));
    worker.addEventListener("error", ({ message }) =>
      this.end(`the worker failed: ${message ?? "its code cannot be loaded"}`),
    );
  }

  /** Whether it can be asked no more. */
  get ended(): boolean {
    return this.#death !== undefined;
  }

  /** Starts the policy. */
  async start(name: string, module: WebAssembly.Module): Promise<void> {
    const message = await this.#ask({ start: { name, module } });
    if ("failed" in message) throw new LoadError(message.failed);
  }

  /** The answer to a call; rejects when the worker ends before. */
  async call(name: string, request: string): Promise<string> {
    const message = await this.#ask({ call: { name, request } });
    if (!("answer" in message)) throw new Error("the worker answered something else");
    return message.answer;
  }

  /** Ends the worker, and what is asked of it. */
  end(why: string): void {
    this.#death ??= new Error(why);
    this.#worker.terminate();
    this.#open?.reject(this.#death);
    this.#open = undefined;
  }

  #ask(message: ToWorker): Promise<FromWorker> {
    return new Promise((resolve, reject) => {
      if (this.#death) return reject(this.#death);
      this.#open = { resolve, reject };
      this.#worker.postMessage(message);
    });
  }
}
