/** Where the value of a field is one that a CloudProfile lists. */

import type { TextObject } from "../check/objects.js";
import * as choices from "./choices.js";
import type { Position } from "./position.js";
import { specsFor } from "./profiles.js";

type Choose = (asked: choices.Asked) => choices.Choice[];

const SHOOT = new Map<string, Choose>([
  ["spec.accessRestrictions.[].name", choices.accessRestrictions],
  ["spec.cloudProfile.name", choices.profiles],
  ["spec.cloudProfileName", choices.profiles],
  ["spec.kubernetes.version", choices.kubernetesVersions],
  ["spec.provider.infrastructureConfig.networks.zones.[].name", choices.zones],
  ["spec.provider.type", choices.providerTypes],
  ["spec.provider.workers.[].dataVolumes.[].type", choices.volumeTypes],
  ["spec.provider.workers.[].kubernetes.version", choices.kubernetesVersions],
  ["spec.provider.workers.[].machine.image.name", choices.images],
  ["spec.provider.workers.[].machine.image.version", choices.imageVersions],
  ["spec.provider.workers.[].machine.type", choices.machineTypes],
  ["spec.provider.workers.[].volume.type", choices.volumeTypes],
  ["spec.provider.workers.[].zones.[]", choices.workerZones],
  ["spec.region", choices.regions],
]);

const KINDS = new Map([
  ["Shoot", SHOOT],
  ["CloudProfile", new Map<string, Choose>([["spec.type", choices.providerTypes]])],
  ["NamespacedCloudProfile", new Map<string, Choose>([["spec.parent.name", choices.profiles]])],
]);

/** The values to choose from at a position, the best first; none where no profile at hand has a say. */
export function choicesAt({ path, textAt, textsNear }: Position, profiles: TextObject[], now: Date): choices.Choice[] {
  const kind = textAt("kind") ?? "";
  const choose = KINDS.get(kind)?.get(path.join("."));
  const specs = kind === "Shoot" ? specsFor(textAt, profiles) : [];
  return choose?.({ path, textAt, textsNear, profiles, specs, now }) ?? [];
}
