/** The policies that a checker has loaded. */

import { LoadError, reason } from "../errors.js";
import { type Known, knownOf } from "../check/policy.js";
import type { LoadOptions } from "../options.js";
import type { Addresses, Infrastructure, Policy } from "../policy.js";

/** A policy and what it says of itself. */
export interface KnownPolicy extends Known {
  policy: Policy;
}

/** What loads the modules of a provider. */
export interface Loaders {
  load(options: LoadOptions): Promise<Policy>;
  loadAddresses(options: LoadOptions): Promise<Addresses>;
  loadInfrastructure(options: LoadOptions): Promise<Infrastructure>;
}

/** Loads each policy when it is needed; one that cannot be loaded is tried again the next time. */
export class Policies {
  private readonly ready = new Map<string, KnownPolicy>();
  private readonly addressing = new Map<string, Addresses>();
  private readonly infrastructures = new Map<string, Infrastructure>();

  /** `tell` is told when something is being loaded, and when that is over. */
  constructor(
    private readonly loaders: Loaders,
    private readonly tell: (isLoading: boolean) => void,
  ) {}

  /** The policies of providers, each once, or why they cannot be had. */
  get(providers: Iterable<string>): Promise<Map<string, KnownPolicy | LoadError>> {
    return this.from(this.ready, [...new Set(providers)], async (provider) => {
      const policy = await this.loaders.load({ provider });
      return { policy, ...(await knownOf(policy)) };
    });
  }

  /** What tells the addresses of providers' Shoots, or why it cannot be had. */
  addresses(providers: Iterable<string>): Promise<Map<string, Addresses | LoadError>> {
    return this.from(this.addressing, [...new Set(providers)], (provider) => this.loaders.loadAddresses({ provider }));
  }

  /** What plans the infrastructure of providers' Shoots, or why it cannot be had. */
  infrastructure(providers: Iterable<string>): Promise<Map<string, Infrastructure | LoadError>> {
    return this.from(this.infrastructures, [...new Set(providers)], (provider) => this.loaders.loadInfrastructure({ provider }));
  }

  private async from<T>(
    ready: Map<string, T>,
    wanted: string[],
    start: (provider: string) => Promise<T>,
  ): Promise<Map<string, T | LoadError>> {
    const missing = wanted.filter((provider) => !ready.has(provider));
    const failed = new Map<string, LoadError>();
    const get = async (provider: string): Promise<void> => {
      try {
        ready.set(provider, await start(provider));
      } catch (thrown) {
        failed.set(provider, thrown instanceof LoadError ? thrown : new LoadError(reason(thrown), { cause: thrown }));
      }
    };
    if (missing.length > 0) {
      this.tell(true);
      await Promise.all(missing.map(get));
      this.tell(false);
    }
    return new Map(
      wanted.flatMap((provider) => {
        const found = ready.get(provider) ?? failed.get(provider);
        return found ? [[provider, found]] : [];
      }),
    );
  }
}
