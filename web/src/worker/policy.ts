import { read as readUrl } from "../read.js";
import { unloaded } from "../absent.js";
import { failure, LoadError, reason, shown } from "../errors.js";
import { type Addressing, addressing, type Judging, judging } from "../functions.js";
import { modules, words } from "../generated/modules.js";
import { loadAlone } from "../module.js";
import { type CheckedOptions, checkedOptions, type PackagedModule } from "../options.js";
import { functionsOf, noText, read, written } from "../policy.js";
import { knownProvider } from "../provider.js";
import { unlessAborted, within, wrongCall } from "../wait.js";
import { explainer } from "../words.js";
import type { CallOptions, Later, WorkerLike, WorkerOptions, WorkerPolicy } from "./interface.js";
import { Thread } from "./thread.js";

class DeadlineExceeded extends Error {}

/** Milliseconds that a call may take where nobody says otherwise. */
const CALL_TIMEOUT = 10_000;

/** Starts a worker with the policy of a provider. A second one answers what the module about addresses answers. */
export async function startPolicy(options: WorkerOptions, makeWorker: () => WorkerLike): Promise<WorkerPolicy> {
  const checked = checkedOptions(options, ["provider", "worker"]);
  const { worker } = checked;
  if (worker !== undefined && typeof worker !== "function") {
    throw new LoadError(`\`worker\` is a function that makes a worker, not ${shown(worker)}`);
  }
  const known = knownProvider(checked.provider);
  const ofCalls = { timeout: options.timeout ?? CALL_TIMEOUT, make: worker ?? makeWorker };
  const policy = await startModule(modules[known], checked, ofCalls);
  let second: Promise<Running> | undefined;
  let closed = false;
  const askSecond: Running["call"] = async (name, request, options) => {
    try {
      if (closed) throw new Error("the worker was closed");
      second ??= startModule(modules[`${known}-addresses`], { timeout: checked.timeout }, ofCalls);
      return (await second).call(name, request, options);
    } catch (thrown) {
      second = undefined;
      return JSON.stringify(unloaded(closed ? "WorkerFailed" : "PolicyUnavailable", thrown));
    }
  };
  // Starting the second worker takes a while, which an aborted call does not wait for.
  const addressesCall: Running["call"] = (name, request, options) => {
    const signal = wrongCall(options) ? undefined : options?.signal;
    return unlessAborted(signal, askSecond(name, request, options));
  };
  const functions = functionsOf<Later<Judging>>(judging, asking(policy.call));
  const { addresses, zones, rollout } = functionsOf<Later<Addressing>>(addressing, asking(addressesCall));
  const explain = explainer(words[known], readUrl);
  return {
    ...functions,
    rules: async (options) => explain(await functions.rules(options)),
    addresses,
    zones,
    rollout,
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

/** Starts a worker with a module, which is compiled here, because compiling leaves the thread free; each worker gets the outcome. */
async function startModule(
  packaged: PackagedModule,
  options: CheckedOptions,
  { timeout, make }: { timeout: number; make: () => WorkerLike },
): Promise<Running> {
  const compiled = await loadAlone(packaged, options, readUrl);
  const late = () => new DeadlineExceeded(`the policy took longer than ${timeout} ms`);
  let thread: Thread | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  const start = async (): Promise<Thread> => {
    const started = (thread = new Thread(make()));
    await within(timeout, started.start(packaged.name, compiled), late);
    return started;
  };

  const run = async (name: string, request: string): Promise<string> => {
    try {
      if (closed) throw new Error("the worker was closed");
      const running = thread === undefined || thread.ended ? await start() : thread;
      return await within(timeout, running.call(name, request), late);
    } catch (thrown) {
      thread?.end(reason(thrown));
      thread = undefined;
      const code = thrown instanceof DeadlineExceeded ? "DeadlineExceeded" : "WorkerFailed";
      return JSON.stringify(failure(code, reason(thrown)));
    }
  };

  try {
    await unlessAborted(options.signal, start());
  } catch (cause) {
    const why = reason(cause);
    (thread as Thread | undefined)?.end(why);
    if (options.signal?.aborted || cause instanceof LoadError) throw cause;
    throw new LoadError(`the worker cannot be started: ${why}`, { cause });
  }
  return {
    async call(name, request, options) {
      const wrong = wrongCall(options);
      if (wrong) return JSON.stringify(failure("Malformed", wrong));
      const signal = options?.signal;
      const answer = last.then(() => (signal?.aborted ? "" : (noText(name, request) ?? run(name, request))));
      last = answer;
      return unlessAborted(signal, answer);
    },
    close() {
      closed = true;
      thread?.end("the worker was closed");
    },
  };
}
