/** Policies of Gardener's cloud providers: `await load(...)` once, then synchronous calls that never throw. */

import { loadOnce, type LoadOptions } from "./load.js";
import type { Policy } from "./policy.js";

export type * from "./documents.js";
export { LoadError, type CallFailure } from "./errors.js";
export { providers, type Provider } from "./generated/providers.js";
export type { LoadOptions } from "./load.js";
export type { Policy } from "./policy.js";

/** Loads the policy of a provider; rejects with a `LoadError`. However often it is called, the module is loaded once. */
export function load(options: LoadOptions): Promise<Policy> {
  return loadOnce(options, (url) => fetch(url));
}
