import { LoadError } from "./errors.js";
import { infrastructures, type PlannedProvider, type Provider, providers } from "./generated/providers.js";

/** The provider if there is a policy for it. */
export function knownProvider(name: string): Provider {
  const known = providers.find((provider) => provider === name);
  if (known === undefined) {
    throw new LoadError(`there is no policy for the provider \`${name}\`; there are ${providers.join(", ")}`);
  }
  return known;
}

/** The provider if its infrastructure is planned. */
export function plannedProvider(name: string): PlannedProvider {
  const known = knownProvider(name);
  const planned = infrastructures.find((provider) => provider === known);
  if (planned === undefined) {
    throw new LoadError(`the policy of \`${name}\` plans no infrastructure; those of ${infrastructures.join(", ")} do`);
  }
  return planned;
}
