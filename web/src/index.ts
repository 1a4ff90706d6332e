/** Policies of Gardener's cloud providers: `await load(...)` once, then synchronous calls that never throw. */

import { read } from "./read.js";
import { modules, words } from "./generated/modules.js";
import { addressesIn, infrastructureIn, judgingIn } from "./load.js";
import { checkedOptions, type LoadOptions } from "./options.js";
import { type Addresses, type Infrastructure, type Policy, withAddresses } from "./policy.js";
import { classifiedProvider, knownProvider } from "./provider.js";

export { detailOf } from "./detail.js";
export type * from "./documents.js";
export { LoadError, type CallFailure } from "./errors.js";
export { type ModuleName, modules } from "./generated/modules.js";
export { classified, type ClassifiedProvider, infrastructures, type PlannedProvider, type Provider, providers } from "./generated/providers.js";
export type { CompiledModule, LoadOptions, ModuleOptions, PackagedModule, Source } from "./options.js";
export type { Addresses, Infrastructure, JudgingPolicy, Policy } from "./policy.js";
export { isProvider } from "./provider.js";
export type { ExplainedRule, ExplainedRules } from "./rules.js";

const NAMES = ["provider"];

/** Loads the policy of a provider, once however often it is called with the same `module`; rejects with a `LoadError`. */
export async function load(options: LoadOptions): Promise<Policy> {
  const checked = checkedOptions(options, NAMES);
  const provider = knownProvider(checked.provider);
  const judging = await judgingIn(modules[provider], words[provider], checked, read);
  return withAddresses(judging, () => loadAddresses({ provider }));
}

/** Loads what tells the addresses of a provider's Shoots, a module of its own, alike. */
export async function loadAddresses(options: LoadOptions): Promise<Addresses> {
  const checked = checkedOptions(options, NAMES);
  return addressesIn(modules[`${knownProvider(checked.provider)}-addresses`], checked, read);
}

/**
 * Loads what plans the infrastructure of a provider's Shoots and classifies errors, a module of its own, alike; `classified`
 * lists the providers. Of a provider that `infrastructures` lacks, `plan` and `status` answer an error.
 */
export async function loadInfrastructure(options: LoadOptions): Promise<Infrastructure> {
  const checked = checkedOptions(options, NAMES);
  return infrastructureIn(modules[`${classifiedProvider(checked.provider)}-infrastructure`], checked, read);
}
