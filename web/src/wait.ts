/** How long somebody waits for an outcome. */

import { shown } from "./errors.js";

/** Milliseconds that a load may take where nobody says otherwise. */
export const LOAD_TIMEOUT = 30_000;

/** Longest delay of a timer. */
export const MAX_DELAY = 2 ** 31 - 1;

/** What is wrong with what goes with a call, whatever the types say. */
export function wrongCall(options: unknown, more: string[] = []): string | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== "object" || options === null) return `the options of a call are an object such as \`{ signal }\`, not ${shown(options)}`;
  const unknown = Object.keys(options).find((name) => ![...more, "signal"].includes(name));
  if (unknown !== undefined) return `a call has no option \`${unknown}\`; there is ${[...more, "signal"].join(", ")}`;
  const { signal } = options as { signal?: AbortSignal };
  const isSignal = signal === undefined || typeof signal?.addEventListener === "function";
  return isSignal ? undefined : `\`signal\` is the signal of an AbortController, not ${shown(signal)}`;
}

/** The outcome unless the signal is aborted first. */
export function unlessAborted<T>(signal: AbortSignal | undefined, outcome: Promise<T>): Promise<T> {
  if (signal === undefined) return outcome;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    outcome.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The outcome if it comes in time, else the error. */
export function within<T>(milliseconds: number, outcome: Promise<T>, late: () => Error): Promise<T> {
  if (milliseconds > MAX_DELAY) return outcome;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds);
    outcome.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** What is wrong with a time limit, whatever the types say. */
export function wrongTimeout(timeout: unknown): string | undefined {
  if (typeof timeout === "number" && timeout > 0) return undefined;
  return `\`timeout\` is a number of milliseconds above 0, or Infinity, not \`${String(timeout)}\``;
}
