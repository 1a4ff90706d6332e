/** The machines of worker pools, as people read them: what an answer of `workers` holds for the seed. */

import type { WorkersAnswer } from "../documents.js";
import { type Groups, groupsDiff, type ManifestChange } from "./diff.js";
import { expectAnswer } from "./answer.js";
import { manifestOf, namesOf, type ResourceManifests } from "./objects.js";

/** What machines are made of: an answer of `workers`, or what is left of one. */
export type Machines = Pick<WorkersAnswer, "machineDeployments" | "objects">;

/** How the group of machines is called. No managed resource has the name: names in Kubernetes have no capital letters. */
const GROUP = "Machines";

/** How a machine deployment is called, which is no Kubernetes object: the extension makes a MachineDeployment of it. */
const KIND = "Machine deployment";

/**
 * Machine deployments, and machine classes behind their Secrets, as a group of the seed; no group where the answer has none.
 * A value of a Secret is `<masked: 8 bytes>`, and one with a placeholder, such as the user data of nodes, `<masked>`.
 */
export function machinesOf(answer: Machines): ResourceManifests[] {
  expectAnswer(answer, "machinesOf", "workers");
  return groupsOf(answer).map(({ name, objects }) => ({
    name,
    class: "seed",
    objects: objects.map(({ names, object }) => manifestOf(object, names)),
  }));
}

/** What differs between the machines of two answers of `workers`, as `manifestsDiff` shows it. */
export function machinesDiff(before: Machines, after: Machines): ManifestChange[] {
  for (const answer of [before, after]) expectAnswer(answer, "machinesDiff", "workers");
  return groupsDiff(groupsOf(before), groupsOf(after));
}

function groupsOf({ machineDeployments = [], objects = [] }: Machines): Groups {
  const deployments = machineDeployments.map((object) => ({ names: { apiVersion: "", kind: KIND, name: object.name }, object }));
  const all = [...deployments, ...objects.map((object) => ({ names: namesOf(object), object }))];
  return all.length > 0 ? [{ name: GROUP, objects: all }] : [];
}
