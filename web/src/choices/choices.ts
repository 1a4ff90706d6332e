/** What a Shoot can choose from by its CloudProfile. */

import { type TextObject, member, textAt } from "../check/objects.js";
import { providers } from "../generated/providers.js";
import { type Stage, lifecycleOf, lifecycleWords } from "./lifecycle.js";
import type { Choice, ChoicePlace } from "./place.js";
import { entriesOf, listAt } from "./specs.js";

/** What choices depend on. */
export interface Asked extends Omit<ChoicePlace, "path"> {
  /** The profiles at hand. */
  profiles: TextObject[];
  /** What the Shoot's profile offers, as its specification; none where it is not at hand. */
  specs: unknown[];
  now: Date;
}

const ARCHITECTURE = "amd64";

function choice(value: string, detail = "", isDeprecated = false): Choice {
  return { value, detail, isDeprecated };
}

function counted(list: unknown[], what: string): string {
  return list.length === 1 ? `1 ${what}` : `${list.length} ${what}s`;
}

/** What there is to say, without what says nothing. */
function words(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part).join(", ");
}

export function profiles({ profiles, beside: { kind = "CloudProfile" } }: Asked): Choice[] {
  const ofKind = profiles.filter(({ object }) => textAt(object, "kind") === kind);
  return ofKind.flatMap(({ object }) => textAt(object, "metadata", "name") ?? []).map((name) => choice(name));
}

/** The provider of the profile, or those that there are policies for. */
export function providerTypes({ specs }: Asked): Choice[] {
  const own = new Set(specs.flatMap((spec) => textAt(spec, "type") ?? []));
  return [...(own.size > 0 ? own : providers)].map((type) => choice(type));
}

export function regions({ specs }: Asked): Choice[] {
  return [...entriesOf(specs, ["regions"], "name")].map(([name, region]) => choice(name, counted(listAt(region, "zones"), "zone")));
}

export function accessRestrictions({ specs, object: { spec } }: Asked): Choice[] {
  const region = entriesOf(specs, ["regions"], "name").get(spec.region ?? "");
  return listAt(region, "accessRestrictions").flatMap((entry) => textAt(entry, "name") ?? []).map((name) => choice(name));
}

/** The zones of the Shoot's region; of all while it has none. */
function zonesOf({ specs, object }: Asked): { name: string; region: string; zone: unknown }[] {
  const chosen = object.spec.region;
  return [...entriesOf(specs, ["regions"], "name")]
    .filter(([region]) => chosen === undefined || region === chosen)
    .flatMap(([region, entry]) => [...entriesOf([entry], ["zones"], "name")].map(([name, zone]) => ({ name, region, zone })));
}

/** The zones for an infrastructure. */
export function zones(asked: Asked): Choice[] {
  const isChosen = asked.object.spec.region !== undefined;
  return zonesOf(asked).map(({ name, region }) => choice(name, isChosen ? "" : region));
}

/** The zones for a worker, but for those that it has. */
export function workerZones(asked: Asked): Choice[] {
  const { zones: taken, machineType: machine } = asked.pool;
  const lacks = new Set(zonesOf(asked).flatMap(({ name, zone }) => (listAt(zone, "unavailableMachineTypes").includes(machine) ? [name] : [])));
  return zones(asked)
    .filter(({ value }) => !taken.includes(value))
    .map((zone) => (lacks.has(zone.value) ? choice(zone.value, words(zone.detail, `no ${machine}`), true) : zone));
}

/** The zones of a worker that do not have a machine type or volume type. */
function lackingIn(asked: Asked, list: "unavailableMachineTypes" | "unavailableVolumeTypes", type: string): string[] {
  const found = zonesOf(asked).filter(({ name }) => asked.pool.zones.includes(name));
  return found.filter(({ zone }) => listAt(zone, list).includes(type)).map(({ name }) => name);
}

