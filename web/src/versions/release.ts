/** A version of this package as something to choose: what it is, and its code, which is loaded when it is chosen. */

import { providers } from "../generated/providers.js";
import { VERSION } from "../generated/version.js";
import type { ModuleOptions } from "../options.js";
import { digests } from "../policies/digests.js";
import type { WorkerOptions } from "../worker/interface.js";
import type { CheckerOptions } from "../checker/interface.js";

/** What `choose` expects of a release. A version whose releases an older `choose` cannot use has another number. */
export const CONTRACT = 1;

/** What a policy says of itself, as far as somebody who chooses it asks. */
export type About = { version: string } | { error: { message: string } };

/** A version of this package, as far as every version has it. */
export interface Release {
  /** What the release expects of `choose`. */
  readonly contract: number;
  /** The version of the package, and of its policies. */
  readonly version: string;
  /** The providers that this version has policies for. */
  readonly providers: readonly string[];
  /** The digests of the files of the same policies that hosts load, where they were built along with the package. */
  readonly digests: Readonly<Record<string, string>>;
  /** The code of `trellis-policy`. */
  code(): Promise<{
    load(options: ModuleOptions & { provider: string }): Promise<{ info(): About }>;
    modules: Readonly<Record<string, { integrity: string }>>;
  }>;
  /** The code of `trellis-policy/worker`. */
  worker(): Promise<{ startWorker(options: WorkerOptions): Promise<{ info(): Promise<About>; close(): void }> }>;
  /** The code of `trellis-policy/checker`. */
  checker(): Promise<{ startChecker(options?: CheckerOptions): object }>;
}

/** This version, with the code that starts its threads. */
export function releaseOf<Threads extends Pick<Release, "worker" | "checker">>(threads: Threads) {
  return { contract: CONTRACT, version: VERSION, providers, digests, code: () => import("../index.js"), ...threads } satisfies Release;
}
