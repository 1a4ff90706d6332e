import type { ErrorAnswer } from "../documents.js";
import type { Addressing, Judging } from "../functions.js";
import type { LoadOptions } from "../options.js";
import type { ExplainedRules } from "../rules.js";

/** Which policy to start, and how. */
export interface WorkerOptions extends LoadOptions {
  /** Aborted, the start rejects with the signal's reason; calls have signals of their own. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds above 0 that the load of the module may take, the start of the worker, and each call: by default 30,000
   * for the load and 10,000 for the others, `Infinity` for no limit.
   */
  timeout?: number | undefined;
  /** Makes the worker, whose code is `trellis-policy/worker-thread`; for bundlers that do not find it themselves. */
  worker?: (() => WorkerLike) | undefined;
}

/** What goes with a call. */
export interface CallOptions {
  /** Aborted, the call rejects with the signal's reason; if it still waits for its turn, it is not made. */
  signal?: AbortSignal | undefined;
}

/** Functions whose answers come later, and whose calls have options. */
export type Later<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (...given: infer Given) => infer Answer
    ? (...given: [...Given, options?: CallOptions]) => Promise<Answer>
    : never;
};

/**
 * A `Policy` in a worker. Calls are answered one after the other, in their order, and reject only when they are
 * aborted. One that takes too long is answered `DeadlineExceeded`, and the worker is replaced.
 */
export interface WorkerPolicy extends Omit<Later<Judging>, "rules">, Omit<Later<Addressing>, "info"> {
  /** Lists every rule with its words, which the page reads from a file when they are first asked for. */
  rules(options?: CallOptions): Promise<ExplainedRules | ErrorAnswer>;
  /** JSON text in, JSON text out. */
  call(name: string, request: string, options?: CallOptions): Promise<string>;
  /** Ends the worker; calls that are open or follow are answered `WorkerFailed`. */
  close(): void;
}

/** As much of a browser's `Worker` as is used here. */
export interface WorkerLike {
  postMessage(message: unknown): void;
  terminate(): void;
  addEventListener(type: "message" | "messageerror" | "error", listener: (event: WorkerEvent) => void): void;
}

/** As much of a worker's events as is used here. */
export interface WorkerEvent {
  readonly data?: unknown;
  readonly message?: string;
}
