/** The versions that can be chosen, and the version of Gardener that was, which the browser keeps for all visits. */

const KEY = "trellis:gardener";

/** The versions whose rules Gardener's policy has, the newest first. */
export const RELEASES = ["1.150", "1.149", "1.148", "1.147", "1.146", "1.145", "1.144", "1.143"];

/** Versions of Kubernetes that Gardener's policy knows, the newest first. */
export const KUBERNETES = ["1.36", "1.35", "1.34", "1.33", "1.32"];

/** Two or three numbers, such as `1.147` and `1.147.2`, as the command line takes them; people write `v` before them. */
export function versionOf(text: string): string | undefined {
  const version = text.trim().replace(/^v/, "");
  return /^1(\.\d{1,4}){1,2}([-+].*)?$/.test(version) ? version : undefined;
}

/** The version of Gardener that was chosen, if any. */
export function chosenVersion(): string | undefined {
  try {
    return versionOf(localStorage.getItem(KEY) ?? "");
  } catch {
    return undefined;
  }
}

export function keepVersion(chosen: string | undefined): void {
  try {
    if (chosen === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, chosen);
  } catch {
    // A browser that keeps nothing has it for this visit.
  }
}
