/** A new Shoot, from what a person chooses of a CloudProfile. */

import type { PatchOperation } from "trellis-policy";
import type { Checker, CheckInput, Review, ReviewedFinding } from "trellis-policy/checker";
import { applyEdits, edits } from "trellis-policy/yaml";
import { dialogStrings } from "../strings/dialogs.js";
import { type Choice, choicesOf, constraintOf, hasVersion } from "./offers.js";
import type { Profile } from "./profiles.js";

/** A Shoot of each provider, with words in capitals where a value of the profile or of the person stands. */
const templates = import.meta.glob<string>("../shoots/*.yaml", { query: "?raw", import: "default", eager: true });

/** The providers whose zones have ranges of their own, which their policies choose. */
const RANGED = new Set(["alicloud", "aws"]);

/** What a person chooses. */
export interface Wanted {
  name: string;
  namespace: string;
  /** The name of the CredentialsBinding. */
  credentials: string;
  region: string;
  zones: string[];
}

/** Whether there is a Shoot to begin with. */
export function hasTemplate(provider: string): boolean {
  return templateOf(provider) !== undefined;
}

/**
 * The text of the Shoot. What the profile offers is tried in its order until the rules do not reject the Shoot; where they always do, it is the
 * Shoot with the fewest errors, and the page shows these. Throws where the profile offers nothing to try.
 */
export async function newShoot(checker: Checker, profile: Profile, wanted: Wanted, gardenerVersion: string | undefined): Promise<string> {
  if (wanted.region === "") throw new Error(dialogStrings.newNoRegion(profile.name));
  const choices = choicesOf(profile, wanted.region, wanted.zones);
  if (choices.length === 0) throw new Error(hasVersion(profile) ? dialogStrings.newNoMachine(profile.name, wanted.region) : dialogStrings.newNoVersion(profile.name));
  const context = profile.documents.map((document) => document.text).join("\n---\n");
  const input = (text: string): CheckInput => ({ text, context, gardenerVersion, wait: true });
  const base = await withRanges(checker, input(patched(templateOf(profile.provider) ?? "", patchOf(profile, wanted))), profile, wanted);
  let best: { text: string; errors: number } | undefined;
  for (const choice of choices) {
    const text = patched(base, poolOf(choice));
    const errors = errorsOf(await checker.review(input(text)));
    if (errors.length === 0) return text;
    if (choice.volume === undefined && errors.some(({ pointer }) => pointer === VOLUME)) throw new Error(dialogStrings.newNoVolume(profile.name, wanted.region));
    if (best === undefined || errors.length < best.errors) best = { text, errors: errors.length };
  }
  return best?.text ?? base;
}

function templateOf(provider: string): string | undefined {
  return templates[`../shoots/${provider}.yaml`];
}

/** What does not depend on the machines. */
function patchOf(profile: Profile, { name, namespace, credentials, region, zones }: Wanted): PatchOperation[] {
  const values: Record<string, string | number | boolean> = {
    "/metadata/name": name,
    "/metadata/namespace": namespace,
    "/spec/cloudProfile/kind": profile.kind,
    "/spec/cloudProfile/name": profile.name,
    "/spec/region": region,
    "/spec/credentialsBindingName": credentials,
    "/spec/provider/workers/0/minimum": Math.max(1, zones.length),
    "/spec/provider/workers/0/maximum": Math.max(1, zones.length) + 2,
    ...(profile.provider === "azure" && { "/spec/provider/infrastructureConfig/zoned": zones.length > 0 }),
    ...(profile.provider === "gcp" && { "/spec/provider/controlPlaneConfig/zone": zones[0] ?? "" }),
    ...(profile.provider === "openstack" && {
      "/spec/provider/infrastructureConfig/floatingPoolName": constraintOf(profile, "floatingPools", region),
      "/spec/provider/controlPlaneConfig/loadBalancerProvider": constraintOf(profile, "loadBalancerProviders", region),
    }),
  };
  const replaced = Object.entries(values).map(([path, value]): PatchOperation => ({ op: "replace", path, value }));
  return zones.length === 0 ? replaced : [...replaced, { op: "add", path: "/spec/provider/workers/0/zones", value: zones }];
}

/** The volume of the worker pool. */
const VOLUME = "/spec/provider/workers/0/volume";

/** The worker pool. */
function poolOf({ kubernetes, machine, architecture, image, volume }: Choice): PatchOperation[] {
  const pool = "/spec/provider/workers/0";
  return [
    { op: "replace", path: "/spec/kubernetes/version", value: kubernetes },
    { op: "replace", path: `${pool}/machine/type`, value: machine },
    { op: "replace", path: `${pool}/machine/image/name`, value: image.name },
    { op: "replace", path: `${pool}/machine/image/version`, value: image.version },
    ...(architecture === undefined ? [] : [{ op: "add" as const, path: `${pool}/machine/architecture`, value: architecture }]),
    ...volumeOf(VOLUME, volume),
  ];
}

function volumeOf(path: string, volume: Choice["volume"]): PatchOperation[] {
  if (!volume) return [{ op: "remove", path }];
  return [
    { op: "replace", path: `${path}/type`, value: volume.type },
    { op: "replace", path: `${path}/size`, value: volume.size },
  ];
}

function patched(text: string, patch: PatchOperation[]): string {
  const found = edits(text, patch);
  return found ? applyEdits(text, found) : text;
}

/** The Shoot with the ranges of its zones, which the policy of the provider chooses. */
async function withRanges(checker: Checker, input: CheckInput, { provider }: Profile, { zones }: Wanted): Promise<string> {
  if (!RANGED.has(provider) || zones.length === 0) return input.text;
  const plan = await checker.zones(input, 0, zones.map((name) => ({ name })));
  return "error" in plan || !plan.edits ? input.text : applyEdits(input.text, plan.edits);
}

function errorsOf({ documents }: Review): ReviewedFinding[] {
  const rulings = documents.flatMap(({ ruling }) => ruling ?? []);
  return rulings.flatMap(({ findings }) => findings).filter(({ severity }) => severity === "error");
}
