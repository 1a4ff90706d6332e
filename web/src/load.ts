import type { Provider } from "./generated/providers.js";
import { instantiate } from "./instance.js";
import { compile, type Read } from "./module.js";
import type { LoadOptions, Source } from "./options.js";
import { policyOf, type Policy } from "./policy.js";
import { knownProvider } from "./provider.js";

const loaded = new Map<Provider, Promise<Policy>>();

/** Loads a policy once: who asks again gets the same one, whatever the `module`. A failure is forgotten. */
export async function loadOnce({ provider, module }: LoadOptions, read: Read): Promise<Policy> {
  const known = knownProvider(provider);
  const before = loaded.get(known);
  if (before !== undefined) return before;
  const policy = start(known, module, read);
  loaded.set(known, policy);
  policy.catch(() => loaded.delete(known));
  return policy;
}

async function start(provider: Provider, module: Source | undefined, read: Read): Promise<Policy> {
  const instance = await instantiate(provider, compile(provider, module, read));
  return policyOf(instance.call);
}
