/** The profiles that a new Shoot can be made for, and what they offer. */

import { offeredSpec } from "trellis-policy";
import { parse } from "trellis-policy/yaml";
import { cloudProfiles } from "./examples.js";
import type { Texts } from "./workspace.js";

/** The text that has a profile, or the example. */
export type From = "context" | "manifest" | { example: string };

/** A document that a Shoot needs: its profile, or the parent of that. */
export interface ProfileDocument {
  from: From;
  /** The document by itself, YAML or JSON. */
  text: string;
}

/** A profile, and where it is. */
export interface Profile {
  /** Identifies it among all that are offered. */
  key: string;
  kind: "CloudProfile" | "NamespacedCloudProfile";
  name: string;
  /** Empty where the kind has no namespaces. */
  namespace: string;
  /** The type of its provider. */
  provider: string;
  from: From;
  /** The profile, behind its parent where it is read with that. */
  documents: ProfileDocument[];
  /** What it offers, with what its parent does. */
  spec: unknown;
}

/** A region of a profile. */
export interface Region {
  name: string;
  zones: string[];
}

/** A value of a profile that a Shoot can choose, or the names in which one is written. */
export type Entry = Record<string, unknown>;

/** An object of a text that is a profile. */
interface Found extends ProfileDocument {
  kind: string;
  name: string;
  object: object;
}

/** The profiles under Context and in the manifest, then those of the examples that have another name. */
export function profilesFor({ context, manifest }: Texts): Profile[] {
  const own = [...objectsIn(context, "context"), ...objectsIn(manifest, "manifest")];
  const examples = cloudProfiles.flatMap(({ name: example, text }) => objectsIn(text, { example }));
  const mine = own.flatMap((found) => (found.kind === "CloudProfile" ? cloudProfile(found) : namespaced(found, [...own, ...examples])));
  // A profile under Context goes before one of the same name that is put next to it.
  const names = new Set(mine.filter(({ kind }) => kind === "CloudProfile").map(({ name }) => name));
  return distinct([...mine, ...examples.flatMap(cloudProfile).filter(({ name }) => !names.has(name))]);
}

/** What else stands in one of the texts is no matter here, nor that it cannot be read. */
function objectsIn(text: string, from: From): Found[] {
  if (!text.includes("CloudProfile")) return [];
  return parse(text).flatMap(({ json, from: start, to }): Found[] => {
    if (json === undefined) return [];
    const object: Entry = JSON.parse(json);
    const [kind, name] = [textAt(object, "kind"), textAt(object, "metadata", "name")];
    if (!/^(Namespaced)?CloudProfile$/.test(kind) || !name) return [];
    const slice = text.slice(start, to);
    // An item of a list is indented, and no document by itself.
    const isWhole = parse(slice).length === 1 && parse(slice)[0]?.json === json;
    return [{ kind, name, object, from, text: isWhole ? slice : `${JSON.stringify(object, undefined, 2)}\n` }];
  });
}

function cloudProfile({ name, object, from, text }: Found): Profile[] {
  const provider = textAt(object, "spec", "type");
  if (!provider) return [];
  return [{ key: keyOf(from, name), kind: "CloudProfile", name, namespace: "", provider, from, documents: [{ from, text }], spec: at(object, "spec") }];
}

/** A NamespacedCloudProfile with its status, or else with its parent, which its provider is of. */
function namespaced({ name, object, from, text }: Found, among: Found[]): Profile[] {
  const parent = among.find((other) => other.kind === "CloudProfile" && other.name === textAt(object, "spec", "parent", "name"));
  const own = offeredSpec(object);
  const spec = own ?? offeredSpec(object, parent?.object);
  const provider = textAt(spec, "type");
  const namespace = textAt(object, "metadata", "namespace");
  if (!provider || !namespace) return [];
  const documents = [...(parent && own === undefined ? [{ from: parent.from, text: parent.text }] : []), { from, text }];
  return [{ key: keyOf(from, `${namespace}/${name}`), kind: "NamespacedCloudProfile", name, namespace, provider, from, documents, spec }];
}

function keyOf(from: From, name: string): string {
  return `${typeof from === "string" ? from : from.example} ${name}`;
}

/** The first of those that say the same. */
function distinct(profiles: Profile[]): Profile[] {
  const seen = new Set<string>();
  return profiles.filter(({ kind, namespace, name, spec }) => {
    const said = JSON.stringify([kind, namespace, name, spec]);
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
