import { unlessAborted } from "../abort.js";
import { failure, LoadError, reason } from "../errors.js";
import { compile, type Read } from "../module.js";
import { type Addressing, addressing, type Judging, judging } from "../functions.js";
import type { ModuleName } from "../generated/modules.js";
import { functionsOf, noText, read, written } from "../policy.js";
import { knownProvider } from "../provider.js";
import { explainer } from "../words.js";
import type { CallOptions, Later, WorkerLike, WorkerOptions, WorkerPolicy } from "./interface.js";
import { Thread } from "./thread.js";
import { MAX_DELAY, wrongTimeout } from "./timer.js";

class DeadlineExceeded extends Error {}

/** Starts a worker with the policy of a provider. A second one answers what the module about addresses answers. */
export async function startPolicy(
  { provider, module, timeout = 10_000, worker }: WorkerOptions,
  makeWorker: () => WorkerLike,
  readUrl: Read,
): Promise<WorkerPolicy> {
  const known = knownProvider(provider);
  const wrong = wrongTimeout(timeout);
  if (wrong) throw new LoadError(wrong);
  const make = worker ?? makeWorker;
  const policy = await startModule(known, compile(known, module, readUrl), timeout, make);
  let second: Promise<Running> | undefined;
  let closed = false;
  const askSecond: Running["call"] = async (name, request, options) => {
    const other = `${known}-addresses` as const;
    try {
      if (closed) throw new Error("the worker was closed");
      second ??= startModule(other, compile(other, undefined, readUrl), timeout, make);
      return (await second).call(name, request, options);
    } catch (thrown) {
      second = undefined;
      return JSON.stringify(failure(closed ? "WorkerFailed" : "PolicyUnavailable", reason(thrown)));
    }
  };
  // Starting the second worker takes a while, which an aborted call does not wait for.
  const addressesCall: Running["call"] = (name, request, options) => {
    const answer = askSecond(name, request, options);
    return options?.signal === undefined ? answer : unlessAborted(options.signal, answer);
  };
  const functions = functionsOf<Later<Judging>>(judging, asking(policy.call));
  const { addresses, zones } = functionsOf<Later<Addressing>>(addressing, asking(addressesCall));
  const explain = explainer(known, readUrl);
  return {
    ...functions,
    rules: async (options) => explain(await functions.rules(options)),
    addresses,
    zones,
    call: policy.call,
    close() {
      closed = true;
      policy.close();
      second?.then((running) => running.close(), () => undefined);
    },
  };
}

function asking(call: Running["call"]) {
  return async (name: string, request: object | string, options?: CallOptions): Promise<unknown> => {
    const text = written(request);
    return typeof text === "string" ? read(await call(name, text, options)) : text;
  };
}

/** A module in a worker. */
type Running = Pick<WorkerPolicy, "call" | "close">;

/** Starts a worker with a module, which is compiled here, since compiling leaves the thread free; each worker gets the outcome. */
async function startModule(
  module: ModuleName,
  compiling: Promise<WebAssembly.Module>,
  timeout: number,
  makeWorker: () => WorkerLike,
): Promise<Running> {
  const compiled = await compiling;
  let thread: Thread | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  const start = async (): Promise<Thread> => {
    const started = (thread = new Thread(makeWorker()));
    await within(timeout, started.start(module, compiled));
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

  try {
    await start();
  } catch (cause) {
    const why = reason(cause);
    (thread as Thread | undefined)?.end(why);
    throw cause instanceof LoadError ? cause : new LoadError(`the worker cannot be started: ${why}`, { cause });
  }
  return {
    call(name, request, { signal } = {}) {
      const answer = last.then(() => (signal?.aborted ? "" : (noText(name, request) ?? run(name, request))));
      last = answer;
      return signal === undefined ? answer : unlessAborted(signal, answer);
    },
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
