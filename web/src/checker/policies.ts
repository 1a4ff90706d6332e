/** The policies that a checker has loaded. */

import { LoadError, reason } from "../errors.js";
import { type Known, knownOf } from "../check/policy.js";
import type { LoadOptions } from "../options.js";
import { GARDENER } from "../check/join.js";
import type { Addresses, Infrastructure, JudgingPolicy, RenderingPolicy } from "../policy.js";

/** A policy and what it says of itself. */
export interface KnownPolicy extends Known {
  policy: JudgingPolicy;
}

/** What loads modules. */
export interface Loaders {
  load(options: LoadOptions): Promise<JudgingPolicy>;
  loadGardener(): Promise<JudgingPolicy>;
  loadAddresses(options: LoadOptions): Promise<Addresses>;
  loadInfrastructure(options: LoadOptions): Promise<Infrastructure>;
  loadRendering(options: LoadOptions): Promise<RenderingPolicy>;
}

/** Loads each policy when it is needed; one that cannot be loaded is tried again the next time. */
export class Policies {
  private readonly ready = new Map<string, KnownPolicy>();
  private readonly addressing = new Map<string, Addresses>();
  private readonly infrastructures = new Map<string, Infrastructure>();
  private readonly renderings = new Map<string, RenderingPolicy>();
  /** How many loads somebody waits for. */
  private loading = 0;
  /** The load of Gardener's own policy that nobody waits for, and why the last one failed. */
  private coming: Promise<void> | undefined;
  private lost: LoadError | undefined;

  /** `notify` is called when something is being loaded, and when that is over. */
  constructor(
    private readonly loaders: Loaders,
    private readonly notify: (isLoading: boolean) => void,
  ) {}

  /** The policies of providers, or that of Gardener itself, each once, or why they cannot be had. */
  get(names: Iterable<string>): Promise<Map<string, KnownPolicy | LoadError>> {
    return this.from(this.ready, [...new Set(names)], (name) => this.start(name));
  }

  /** Gardener's own policy, or why it could not be had; nothing as long as nobody knows. */
  get gardener(): KnownPolicy | LoadError | undefined {
    return this.ready.get(GARDENER) ?? this.lost;
  }

  /**
   * Loads Gardener's own policy while nobody waits for it, where it is not there yet. Whether that says more than was known
   * before.
   */
  async fetchGardener(): Promise<boolean> {
    const before = this.gardener;
    if (before && !(before instanceof Error)) return false;
    this.coming ??= this.start(GARDENER).then(
      (policy) => void this.ready.set(GARDENER, policy),
      (thrown: unknown) => void (this.lost = loadError(thrown)),
    );
    const coming = this.coming;
    await coming;
    // One of those who waited reports it.
    if (this.coming !== coming) return false;
    this.coming = undefined;
    return before === undefined || this.ready.has(GARDENER);
  }

  private async start(name: string): Promise<KnownPolicy> {
    const policy = await (name === GARDENER ? this.loaders.loadGardener() : this.loaders.load({ provider: name }));
    return { policy, ...(await knownOf(policy)) };
  }

  /** What computes the addresses of providers' Shoots, or why it cannot be had. */
  addresses(providers: Iterable<string>): Promise<Map<string, Addresses | LoadError>> {
    return this.from(this.addressing, [...new Set(providers)], (provider) => this.loaders.loadAddresses({ provider }));
  }

  /** What plans the infrastructure of providers' Shoots, or why it cannot be had. */
  infrastructure(providers: Iterable<string>): Promise<Map<string, Infrastructure | LoadError>> {
    return this.from(this.infrastructures, [...new Set(providers)], (provider) => this.loaders.loadInfrastructure({ provider }));
  }

  /** What renders the control planes of providers' Shoots, or why it cannot be had. */
  rendering(providers: Iterable<string>): Promise<Map<string, RenderingPolicy | LoadError>> {
    return this.from(this.renderings, [...new Set(providers)], (provider) => this.loaders.loadRendering({ provider }));
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
        failed.set(provider, loadError(thrown));
      }
    };
    if (missing.length > 0) {
      this.loading += 1;
      if (this.loading === 1) this.notify(true);
      await Promise.all(missing.map(get));
      this.loading -= 1;
      if (this.loading === 0) this.notify(false);
    }
    return new Map(
      wanted.flatMap((provider) => {
        const found = ready.get(provider) ?? failed.get(provider);
        return found ? [[provider, found]] : [];
      }),
    );
  }
}

function loadError(thrown: unknown): LoadError {
  return thrown instanceof LoadError ? thrown : new LoadError(reason(thrown), { cause: thrown });
}
