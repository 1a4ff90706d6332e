import { MAX_DELAY } from "../wait.js";
import type { WorkerLike } from "../worker/interface.js";
import { CheckError } from "./interface.js";
import { SentTexts } from "./kept.js";
import type { FromThread, Tasks } from "./messages.js";

/** A checker's worker, which is asked one thing after the other. */
export class CheckerThread {
  private open: { resolve(answer: unknown): void; reject(error: Error): void } | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private death: CheckError | undefined;
  private readonly sent = new SentTexts();

  constructor(
    private readonly worker: WorkerLike,
    private readonly timeout: number,
    private readonly onMore: () => void,
  ) {
    worker.addEventListener("message", ({ data }) => this.take(data as FromThread));
    worker.addEventListener("messageerror", () => this.fail("a message of the worker cannot be read"));
    worker.addEventListener("error", ({ message }) =>
      this.fail(`the worker failed: ${message ?? "its code cannot be loaded"}`),
    );
  }

  /** Whether it can be asked no more. */
  get ended(): boolean {
    return this.death !== undefined;
  }

  /** The outcome of a task, whose first argument gets the texts as members; rejects with a `CheckError` where there is none. */
  ask(task: keyof Tasks, given: unknown[], texts: Record<string, string>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.death) return reject(this.death);
      this.open = { resolve, reject };
      this.wait();
      this.worker.postMessage({ task, arguments: given, texts: this.sent.of(texts) });
      this.sent.add(texts);
    });
  }

  /** Ends the worker, and what is asked of it. */
  fail(why: string): void {
    this.end(new CheckError("WorkerFailed", why));
  }

  private end(death: CheckError): void {
    this.death ??= death;
    this.worker.terminate();
    this.settle()?.reject(this.death);
  }

  private take(message: FromThread): void {
    // What is loaded takes as long as the network does.
    if ("isLoading" in message) return message.isLoading ? clearTimeout(this.timer) : this.wait();
    if ("hasMore" in message) return this.onMore();
    const open = this.settle();
    if ("answer" in message) open?.resolve(message.answer);
    else open?.reject(errorOf(message.failed));
  }

  private settle(): typeof this.open {
    clearTimeout(this.timer);
    const { open } = this;
    this.open = undefined;
    return open;
  }

  private wait(): void {
    clearTimeout(this.timer);
    if (this.timeout > MAX_DELAY || !this.open) return;
    const late = new CheckError("DeadlineExceeded", `the check took longer than ${this.timeout} ms`);
    this.timer = setTimeout(() => this.end(late), this.timeout);
  }
}

function errorOf({ code, message }: Extract<FromThread, { failed: unknown }>["failed"]): Error {
  return code === "TypeError" ? new TypeError(message) : new CheckError(code, message);
}
