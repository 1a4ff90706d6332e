/** A version that was chosen, and what its own code loads and starts. */

import type { CheckerOptions } from "../checker/interface.js";
import { LoadError, reason } from "../errors.js";
import type { ModuleOptions } from "../options.js";
import type { WorkerOptions } from "../worker/interface.js";
import type { Admission } from "./admission.js";
import type { About, Release } from "./release.js";

/** The policy, the worker and the checker that releases have; where releases have different ones, one of them. */
type PolicyOf<R extends Release> = R extends unknown ? Awaited<ReturnType<Awaited<ReturnType<R["code"]>>["load"]>> : never;
type WorkerOf<R extends Release> = R extends unknown ? Awaited<ReturnType<Awaited<ReturnType<R["worker"]>>["startWorker"]>> : never;
type CheckerOf<R extends Release> = R extends unknown ? ReturnType<Awaited<ReturnType<R["checker"]>>["startChecker"]> : never;

/** The version that was chosen. Its functions load its own code, and reject with a `LoadError` where that fails. */
export interface Choice<R extends Release = Release> {
  /** What admission runs, as it says itself; `mode` says what becomes of an object with an error. */
  readonly admission: Admission;
  readonly release: R;
  /** Where the chosen version is not what admission runs: a sentence that says so, for people who read what the version answers. */
  readonly difference: string | undefined;
  /** Loads the policy of the provider, as `load` does. The module has the hash that its version names, or is not compiled. */
  load(options?: ModuleOptions): Promise<PolicyOf<R>>;
  /** Starts a worker with the policy, as `startWorker` does, alike. */
  startWorker(options?: Omit<WorkerOptions, "provider">): Promise<WorkerOf<R>>;
  /** Starts a checker, as `startChecker` does. */
  startChecker(options?: CheckerOptions): Promise<CheckerOf<R>>;
}

/** What a caller gets that chose a version. */
export function choiceOf<R extends Release>(release: R, admission: Admission, difference: string | undefined): Choice<R> {
  const { provider } = admission;
  const packaged = async () => {
    const { load, modules } = await codeOf(release, release.code());
    return { load, integrity: modules[provider]?.integrity };
  };
  return {
    admission,
    release,
    difference,
    async load(options = {}) {
      const { load, integrity } = await packaged();
      const policy = await ours(load({ integrity, ...options, provider }));
      requireVersion(release, policy.info());
      return policy as PolicyOf<R>;
    },
    async startWorker(options = {}) {
      const { startWorker } = await codeOf(release, release.worker());
      const { integrity } = await packaged();
      const worker = await ours(startWorker({ integrity, ...options, provider }));
      try {
        requireVersion(release, await worker.info());
      } catch (thrown) {
        worker.close();
        throw thrown;
      }
      return worker as WorkerOf<R>;
    },
    async startChecker(options) {
      const { startChecker } = await codeOf(release, release.checker());
      return (await ours(Promise.resolve().then(() => startChecker(options)))) as CheckerOf<R>;
    },
  };
}

/** The code of a version, which is a file of its own. */
async function codeOf<Code>({ version }: Release, code: Promise<Code>): Promise<Code> {
  try {
    return await code;
  } catch (cause) {
    throw new LoadError(`the code of version ${version} cannot be loaded: ${reason(cause)}`, { cause });
  }
}

/** The outcome of another version's code, whose `LoadError` is a class of its own. */
async function ours<Outcome>(outcome: Promise<Outcome>): Promise<Outcome> {
  try {
    return await outcome;
  } catch (cause) {
    const isTheirs = cause instanceof Error && cause.name === "LoadError" && !(cause instanceof LoadError);
    throw isTheirs ? new LoadError(cause.message, { cause }) : cause;
  }
}

/** Refuses a module that says of itself that it is another version. */
function requireVersion({ version }: Release, about: About): void {
  if ("error" in about) throw new LoadError(`the module of version ${version} does not say its version: ${about.error.message}`);
  if (about.version === version) return;
  throw new LoadError(`the module says that it is version ${about.version}, not ${version}: serve the files of one version of the package together`);
}