export function machineTypes(asked: Asked): Choice[] {
  return [...entriesOf(asked.specs, ["machineTypes"], "name")].map(([name, type]) => {
    const gpus = sizeOf(type, "gpu");
    const architecture = textAt(type, "architecture") ?? ARCHITECTURE;
    const size = words(
      `${sizeOf(type, "cpu") ?? "?"} CPU`,
      sizeOf(type, "memory"),
      gpus && gpus !== "0" ? `${gpus} GPU` : "",
      architecture === ARCHITECTURE ? "" : architecture,
    );
    return availability(name, size, type, lackingIn(asked, "unavailableMachineTypes", name));
  });
}

export function volumeTypes(asked: Asked): Choice[] {
  return [...entriesOf(asked.specs, ["volumeTypes"], "name")].map(([name, type]) => {
    const minimum = sizeOf(type, "minSize");
    const size = words(textAt(type, "class"), minimum && `at least ${minimum}`);
    return availability(name, size, type, lackingIn(asked, "unavailableVolumeTypes", name));
  });
}

function availability(name: string, size: string, type: unknown, lacking: string[]): Choice {
  const isUsable = member(type, "usable") !== false;
  const reason = !isUsable ? "not usable" : lacking.length > 0 ? `not in ${lacking.join(", ")}` : "";
  return choice(name, words(size, reason), reason !== "");
}

function sizeOf(type: unknown, key: string): string | undefined {
  const size = member(type, key);
  return typeof size === "string" || typeof size === "number" ? String(size) : undefined;
}

export function images({ specs, now }: Asked): Choice[] {
  return [...entriesOf(specs, ["machineImages"], "name").keys()].map((name) => {
    const isThere = versionsOf(specs, name).some((version) => isUsable(lifecycleOf(version, now).stage));
    return isThere ? choice(name) : choice(name, "no version to use", true);
  });
}

/** The versions of an image: those of the parent profile, with what the own one says of them and adds. */
function versionsOf(specs: unknown[], image: string): unknown[] {
  const lists = specs.flatMap((spec) => listAt(spec, "machineImages").filter((entry) => textAt(entry, "name") === image));
  return [...entriesOf(lists, ["versions"], "version").values()];
}

/** The versions of the image that is named next to it. */
export function imageVersions({ specs, now, beside: { name: image }, pool }: Asked): Choice[] {
  if (image === undefined) return [];
  const machine = entriesOf(specs, ["machineTypes"], "name").get(pool.machineType ?? "");
  const architecture = pool.architecture ?? textAt(machine, "architecture") ?? ARCHITECTURE;
  const other = new Set(
    versionsOf(specs, image).flatMap((version) => {
      const architectures = listAt(version, "architectures");
      const isOther = architectures.length > 0 && !architectures.includes(architecture);
      return isOther ? (textAt(version, "version") ?? []) : [];
    }),
  );
  return byAge(versionsOf(specs, image), now).map((version) =>
    other.has(version.value) ? { ...version, detail: words(version.detail, `not for ${architecture}`), isDeprecated: true } : version,
  );
}

export function kubernetesVersions({ specs, now }: Asked): Choice[] {
  return byAge([...entriesOf(specs, ["kubernetes", "versions"], "version").values()], now);
}

const ORDER: readonly Stage[] = ["supported", "preview", "deprecated", "unavailable", "expired"];
const NUMERIC = new Intl.Collator("en", { numeric: true });

function isUsable(stage: Stage): boolean {
  return stage !== "expired" && stage !== "unavailable";
}

/** Versions, what is supported and new first. */
function byAge(versions: unknown[], now: Date): Choice[] {
  const known = versions.flatMap((version) => {
    const name = textAt(version, "version");
    return name === undefined ? [] : [{ name, lifecycle: lifecycleOf(version, now) }];
  });
  known.sort(
    (a, b) => ORDER.indexOf(a.lifecycle.stage) - ORDER.indexOf(b.lifecycle.stage) || NUMERIC.compare(b.name, a.name),
  );
  return known.map(({ name, lifecycle }) => ({
    ...choice(name, lifecycleWords(lifecycle), lifecycle.stage === "deprecated" || !isUsable(lifecycle.stage)),
    ...(lifecycle.stage === "expired" && { isExpired: true }),
  }));
}
