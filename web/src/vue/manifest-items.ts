/** The objects of a list of manifests, in groups, with what a search looks at. */

import { keyOf } from "../manifests/key.js";
import type { ManifestChange, ManifestObject, ResourceManifests } from "../manifests/index.js";
import type { ManifestState } from "./manifest-words.js";

export const SIGNS: Record<ManifestState, string> = { same: "", added: "+", removed: "−", changed: "~" };

/** An object of the list. */
export interface Item extends Omit<ManifestObject, "text" | "object"> {
  key: string;
  state: ManifestState;
  change: ManifestChange | undefined;
  text: string;
  /** What the search looks at: kind and name, and these with the text. */
  title: string;
  sought: string;
}

/** The objects of a managed resource. */
export interface ItemGroup {
  name: string;
  class: string | undefined;
  items: Item[];
}

/** The objects by managed resource, those that are removed behind the others. */
export function groupsOf(manifests: ResourceManifests[], changes: ManifestChange[]): ItemGroup[] {
  const changed = new Map(changes.map((change) => [keyOf(change.resource, change), change]));
  const names = [...new Set([...manifests.map(({ name }) => name), ...changes.map(({ resource }) => resource)])];
  return names.map((name) => {
    const resource = manifests.find((candidate) => candidate.name === name);
    const objects = (resource?.objects ?? []).map((object) => {
      const change = changed.get(keyOf(name, object));
      return itemOf(name, object, object.text, change);
    });
    const removed = changes.filter(({ resource, state }) => resource === name && state === "removed");
    const gone = removed.map((change) => itemOf(name, change, change.lines.map(({ text }) => `${text}\n`).join(""), change));
    return { name, class: resource?.class, items: [...objects, ...gone] };
  });
}

function itemOf(
  resource: string,
  { apiVersion, kind, namespace, name }: Omit<ManifestObject, "text" | "object">,
  text: string,
  change: ManifestChange | undefined,
): Item {
  const title = `${kind} ${name}`.toLowerCase();
  const lines = change?.state === "changed" ? change.lines.map(({ text }) => text).join("\n") : text;
  return {
    key: keyOf(resource, { apiVersion, kind, ...(namespace !== undefined && { namespace }), name }),
    apiVersion,
    kind,
    ...(namespace !== undefined && { namespace }),
    name,
    state: change?.state ?? "same",
    change,
    text,
    title,
    sought: `${title}\n${lines.toLowerCase()}`,
  };
}
