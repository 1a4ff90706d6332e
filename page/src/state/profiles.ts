/** The CloudProfiles that a new Shoot can be made for, and what they offer. */

import { parse } from "trellis-policy/yaml";
import { cloudProfiles } from "./examples.js";
import type { Texts } from "./workspace.js";

/** A CloudProfile, and where it is. */
export interface Profile {
  /** Tells it from all others that are offered. */
  key: string;
  name: string;
  /** The type of its provider. */
  provider: string;
  /** The text that has it, or the example. */
  from: "context" | "manifest" | { example: string };
  /** The profile by itself, YAML or JSON. */
  text: string;
  spec: unknown;
}

/** A region of a profile. */
export interface Region {
  name: string;
  zones: string[];
}

/** A value of a profile that a Shoot can choose, or the names in which one is written. */
export type Entry = Record<string, unknown>;

/** The profiles under Context and in the manifest, then those of the examples that have another name. */
export function profilesFor({ context, manifest }: Texts): Profile[] {
  const own = [...profilesIn(context, "context"), ...profilesIn(manifest, "manifest")];
  // A profile under Context goes before one of the same name that is put next to it.
  const names = new Set(own.map(({ name }) => name));
  const others = cloudProfiles.flatMap(({ name: example, text }) => profilesIn(text, { example }));
  return distinct([...own, ...others.filter(({ name }) => !names.has(name))]);
}

/** What else stands in one of the texts is no matter here, nor that it cannot be read. */
function profilesIn(text: string, from: Profile["from"]): Profile[] {
  if (!text.includes("CloudProfile")) return [];
  return parse(text).flatMap(({ json, from: start, to }): Profile[] => {
    if (json === undefined) return [];
    const object: unknown = JSON.parse(json);
    const [name, provider] = [textAt(object, "metadata", "name"), textAt(object, "spec", "type")];
    if (textAt(object, "kind") !== "CloudProfile" || !name || !provider) return [];
    const slice = text.slice(start, to);
    // An item of a list is indented, and no document by itself.
    const isWhole = parse(slice).length === 1 && parse(slice)[0]?.json === json;
    const own = isWhole ? slice : `${JSON.stringify(object, undefined, 2)}\n`;
    const key = `${typeof from === "string" ? from : from.example} ${name}`;
    return [{ key, name, provider, from, text: own, spec: at(object, "spec") }];
  });
}

/** The first of those that say the same. */
function distinct(profiles: Profile[]): Profile[] {
  const seen = new Set<string>();
  return profiles.filter(({ name, spec }) => {
    const said = JSON.stringify([name, spec]);
    return !seen.has(said) && seen.add(said);
  });
}

/** The regions of a profile with their zones. */
export function regionsOf({ spec }: Profile): Region[] {
  return entries(spec, "regions").map((region) => ({ name: nameOf(region), zones: entries(region, "zones").map(nameOf) }));
}

/** The entries of a list of objects; none where there is no such list. */
export function entries(value: unknown, ...path: string[]): Entry[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter((entry) => typeof entry === "object" && entry !== null) : [];
}

/** The texts of a list; none where there is no such list. */
export function texts(value: unknown, ...path: string[]): string[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter((entry) => typeof entry === "string") : [];
}

export function nameOf(entry: Entry): string {
  return String(entry["name"] ?? "");
}

/** The value at a path of keys. */
export function at(value: unknown, ...path: string[]): unknown {
  return path.reduce((found, key) => (typeof found === "object" && found !== null ? (found as Entry)[key] : undefined), value);
}

function textAt(value: unknown, ...path: string[]): string {
  const found = at(value, ...path);
  return typeof found === "string" ? found : "";
}
