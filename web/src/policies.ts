/** Loads policies, each with what it needs, and asks them together. */

import { checkWith } from "./check/all.js";
import { answerOf, type CheckAnswer } from "./check/answer.js";
import type { CheckRequest } from "./check/request.js";
import type { ErrorAnswer } from "./documents.js";
import { read } from "./read.js";
import { modules, words } from "./generated/modules.js";
import { addressesIn, infrastructureIn, judgingIn, renderingIn } from "./load.js";
import { checkedOptions, type LoadOptions, type ModuleOptions } from "./options.js";
import { type Addresses, type Infrastructure, type JudgingPolicy, type Policy, type RenderingPolicy, withAddresses } from "./policy.js";
import { classifiedProvider, isProvider, knownProvider, renderedProvider } from "./provider.js";

const NAMES = ["provider"];

/** Loads the policy of a provider, once however often it is called with the same `module`; rejects with a `LoadError`. */
export async function load(options: LoadOptions): Promise<Policy> {
  const checked = checkedOptions(options, NAMES);
  const provider = knownProvider(checked.provider);
  const judging = await judgingIn(modules[provider], words[provider], checked, read);
  return withAddresses(judging, () => loadAddresses({ provider }));
}

/**
 * Loads the policy with Gardener's own rules, which judges Shoots, CloudProfiles, NamespacedCloudProfiles and the structure
 * of Seeds of every provider, alike.
 */
export async function loadGardener(options: ModuleOptions = {}): Promise<JudgingPolicy> {
  return judgingIn(modules.gardener, words.gardener, checkedOptions(options), read);
}

/** Loads what computes the addresses of a provider's Shoots, and what an edit does to their nodes; a module of its own, alike. */
export async function loadAddresses(options: LoadOptions): Promise<Addresses> {
  const checked = checkedOptions(options, NAMES);
  return addressesIn(modules[`${knownProvider(checked.provider)}-addresses`], checked, read);
}

/**
 * Loads what plans the infrastructure of a provider's Shoots and classifies errors, a module of its own, alike; `classified`
 * lists the providers. `plan` and `status` answer an error for a provider that `infrastructures` lacks.
 */
export async function loadInfrastructure(options: LoadOptions): Promise<Infrastructure> {
  const checked = checkedOptions(options, NAMES);
  return infrastructureIn(modules[`${classifiedProvider(checked.provider)}-infrastructure`], checked, read);
}

/**
 * Loads what renders the control planes of a provider's Shoots and makes the machines of their worker pools, a module of its own,
 * alike; `rendered` lists the providers.
 */
export async function loadRendering(options: LoadOptions): Promise<RenderingPolicy> {
  const checked = checkedOptions(options, NAMES);
  return renderingIn(modules[`${renderedProvider(checked.provider)}-rendering`], checked, read);
}

/**
 * One answer about an object: sets the defaults of Gardener and of the object's provider, asks the rules of both, and joins
 * what they say. For a provider without a policy, Gardener's rules alone are asked, and `scope` says so. Loads what it needs
 * once, and rejects with a `LoadError` where that fails.
 */
export async function check(request: CheckRequest): Promise<CheckAnswer | ErrorAnswer> {
  const provider = (name: string) => load({ provider: name as LoadOptions["provider"] });
  const checked = await checkWith({ gardener: loadGardener, isThere: isProvider, provider }, request);
  return "error" in checked ? checked : answerOf(checked);
}
