import { unlessAborted } from "../abort.js";
import { failure, LoadError, reason } from "../errors.js";
import { compile, type Read } from "../module.js";
import { type Judging, judging } from "../functions.js";
import { functionsOf, noText, read, written } from "../policy.js";
import { knownProvider } from "../provider.js";
import { explainer } from "../rules.js";
import type { CallOptions, Later, WorkerLike, WorkerOptions, WorkerPolicy } from "./interface.js";
import { Thread } from "./thread.js";
import { MAX_DELAY, wrongTimeout } from "./timer.js";

class DeadlineExceeded extends Error {}

/** Starts a worker with the policy of a provider. */
export async function startPolicy(
  { provider, module, timeout = 10_000, worker }: WorkerOptions,
  makeWorker: () => WorkerLike,
  readUrl: Read,
): Promise<WorkerPolicy> {
  const known = knownProvider(provider);
  const wrong = wrongTimeout(timeout);
  if (wrong) throw new LoadError(wrong);
  // Compiled once, here, since compiling leaves the thread free; each worker gets the outcome.
  const compiled = await compile(known, module, readUrl);
  let thread: Thread | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  const start = async (): Promise<Thread> => {
    const started = (thread = new Thread((worker ?? makeWorker)()));
    await within(timeout, started.start(known, compiled));
    return started;
  };

  const run = async (name: string, request: string): Promise<string> => {
    try {
      if (closed) throw new Error("the worker was closed");
      const running = thread === undefined || thread.ended ? await start() : thread;
      return await within(timeout, running.call(name, request));
    } catch (thrown) {
      thread?.end(reason(thrown));
      thread = undefined;
      const code = thrown instanceof DeadlineExceeded ? "DeadlineExceeded" : "WorkerFailed";
      return JSON.stringify(failure(code, reason(thrown)));
    }
  };

  const call = (name: string, request: string, { signal }: CallOptions = {}): Promise<string> => {
    const answer = last.then(() => (signal?.aborted ? "" : (noText(name, request) ?? run(name, request))));
    last = answer;
    return signal === undefined ? answer : unlessAborted(signal, answer);
  };

  const ask = async (name: string, request: object | string, options?: CallOptions): Promise<unknown> => {
    const text = written(request);
    return typeof text === "string" ? read(await call(name, text, options)) : text;
  };

  try {
    await start();
  } catch (cause) {
    const why = reason(cause);
    (thread as Thread | undefined)?.end(why);
    throw cause instanceof LoadError ? cause : new LoadError(`the worker cannot be started: ${why}`, { cause });
  }
  const functions = functionsOf<Later<Judging>>(judging, ask);
  const explain = explainer(known, readUrl);
  return {
    ...functions,
    rules: async (options) => explain(await functions.rules(options)),
    call,
    close() {
      closed = true;
      thread?.end("the worker was closed");
    },
  };
}

/** The outcome if it comes in time. */
function within<T>(milliseconds: number, outcome: Promise<T>): Promise<T> {
  if (milliseconds > MAX_DELAY) return outcome;
  return new Promise((resolve, reject) => {
    const late = () => reject(new DeadlineExceeded(`the policy took longer than ${milliseconds} ms`));
    const timer = setTimeout(late, milliseconds);
    outcome.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
