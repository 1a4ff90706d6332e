import { LoadError } from "./errors.js";
import { classified, type ClassifiedProvider, infrastructures, type Provider, providers } from "./generated/providers.js";

/** The provider if there is a policy for it. */
export function knownProvider(name: string): Provider {
  const known = providers.find((provider) => provider === name);
  if (known === undefined) {
    throw new LoadError(`there is no policy for the provider \`${name}\`; there are ${providers.join(", ")}`);
  }
  return known;
}

/** The provider if errors of its cloud's calls are classified, whether or not its infrastructure is planned. */
export function classifiedProvider(name: string): ClassifiedProvider {
  const known = knownProvider(name);
  const found = classified.find((provider) => provider === known);
  if (found === undefined) {
    const planned = infrastructures.join(", ");
    throw new LoadError(`Trellis does not plan infrastructures of \`${name}\` yet; it plans those of ${planned}`);
  }
  return found;
}
