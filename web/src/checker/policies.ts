/** The policies that a checker has loaded. */

import { LoadError, reason } from "../errors.js";
import { type Known, knownOf } from "../check/policy.js";
import type { LoadOptions } from "../options.js";
import type { Policy } from "../policy.js";

/** A policy and what it says of itself. */
export interface KnownPolicy extends Known {
  policy: Policy;
}

/** Loads each policy when it is needed; one that cannot be loaded is tried again the next time. */
export class Policies {
  private readonly ready = new Map<string, KnownPolicy>();

  /** `tell` is told when something is being loaded, and when that is over. */
  constructor(
    private readonly load: (options: LoadOptions) => Promise<Policy>,
    private readonly tell: (isLoading: boolean) => void,
  ) {}

  /** The policies of providers, each once, or why they cannot be had. */
  async get(providers: Iterable<string>): Promise<Map<string, KnownPolicy | LoadError>> {
    const wanted = [...new Set(providers)];
    const missing = wanted.filter((provider) => !this.ready.has(provider));
    const failed = new Map<string, LoadError>();
    if (missing.length > 0) {
      this.tell(true);
      await Promise.all(missing.map((provider) => this.start(provider).catch((thrown) => failed.set(provider, thrown))));
      this.tell(false);
    }
    return new Map(
      wanted.flatMap((provider) => {
        const found = this.ready.get(provider) ?? failed.get(provider);
        return found ? [[provider, found]] : [];
      }),
    );
  }

  private async start(provider: string): Promise<void> {
    try {
      const policy = await this.load({ provider });
      this.ready.set(provider, { policy, ...(await knownOf(policy)) });
    } catch (thrown) {
      throw thrown instanceof LoadError ? thrown : new LoadError(reason(thrown), { cause: thrown });
    }
  }
}
