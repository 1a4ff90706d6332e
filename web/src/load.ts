import type { ModuleName } from "./generated/modules.js";
import { instantiate } from "./instance.js";
import { compile, type Read } from "./module.js";
import type { LoadOptions, Source } from "./options.js";
import { type Addresses, addressesOf, type Infrastructure, infrastructureOf, type Policy, policyOf } from "./policy.js";
import { classifiedProvider, knownProvider } from "./provider.js";
import { explainer } from "./words.js";

type Call = (name: string, request: string) => string;

const loaded = new Map<ModuleName, Promise<unknown>>();

/** Loads a policy once: who asks again gets the same one, whatever the `module`. A failure is forgotten. */
export async function loadOnce({ provider, module }: LoadOptions, read: Read): Promise<Policy> {
  const known = knownProvider(provider);
  const addresses = () => loadAddressesOnce({ provider }, read);
  return once(known, module, read, (call) => policyOf(call, explainer(known, read), addresses));
}

/** Loads what tells addresses alike. */
export async function loadAddressesOnce({ provider, module }: LoadOptions, read: Read): Promise<Addresses> {
  return once(`${knownProvider(provider)}-addresses`, module, read, addressesOf);
}

/** Loads what plans infrastructure and classifies errors alike. */
export async function loadInfrastructureOnce({ provider, module }: LoadOptions, read: Read): Promise<Infrastructure> {
  return once(`${classifiedProvider(provider)}-infrastructure`, module, read, infrastructureOf);
}

function once<T>(name: ModuleName, module: Source | undefined, read: Read, make: (call: Call) => T): Promise<T> {
  const before = loaded.get(name);
  if (before !== undefined) return before as Promise<T>;
  const made = instantiate(name, compile(name, module, read)).then(({ call }) => make(call));
  loaded.set(name, made);
  made.catch(() => loaded.delete(name));
  return made;
}
