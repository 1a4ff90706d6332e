/** What the components say of manifests. Words between backticks are shown as code. */

import type { ManifestChange, ManifestLine } from "../manifests/index.js";
import { count, numbers } from "./numbers.js";

/** What becomes of an object. */
export type ManifestState = ManifestChange["state"] | "same";

/** In English. */
export const manifests = {
  label: "Objects of the control plane and the machines",
  none: "There are no objects.",
  search: "Search",
  searchHint: "Search kind, name or text",
  all: "Show unchanged objects too",
  /** How many objects are shown, of all. */
  counted: (shown: number, all: number) => (shown === all ? count(all, "object") : `${numbers.format(shown)} of ${count(all, "object")}`),
  nothingFound: (query: string) => `No object has \`${query}\`.`,
  unchanged: "No object changes.",
  /** Where nodes change though no object does, or where the machines cannot be compared. */
  unchangedPreview: "No object of the preview changes.",
  unchangedControlPlane: "No object of the control plane changes.",
  /** In how many pools nodes roll, and in how many they may, by a hash that the preview has a placeholder for. */
  hashed: (rolled: number, open: number) => {
    const parts = [
      rolled > 0 && `The machine classes of ${count(rolled, "pool")} get another hash, and with the hash another name.`,
      open > 0 && `The machine classes of ${count(open, "pool")} may get another hash, and with the hash another name.`,
    ].filter((part) => part !== false);
    return [...parts, "The preview has a placeholder for the hash."].join(" ");
  },
  updated: (pools: number) => `The nodes of ${count(pools, "pool")} are updated in place.`,
  /** How many objects an edit changes, and of how many workloads the pods start again. */
  changes: (added: number, changed: number, removed: number, restarts: number) => {
    const parts = [
      changed > 0 && `${numbers.format(changed)} changed`,
      added > 0 && `${numbers.format(added)} added`,
      removed > 0 && `${numbers.format(removed)} removed`,
    ].filter((part) => part);
    const pods = restarts === 0 ? "No pod template changes." : `The pods of ${count(restarts, "workload")} start again.`;
    return `Objects: ${parts.join(", ")}. ${pods}`;
  },
  /** Which cluster the objects of a managed resource belong to. */
  cluster: (of: string | undefined) => (of === "seed" ? "in the seed" : "in the shoot"),
  state: { same: "unchanged", added: "added", removed: "removed", changed: "changed" } satisfies Record<
    ManifestState,
    string
  > as Record<ManifestState, string>,
  restarts: "restarts",
  restart: "Its pods start again: the pod template changes.",
  /** What stands in the place of the version of an object that is none of Kubernetes yet. */
  deployment: "The extension makes a MachineDeployment of it.",
  namespace: (name: string) => `namespace \`${name}\``,
  text: (kind: string, name: string) => `${kind} ${name} as YAML`,
  copy: "Copy",
  copyLabel: (kind: string, name: string) => `Copy ${kind} ${name}`,
  copied: "Copied",
  copyFailed: "The browser did not let the page copy. Click into the text, and press Ctrl-A and Ctrl-C.",
  /** What is heard before a line. */
  line: { same: "", added: "Added: ", removed: "Removed: " } satisfies Record<ManifestLine["state"], string> as Record<
    ManifestLine["state"],
    string
  >,
  unfold: (lines: number) => `Show ${count(lines, "unchanged line")}`,
};
