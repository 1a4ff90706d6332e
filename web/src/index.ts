/** Policies of Gardener's cloud providers: `await load(...)` once, then synchronous calls that never throw. */

import { loadAddressesOnce, loadInfrastructureOnce, loadOnce } from "./load.js";
import type { LoadOptions } from "./options.js";
import type { Addresses, Infrastructure, Policy } from "./policy.js";

export type * from "./documents.js";
export { LoadError, type CallFailure } from "./errors.js";
export { classified, type ClassifiedProvider, infrastructures, type PlannedProvider, type Provider, providers } from "./generated/providers.js";
export type { LoadOptions, Source } from "./options.js";
export type { Addresses, Infrastructure, Policy } from "./policy.js";
export type { ExplainedRule, ExplainedRules } from "./rules.js";

/** Loads the policy of a provider, once however often it is called; rejects with a `LoadError`. */
export function load(options: LoadOptions): Promise<Policy> {
  return loadOnce(options, (url) => fetch(url));
}

/** Loads what tells the addresses of a provider's Shoots, a module of its own, alike. */
export function loadAddresses(options: LoadOptions): Promise<Addresses> {
  return loadAddressesOnce(options, (url) => fetch(url));
}

/**
 * Loads what plans the infrastructure of a provider's Shoots and classifies errors, a module of its own, alike; `classified`
 * lists the providers. Of a provider that `infrastructures` lacks, `plan` and `status` answer an error.
 */
export function loadInfrastructure(options: LoadOptions): Promise<Infrastructure> {
  return loadInfrastructureOnce(options, (url) => fetch(url));
}
