/** Which version is the older one. */

const byNumber = new Intl.Collator("en", { numeric: true });

/** Below 0 where the first version is the older one. A version before a release, such as `0.2.0-rc.1`, is older than the release. */
export function compareVersions(one: string, other: string): number {
  const [[a, aBefore], [b, bBefore]] = [split(one), split(other)];
  return byNumber.compare(a, b) || Number(aBefore === "") - Number(bBefore === "") || byNumber.compare(aBefore, bBefore);
}

/** The numbers of a version, and what stands before a release. What stands behind a `+` orders nothing. */
function split(version: string): [numbers: string, before: string] {
  const [, numbers = "", before = ""] = /^([^-+]*)-?([^+]*)/.exec(version) ?? [];
  return [numbers, before];
}

/** The newest of the versions that is no newer than the wanted one; where all are newer, the oldest. */
export function nearest<T extends { version: string }>(wanted: string, all: readonly T[]): T | undefined {
  const sorted = [...all].sort((a, b) => compareVersions(a.version, b.version));
  return sorted.filter(({ version }) => compareVersions(version, wanted) <= 0).at(-1) ?? sorted[0];
}
