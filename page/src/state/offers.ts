/** What a CloudProfile offers for the worker pool of a Shoot in a region, in the order in which it is tried. */

import { at, type Entry, entries, nameOf, type Profile, texts } from "./profiles.js";

/** What a Shoot takes from its profile. */
export interface Choice {
  kubernetes: string;
  machine: string;
  /** Absent where it is `amd64`, which a pool has by default. */
  architecture?: string;
  image: { name: string; version: string };
  /** Absent where the profile has no types of volumes. */
  volume?: { type: string; size: string };
}

/** More choices than these are not tried: what is wrong with all of them is no matter of what is chosen. */
const MOST = 24;

/** Choices, the best first: the newest supported version of Kubernetes, the first machine type, and an image for it. */
export function choicesOf({ spec }: Profile, region: string, zones: string[], now = new Date()): Choice[] {
  const versions = newest(entries(spec, "kubernetes", "versions"), now);
  const missing = entries(spec, "regions")
    .filter((entry) => nameOf(entry) === region)
    .flatMap((entry) => entries(entry, "zones"))
    .filter((zone) => zones.includes(nameOf(zone)));
  const has = (list: string) => (entry: Entry): boolean =>
    entry["usable"] !== false && !missing.some((zone) => texts(zone, list).includes(nameOf(entry)));
  const machines = entries(spec, "machineTypes").filter(has("unavailableMachineTypes"));
  const [volume] = entries(spec, "volumeTypes").filter(has("unavailableVolumeTypes"));
  const images = entries(spec, "machineImages").flatMap((image) =>
    newest(entries(image, "versions"), now).map((version) => ({ name: nameOf(image), version: String(version["version"] ?? ""), architectures: architecturesOf(version) })),
  );
  const pairs = machines.flatMap((machine) => {
    const [architecture = "amd64"] = architecturesOf(machine);
    return images.filter(({ architectures }) => architectures.includes(architecture)).map((image) => ({ machine, architecture, image }));
  });
  // A pool of amd64 is what people expect; the others are for profiles without one.
  pairs.sort((a, b) => Number(a.architecture !== "amd64") - Number(b.architecture !== "amd64"));
  const all = versions.flatMap((kubernetes) =>
    pairs.map(({ machine, architecture, image: { name, version } }): Choice => ({
      kubernetes: String(kubernetes["version"] ?? ""),
      machine: nameOf(machine),
      ...(architecture !== "amd64" && { architecture }),
      image: { name, version },
      ...(volume && { volume: { type: nameOf(volume), size: String(volume["minSize"] ?? "50Gi") } }),
    })),
  );
  return all.slice(0, MOST);
}

/** Whether a profile has a version of Kubernetes that has not expired. */
export function hasVersion({ spec }: Profile, now = new Date()): boolean {
  return newest(entries(spec, "kubernetes", "versions"), now).length > 0;
}

/** The architectures of a machine type or of a version of an image. */
function architecturesOf(entry: Entry): string[] {
  const flavors = entries(entry, "capabilityFlavors").flatMap((flavor) => texts(flavor, "architecture"));
  const reported = [...flavors, ...texts(entry, "architectures"), ...texts(entry, "capabilities", "architecture"), ...[entry["architecture"]].flatMap((one) => (typeof one === "string" ? [one] : []))];
  return reported.length > 0 ? [...new Set(reported)] : ["amd64"];
}

/** Versions that have not expired, the supported ones first, of those the newest first. */
function newest(versions: Entry[], now: Date): Entry[] {
  const rank = (version: Entry): number => Number((version["classification"] ?? "supported") !== "supported");
  const byNumber = new Intl.Collator("en", { numeric: true });
  return versions
    .filter((version) => version["classification"] !== "expired" && !(new Date(String(version["expirationDate"] ?? "")) <= now))
    .sort((a, b) => rank(a) - rank(b) || byNumber.compare(String(b["version"]), String(a["version"])));
}

/** What an OpenStack region has of what a Shoot has to name: the first that is for the region, or for all of them. */
export function constraintOf({ spec }: Profile, list: "floatingPools" | "loadBalancerProviders", region: string): string {
  const all = entries(spec, "providerConfig", "constraints", list);
  const found = all.find((entry) => entry["region"] === region) ?? all.find((entry) => at(entry, "region") === undefined);
  // A name with a star stands for many: this is one of them.
  return found ? nameOf(found).replace("*", "1") : "";
}
