/** Where the value of a field is one that a CloudProfile lists. */

import type { TextObject } from "../check/objects.js";
import * as choices from "./choices.js";
import type { Choice, ChoicePlace } from "./place.js";
import { specsFor } from "./specs.js";

type Choose = (asked: choices.Asked) => Choice[];

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

function chooseAt({ object, path }: ChoicePlace): Choose | undefined {
  return KINDS.get(object.kind)?.get(path.join("."));
}

/** Whether profiles have a say at a place. */
export function isChosen(place: ChoicePlace): boolean {
  return chooseAt(place) !== undefined;
}

/** The values to choose from at a place, the best first; none where no profile at hand has a say. */
export function choicesAt(place: ChoicePlace, profiles: TextObject[], now: Date): Choice[] {
  const specs = place.object.kind === "Shoot" ? specsFor(place.object, profiles) : [];
  return chooseAt(place)?.({ ...place, profiles, specs, now }) ?? [];
}
