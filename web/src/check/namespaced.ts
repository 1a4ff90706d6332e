/** What a NamespacedCloudProfile offers together with its parent, where Gardener has not put that into its status yet. */

import { type TextObject, isObject, member, textAt } from "./objects.js";

type Members = Record<string, unknown>;

/** What was merged, by the profile and its parent, because a profile is long, and each key asks for it. */
const merged = new WeakMap<object, WeakMap<object, TextObject>>();

/** A profile with what it offers in its status; the same where that is there already, or nobody knows what the parent offers. */
export function withParent(profile: TextObject, parent: TextObject | undefined): TextObject {
  const { object } = profile;
  if (!isObject(object) || !isObject(parent?.object) || textAt(object, "kind") !== "NamespacedCloudProfile") return profile;
  const spec = member(parent.object, "spec");
  if (!isObject(spec) || isWhole(object)) return profile;
  const known = merged.get(object) ?? new WeakMap<object, TextObject>();
  merged.set(object, known);
  const before = known.get(parent.object);
  if (before) return before;
  const status = { ...membersOf(member(object, "status")), cloudProfileSpec: mergedSpec(spec, membersOf(member(object, "spec"))) };
  const whole = { ...object, status };
  const made = { json: JSON.stringify(whole), object: whole };
  known.set(parent.object, made);
  return made;
}

/** Whether Gardener has put into the status of a NamespacedCloudProfile what the profile offers. */
export function isWhole(profile: unknown): boolean {
  return Object.keys(membersOf(member(member(profile, "status"), "cloudProfileSpec"))).length > 0;
}

/**
 * A profile as a Cluster has it, both JSON text: a CloudProfile. Nothing where nobody knows what a NamespacedCloudProfile offers, which
 * itself says only what differs from its parent.
 */
export function asCloudProfile(json: string): string | undefined {
  const profile: unknown = JSON.parse(json);
  if (textAt(profile, "kind") === "CloudProfile") return json;
  return isWhole(profile) ? JSON.stringify({ kind: "CloudProfile", spec: ownSpec(profile) }) : undefined;
}

/** What a profile says itself of what it offers: in its status, where Gardener has put that there. */
export function ownSpec(profile: unknown): unknown {
  return isWhole(profile) ? member(member(profile, "status"), "cloudProfileSpec") : member(profile, "spec");
}

/**
 * What a profile offers, as a specification: a NamespacedCloudProfile by its status, or else together with its parent. Nothing where it has
 * no status and the parent is not given.
 */
export function offeredSpec(profile: object, parent?: object): object | undefined {
  const isNamespaced = textAt(profile, "kind") === "NamespacedCloudProfile";
  const offered = ownSpec(profile);
  if (!isObject(offered)) return undefined;
  if (!isNamespaced || isWhole(profile)) return offered;
  const spec = member(parent, "spec");
  return isObject(spec) ? mergedSpec(spec, offered) : undefined;
}

/** What a parent and a profile that is built on it offer together, as specifications. */
export function mergedSpec(parent: object, given: object): object {
  const capabilities = member(parent, "machineCapabilities");
  const own = inFormOf(capabilities, given);
  const spec: Members = { ...parent };
  const take = (key: string, list: unknown[]): void => {
    if (list.length > 0) spec[key] = list;
  };
  if (isObject(member(own, "kubernetes"))) {
    const versions = joined("version", listIn(member(parent, "kubernetes"), "versions"), listIn(member(own, "kubernetes"), "versions"), expiring, false);
    spec["kubernetes"] = { ...membersOf(member(parent, "kubernetes")), versions };
  }
  take("machineImages", joined("name", listIn(parent, "machineImages"), listIn(own, "machineImages"), image));
  for (const key of ["machineTypes", "volumeTypes"]) take(key, joined("name", listIn(parent, key), listIn(own, key)));
  const bundle = textAt(own, "caBundle");
  if (bundle !== undefined) spec["caBundle"] = `${textAt(parent, "caBundle") ?? ""}${bundle}`;
  const most = member(member(own, "limits"), "maxNodesTotal");
  if (typeof most === "number" && most > 0) spec["limits"] = { ...membersOf(member(parent, "limits")), maxNodesTotal: most };
  const config = member(parent, "providerConfig");
  if (isObject(config)) spec["providerConfig"] = mergedConfig(config, member(own, "providerConfig"));
  return withArchitectures(capabilities, spec);
}

/**
 * The configurations of the provider together: the extensions add the image mappings of the profile to those of the parent, and the machine
 * types that the parent lacks.
 */
function mergedConfig(parent: object, own: unknown): object {
  const images = joined("name", listIn(parent, "machineImages"), listIn(own, "machineImages"), (known, added) => {
    return { ...membersOf(known), versions: [...listIn(known, "versions"), ...listIn(added, "versions")] };
  });
  const machines = joined("name", listIn(parent, "machineTypes"), listIn(own, "machineTypes"), (known) => known);
  return { ...parent, ...(images.length > 0 && { machineImages: images }), ...(machines.length > 0 && { machineTypes: machines }) };
}

/** An image of the parent, with what the profile says of it. */
function image(known: unknown, own: unknown): unknown {
  const strategy = textAt(own, "updateStrategy") ?? "";
  const versions = joined("version", listIn(known, "versions"), listIn(own, "versions"), (before, version) => (isOwnVersion(version) ? version : expiring(before, version)));
  return { ...membersOf(known), ...(strategy !== "" && { updateStrategy: strategy }), versions };
}

