/** From what admission runs to the same version of the package. */

import type { CheckerOptions } from "../checker/interface.js";
import { LoadError, reason, shown } from "../errors.js";
import { VERSION } from "../generated/version.js";
import type { ModuleOptions } from "../options.js";
import type { WorkerOptions } from "../worker/interface.js";
import { type Admission, admissionOf } from "./admission.js";
import { nearest } from "./order.js";
import { type About, CONTRACT, type Release } from "./release.js";

/** The policy, the worker and the checker that releases have; where releases have different ones, one of them. */
type PolicyOf<R extends Release> = R extends unknown ? Awaited<ReturnType<Awaited<ReturnType<R["code"]>>["load"]>> : never;
type WorkerOf<R extends Release> = R extends unknown ? Awaited<ReturnType<Awaited<ReturnType<R["worker"]>>["startWorker"]>> : never;
type CheckerOf<R extends Release> = R extends unknown ? ReturnType<Awaited<ReturnType<R["checker"]>>["startChecker"]> : never;

/** The version that was chosen. Its functions load its own code, and reject with a `LoadError` where that fails. */
export interface Choice<R extends Release = Release> {
  /** What admission runs, as it says itself; `mode` says what becomes of an object with an error. */
  readonly admission: Admission;
  readonly release: R;
  /** Where the chosen version is not what admission runs: a sentence that says so, for whoever reads what the version answers. */
  readonly difference: string | undefined;
  /** Loads the policy of the provider, as `load` does. The module has the hash that its version names, or is not compiled. */
  load(options?: ModuleOptions): Promise<PolicyOf<R>>;
  /** Starts a worker with the policy, as `startWorker` does, alike. */
  startWorker(options?: Omit<WorkerOptions, "provider">): Promise<WorkerOf<R>>;
  /** Starts a checker, as `startChecker` does. */
  startChecker(options?: CheckerOptions): Promise<CheckerOf<R>>;
}

/** How to choose. */
export interface ChooseOptions {
  /** Whether another version is chosen where there is no same one: the newest that is no newer, else the oldest. */
  nearest?: boolean | undefined;
}

/**
 * Chooses what admission runs among versions of this package: that with the same version and, where the package knows the
 * digest of the host's file, the same digest. `data` is that of the ConfigMap. Throws a `LoadError` where there is none.
 */
export function choose<R extends Release>(data: object, releases: readonly R[], options: ChooseOptions = {}): Choice<R> {
  const admission = admissionOf(data);
  releases.forEach(requireContract);
  const { provider, version } = admission;
  const there = releases.filter(({ providers }) => providers.includes(provider));
  const same = there.find((release) => release.version === version && isSameFile(release, admission));
  if (same !== undefined) return choiceOf(same, admission, undefined);
  const found = nearest(version, there);
  if (found === undefined) {
    const versions = releases.map(({ version, providers }) => `${version} with ${providers.join(", ")}`).join("; ") || "nothing";
    throw new LoadError(`no version here has a policy of \`${provider}\`, which admission runs; there is ${versions}. Add one that has`);
  }
  const runs = `Admission judges with ${named(version, admission.digest)} of the policy of ${provider}`;
  const others = there.map((release) => named(release.version, release.digests[provider]));
  if (options.nearest) return choiceOf(found, admission, `${runs}. This is ${named(found.version, found.digests[provider])}, which may answer otherwise.`);
  throw new LoadError(`${runs}, which is not here; there is ${others.join(", ")}. Add that version of the package, or choose the \`nearest\` one`);
}

/** Where nobody knows one of the digests, the version decides alone. */
function isSameFile({ digests }: Release, { provider, digest }: Admission): boolean {
  const known = digests[provider];
  return known === undefined || digest === undefined || known === digest;
}

function named(version: string, digest: string | undefined): string {
  return digest === undefined ? `version ${version}` : `version ${version} (file ${digest.slice(0, 12)}…)`;
}

function requireContract(release: Release): void {
  const { contract, version } = release ?? {};
  if (contract === CONTRACT) return;
  if (typeof contract !== "number") throw new LoadError(`a release is \`release\` of \`trellis-policy/versions\`, not ${shown(release)}`);
  throw new LoadError(
    `\`choose\` of version ${VERSION} cannot use version ${version}, whose code is called in another way: take \`choose\` from the newest version that is here`,
  );
}

function choiceOf<R extends Release>(release: R, admission: Admission, difference: string | undefined): Choice<R> {
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
      return startChecker(options) as CheckerOf<R>;
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
  if ("error" in about) throw new LoadError(`the module of version ${version} does not tell its version: ${about.error.message}`);
  if (about.version === version) return;
  throw new LoadError(`the module says that it is version ${about.version}, not ${version}: serve the files of one version of the package together`);
}
