import { LoadError } from "./errors.js";
import { type Provider, providers } from "./generated/providers.js";

/** The provider if there is a policy for it. */
export function knownProvider(name: string): Provider {
  const known = providers.find((provider) => provider === name);
  if (known === undefined) {
    throw new LoadError(`there is no policy for the provider \`${name}\`; there are ${providers.join(", ")}`);
  }
  return known;
}
