/** The versions of Gardener and Kubernetes, and the one of the garden that a person chose, for all visits. */

import { ref } from "vue";

const KEY = "trellis:gardener";

/** The versions whose rules Gardener's policy has, the newest first. */
export const RELEASES = ["1.150", "1.149", "1.148", "1.147", "1.146", "1.145", "1.144", "1.143"];

/** Versions of Kubernetes that Gardener's policy knows, the newest first. */
export const KUBERNETES = ["1.36", "1.35", "1.34", "1.33", "1.32"];

/** The version of the garden; nothing where nobody chose one. */
export function useGarden() {
  const version = ref(chosen());

  function choose(wanted: string | undefined): void {
    version.value = wanted;
    try {
      if (wanted === undefined) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, wanted);
    } catch {
      // A browser that keeps nothing has it for this visit.
    }
  }

  return { version, choose };
}

function chosen(): string | undefined {
  try {
    return RELEASES.find((release) => release === localStorage.getItem(KEY));
  } catch {
    return undefined;
  }
}
