/** What CloudProfiles say. */

import { ownSpec } from "../check/namespaced.js";
import { type TextObject, member, textAt } from "../check/objects.js";
import { contextOf } from "../check/references.js";
import type { ChoosingObject } from "./place.js";

/** What a Shoot's profile offers: its specification; none where no profile at hand is that of the Shoot. */
export function specsFor(shoot: ChoosingObject, profiles: TextObject[]): unknown[] {
  const isNamed = (shoot.spec.cloudProfile.name ?? shoot.spec.cloudProfileName) !== undefined;
  // A Shoot that names none yet will name the only one.
  const found = isNamed ? contextOf(shoot, profiles)["cloudProfile"] : profiles.length === 1 ? profiles[0] : undefined;
  const offered = ownSpec(found?.object);
  return offered === undefined ? [] : [offered];
}

/** The entries of the lists at a path of the specs, by what names them; an entry adds to the one of the parent. */
export function entriesOf(specs: unknown[], path: string[], key: "name" | "version"): Map<string, unknown> {
  const found = new Map<string, unknown>();
  for (const entry of specs.flatMap((spec) => listAt(spec, ...path))) {
    const name = textAt(entry, key);
    if (name !== undefined) found.set(name, Object.assign({}, found.get(name), entry));
  }
  return found;
}

/** The entries of a list at a path; none where there is no list. */
export function listAt(object: unknown, ...path: string[]): unknown[] {
  const found = path.reduce(member, object);
  return Array.isArray(found) ? (found as unknown[]) : [];
}
