/** From a module to what it answers. */

import { instantiate } from "./instance.js";
import { loadShared, type Read } from "./module.js";
import type { CheckedOptions, PackagedModule } from "./options.js";
import { type Addresses, addressesOf, type Infrastructure, infrastructureOf, type JudgingPolicy, judgingOf, type MutatingPolicy, mutatingOf, type RenderingPolicy, renderingOf } from "./policy.js";
import { explainer } from "./words.js";

/** Loads what judges and completes objects. */
export function judgingIn(packaged: PackagedModule, words: () => URL, options: CheckedOptions, read: Read): Promise<JudgingPolicy> {
  return loadShared(packaged, options, read, (module) =>
    judgingOf(instantiate(packaged.name, module), explainer(words, read)),
  );
}

/** Loads what computes addresses. */
export function addressesIn(packaged: PackagedModule, options: CheckedOptions, read: Read): Promise<Addresses> {
  return loadShared(packaged, options, read, (module) => addressesOf(instantiate(packaged.name, module)));
}

/** Loads what plans infrastructure and classifies errors. */
export function infrastructureIn(packaged: PackagedModule, options: CheckedOptions, read: Read): Promise<Infrastructure> {
  return loadShared(packaged, options, read, (module) => infrastructureOf(instantiate(packaged.name, module)));
}

/** Loads what renders control planes. */
export function renderingIn(packaged: PackagedModule, options: CheckedOptions, read: Read): Promise<RenderingPolicy> {
  return loadShared(packaged, options, read, (module) => renderingOf(instantiate(packaged.name, module)));
}

/** Loads what webhooks change in objects. */
export function mutationsIn(packaged: PackagedModule, options: CheckedOptions, read: Read): Promise<MutatingPolicy> {
  return loadShared(packaged, options, read, (module) => mutatingOf(instantiate(packaged.name, module)));
}
