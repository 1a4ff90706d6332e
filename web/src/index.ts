/** Policies of Gardener's cloud providers: `await load(...)` once, then synchronous calls that never throw. */

import { loadOnce } from "./load.js";
import type { LoadOptions } from "./options.js";
import type { Policy } from "./policy.js";

export type * from "./documents.js";
export { LoadError, type CallFailure } from "./errors.js";
export { providers, type Provider } from "./generated/providers.js";
export type { LoadOptions, Source } from "./options.js";
export type { Policy } from "./policy.js";

/** Loads the policy of a provider; rejects with a `LoadError`. However often it is called, the module is loaded once. */
export function load(options: LoadOptions): Promise<Policy> {
  return loadOnce(options, (url) => fetch(url));
}
