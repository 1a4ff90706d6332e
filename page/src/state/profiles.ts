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
  /** The documents of Context whose place it takes: CloudProfiles of its name for which no Shoot can be made. */
  replaces: string[];
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
interface Found extends Pick<Profile, "kind" | "name" | "namespace">, Omit<ProfileDocument, "replaces"> {
  object: object;
}

/** One that may be offered, or be the parent of one. */
type Usable = Found & ProfileDocument;

/** A profile of the texts that cannot be offered, because it lacks its provider or its namespace. */
export interface Incomplete extends Pick<Profile, "kind" | "name" | "namespace" | "from"> {
  /** Whether another one of its name is offered, and takes its place. */
  isReplaced: boolean;
}

/** The profiles under Context and in the manifest, then those of the examples that have another name; and those that cannot be offered. */
export function profilesFor({ context, manifest }: Texts): { offered: Profile[]; incomplete: Incomplete[] } {
  const own = [...objectsIn(context, "context"), ...objectsIn(manifest, "manifest")];
  const examples = cloudProfiles.flatMap(({ name: example, text }) => objectsIn(text, { example }));
  const untyped = own.filter((found) => found.kind === "CloudProfile" && typeOf(found) === "");
  const replacedBy = (name: string): string[] => untyped.filter((found) => found.from === "context" && found.name === name).map(({ text }) => text);
  const usable = [...own, ...examples]
    .filter((found) => !untyped.includes(found))
    .map((found) => ({ ...found, replaces: found.kind === "CloudProfile" ? replacedBy(found.name) : [] }));
  const read = usable.map((found) => ({ found, profile: found.kind === "CloudProfile" ? cloudProfile(found) : namespaced(found, usable) }));
  const offered = distinct(read.flatMap(({ profile }) => profile ?? []));
  const incomplete = [...untyped, ...read.flatMap(({ found, profile }) => (profile ? [] : [found]))].map(({ kind, name, namespace, from }) => {
    return { kind, name, namespace, from, isReplaced: kind === "CloudProfile" && offered.some((profile) => profile.kind === kind && profile.name === name) };
  });
  return { offered, incomplete };
}

/** What else stands in one of the texts is no matter here, nor that it cannot be read. */
function objectsIn(text: string, from: From): Found[] {
  if (!text.includes("CloudProfile")) return [];
  return parse(text).flatMap(({ json, from: start, to }): Found[] => {
    if (json === undefined) return [];
    const object: Entry = JSON.parse(json);
    const [kind, name] = [textAt(object, "kind"), textAt(object, "metadata", "name")];
    if ((kind !== "CloudProfile" && kind !== "NamespacedCloudProfile") || !name) return [];
    const slice = text.slice(start, to);
    // An item of a list is indented, and no document by itself.
    const isWhole = parse(slice).length === 1 && parse(slice)[0]?.json === json;
    const namespace = kind === "CloudProfile" ? "" : textAt(object, "metadata", "namespace");
    return [{ kind, name, namespace, object, from, text: isWhole ? slice : `${JSON.stringify(object, undefined, 2)}\n` }];
  });
}

/** The type of a CloudProfile's provider. */
function typeOf({ object }: Found): string {
  return textAt(object, "spec", "type");
}

function cloudProfile(found: Usable): Profile {
  const { name, namespace, object, from, text, replaces } = found;
  return { key: keyOf(from, name), kind: "CloudProfile", name, namespace, provider: typeOf(found), from, documents: [{ from, text, replaces }], spec: at(object, "spec") };
}

/** A NamespacedCloudProfile with its status, or else with its parent, which its provider is of. */
function namespaced({ name, namespace, object, from, text, replaces }: Usable, among: Usable[]): Profile | undefined {
  const parent = among.find((other) => other.kind === "CloudProfile" && other.name === textAt(object, "spec", "parent", "name"));
  const own = offeredSpec(object);
  const spec = own ?? offeredSpec(object, parent?.object);
  const provider = textAt(spec, "type");
  if (!provider || !namespace) return undefined;
  const documents = [...(parent && own === undefined ? [{ from: parent.from, text: parent.text, replaces: parent.replaces }] : []), { from, text, replaces }];
  return { key: keyOf(from, `${namespace}/${name}`), kind: "NamespacedCloudProfile", name, namespace, provider, from, documents, spec };
}

function keyOf(from: From, name: string): string {
  return `${typeof from === "string" ? from : from.example} ${name}`;
}

/** Of several of one name, those of the texts go before the examples and the first counts for the rules. Of the examples, each that says something else is offered. */
function distinct(profiles: Profile[]): Profile[] {
  const isSame = (one: Profile, other: Profile): boolean => one.kind === other.kind && one.namespace === other.namespace && one.name === other.name;
  const hides = (one: Profile, other: Profile): boolean => isSame(one, other) && (typeof one.from === "string" || JSON.stringify(one.spec) === JSON.stringify(other.spec));
  return profiles.filter((profile, at) => !profiles.slice(0, at).some((earlier) => hides(earlier, profile)));
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
