/** From what admission runs to the same version of the package. */

import { LoadError, shown } from "../errors.js";
import { VERSION } from "../generated/version.js";
import { type Admission, admissionOf } from "./admission.js";
import { type Choice, choiceOf } from "./choice.js";
import { nearest } from "./order.js";
import { CONTRACT, type Release } from "./release.js";

/** How to choose. */
export interface ChooseOptions {
  /** Whether another version is chosen where there is no same one: the newest that is no newer, else the oldest. */
  nearest?: boolean | undefined;
}

/**
 * Chooses what admission runs among versions of this package: that with the same version and, where the package knows the
 * digest of the host's file, the same digest. `data` is that of the ConfigMap. Throws a `LoadError` where there is none.
 */
export function choose<R extends Release>(data: object, releases: readonly R[], options: ChooseOptions = {}): Choice<R> {
  const admission = admissionOf(data);
  releases.forEach(requireContract);
  const { provider, version } = admission;
  const there = releases.filter(({ providers }) => providers.includes(provider));
  const same = there.find((release) => release.version === version && isSameFile(release, admission));
  if (same !== undefined) return choiceOf(same, admission, undefined);
  const found = nearest(version, there);
  if (found === undefined) {
    const all = releases.map(({ version, providers }) => `${version} with ${providers.join(", ")}`).join("; ") || "nothing";
    throw new LoadError(`no version here has a policy of \`${provider}\`, which admission runs; there is ${all}. Add one that has`);
  }
  const name = ({ version, digests }: Release) => named(version, digests[provider]);
  const runs = `Admission judges with ${named(version, admission.digest)} of the policy of ${provider}`;
  if (options.nearest) return choiceOf(found, admission, `${runs}. This is ${name(found)}, which may answer otherwise.`);
  const all = there.map(name).join(", ");
  throw new LoadError(`${runs}, which is not here; there is ${all}. Add that version of the package, or choose the \`nearest\` one`);
}

/** Where nobody knows one of the digests, the version decides alone. */
function isSameFile({ digests }: Release, { provider, digest }: Admission): boolean {
  const known = digests[provider];
  return known === undefined || digest === undefined || known === digest;
}

function named(version: string, digest: string | undefined): string {
  return digest === undefined ? `version ${version}` : `version ${version} (file ${digest.slice(0, 12)}…)`;
}

function requireContract(release: Release): void {
  const { contract, version } = release ?? {};
  if (contract === CONTRACT) return;
  if (typeof contract !== "number") throw new LoadError(`a release is \`release\` of \`trellis-policy/versions\`, not ${shown(release)}`);
  throw new LoadError(
    `\`choose\` of version ${VERSION} cannot use version ${version}, whose code is called in another way: take \`choose\` from the newest version that is here`,
  );
}