/** Whether a version of an image is one that the profile had before the parent got it, and which stays the profile's. */
function isOwnVersion(version: unknown): boolean {
  const isThere = (key: string): boolean => listIn(version, key).length > 0 || (textAt(version, key) ?? "") !== "";
  return ["architectures", "capabilityFlavors", "cri", "kubeletVersionConstraint", "classification"].some(isThere);
}

/** A version of the parent, which expires when the profile says. */
function expiring(known: unknown, own: unknown): unknown {
  const stages = listIn(own, "lifecycle");
  const { classification: _, expirationDate: __, ...rest } = membersOf(known);
  if (stages.length > 0) return { ...rest, lifecycle: stages };
  const expires = member(own, "expirationDate") ?? undefined;
  if (expires === undefined) return known;
  const before = listIn(known, "lifecycle");
  if (before.length === 0) return { ...membersOf(known), expirationDate: expires };
  const isLast = (stage: unknown): boolean => textAt(stage, "classification") === "expired";
  const last = { classification: "expired", startTime: expires };
  return { ...membersOf(known), lifecycle: before.some(isLast) ? before.map((stage) => (isLast(stage) ? last : stage)) : [...before, last] };
}

/**
 * The entries of both lists, each once by the text under a key, those of the parent first. `join` makes one of two; without it, that of
 * the profile takes the place. Entries that the parent lacks are added unless `adds` is false.
 */
function joined(key: string, parent: unknown[], own: unknown[], join: (known: unknown, own: unknown) => unknown = (_, entry) => entry, adds = true): unknown[] {
  const nameOf = (entry: unknown): string => textAt(entry, key) ?? "";
  const all = new Map(parent.map((entry) => [nameOf(entry), entry]));
  for (const entry of own) {
    const name = nameOf(entry);
    if (all.has(name)) all.set(name, join(all.get(name), entry));
    else if (adds) all.set(name, entry);
  }
  return [...all.values()];
}

/** What a profile says in the form of its parent: with capabilities where that defines some, else without. */
function inFormOf(capabilities: unknown, spec: object): object {
  const has = Array.isArray(capabilities) && capabilities.length > 0;
  const version = has ? withFlavors : withoutFlavors;
  const images = listIn(spec, "machineImages").map((entry) => ({ ...membersOf(entry), ...ifAny("versions", listIn(entry, "versions").map(version)) }));
  const machines = listIn(spec, "machineTypes").map(has ? withCapabilities : withoutCapabilities);
  return { ...spec, ...ifAny("machineImages", images), ...ifAny("machineTypes", machines) };
}

function withFlavors(version: unknown): unknown {
  const architectures = listIn(version, "architectures");
  if (listIn(version, "capabilityFlavors").length > 0 || architectures.length === 0) return version;
  return { ...membersOf(version), capabilityFlavors: architectures.map((architecture) => ({ architecture: [architecture] })) };
}

function withoutFlavors(version: unknown): unknown {
  const { capabilityFlavors: _, ...rest } = membersOf(version);
  const found = listIn(version, "capabilityFlavors").flatMap((flavor) => listIn(flavor, "architecture"));
  return listIn(version, "architectures").length > 0 ? rest : { ...rest, ...ifAny("architectures", found) };
}

function withCapabilities(machine: unknown): unknown {
  const architecture = textAt(machine, "architecture");
  const hasOwn = Object.keys(membersOf(member(machine, "capabilities"))).length > 0;
  return hasOwn || architecture === undefined ? machine : { ...membersOf(machine), capabilities: { architecture: [architecture] } };
}

function withoutCapabilities(machine: unknown): unknown {
  const { capabilities: _, ...rest } = membersOf(machine);
  const [only, ...more] = listIn(member(machine, "capabilities"), "architecture");
  return (textAt(machine, "architecture") ?? "") === "" && only !== undefined && more.length === 0 ? { ...rest, architecture: only } : rest;
}

/** A specification whose images and machine types say their architectures: those of their capabilities, else `amd64`. */
function withArchitectures(capabilities: unknown, spec: Members): object {
  const definitions = Array.isArray(capabilities) ? (capabilities as unknown[]) : [];
  const defined = listIn(definitions.find((one) => textAt(one, "name") === "architecture"), "values");
  const ofFlavors = (flavors: unknown[]): unknown[] => {
    const own = flavors.length > 0 ? flavors.flatMap((flavor) => (listIn(flavor, "architecture").length > 0 ? listIn(flavor, "architecture") : defined)) : defined;
    return own.length > 0 ? [...new Set(own)] : ["amd64"];
  };
  const version = (entry: unknown): unknown =>
    listIn(entry, "architectures").length > 0 ? entry : { ...membersOf(entry), architectures: ofFlavors(listIn(entry, "capabilityFlavors")) };
  const images = listIn(spec, "machineImages").map((entry) => ({ ...membersOf(entry), ...ifAny("versions", listIn(entry, "versions").map(version)) }));
  const machines = listIn(spec, "machineTypes").map((machine) => {
    if ((textAt(machine, "architecture") ?? "") !== "") return machine;
    const [only, ...more] = ofFlavors([member(machine, "capabilities")]);
    return more.length > 0 ? machine : { ...membersOf(machine), architecture: only };
  });
  return { ...spec, ...ifAny("machineImages", images), ...ifAny("machineTypes", machines) };
}

/** A member with a list, where that is not empty. */
function ifAny(key: string, list: unknown[]): object {
  return list.length > 0 ? { [key]: list } : {};
}

function membersOf(value: unknown): Members {
  return isObject(value) ? value : {};
}

function listIn(value: unknown, key: string): unknown[] {
  const found = member(value, key);
  return Array.isArray(found) ? (found as unknown[]) : [];
}
