/** The simulated cloud, and what is done there. These are loaded behind the first review. */

import { visible } from "trellis-policy/vue";
import { count } from "./numbers.js";

export const cloudStrings = {
  editedDuringRun: "The text was edited since this run began: the run applies the text as it was.",

  apply: (shoot: string) => `Apply ${visible(shoot)}`,
  destroy: (shoot: string) => `Destroy ${visible(shoot)}`,
  destroyOne: "Destroy",
  destroyTitle: (shoot: string) => `Destroy ${visible(shoot)}?`,
  destroyWhat: (shoot: string, resources: number) =>
    `The simulator deletes the network of ${visible(shoot)}: ${count(resources, "resource") || "what is left of it"}. ` +
    "Resources that the Shoot only uses, such as a VPC of your own, stay.",
  noProgram: "To apply in a simulated cloud, open the page by trellis serve: this page is served without the program.",
  applyHint: "The simulated cloud is part of this program: no cloud is called, and nothing is charged.",
  runGoesOn: "Another run goes on; wait until that run ends.",
  thisRunGoesOn: "The run below goes on; wait until the run ends.",
  stillChecking: "The text is still being checked.",
  nothingPlanned: "There is no plan to apply.",
  nameless: "The Shoot has no name. Set metadata.name.",
  given: (ids: string[]) => `The simulated cloud has ${ids.join(" and ")} from its start, for the examples.`,
  networks: "Networks in the simulated cloud",
  noNetworks: "There is no network yet.",
  networkState: ({ resources, manifests, lastRun }: { resources: number; manifests: object[]; lastRun: LastRun | null }) => {
    const states: Record<string, string> = { done: "exists", refused: "is as it was" };
    const what = manifests.length === 0 ? "does not exist" : (states[lastRun?.ending ?? ""] ?? "exists in part");
    const number = manifests.length === 0 ? "" : count(resources, "resource");
    const verb = lastRun?.operation === "delete" ? "Destroy" : "Apply";
    const ending = lastRun?.ending ?? "goes on";
    const last = lastRun === null ? "" : `last run: ${verb} ${ENDINGS[ending] ?? ending}`;
    return [what, number, last].filter((part) => part !== "").join(" · ");
  },
  showPlan: "Show plan",
  showPlanOf: (shoot: string) => `Show plan of the last run of ${visible(shoot)}`,
  applying: (shoot: string, done: number, total: number) =>
    `Applying ${visible(shoot)}: ${done} of ${count(total, "step") || "0 steps"} done`,
  destroying: (shoot: string, done: number, total: number) =>
    `Destroying ${visible(shoot)}: ${done} of ${count(total, "step") || "0 steps"} done`,
  observing: (shoot: string) => `Looking for ${visible(shoot)} in the simulated cloud…`,
  applied: (shoot: string) => `Applied ${visible(shoot)}. The network is as the manifest says; the simulated cloud of the page makes no nodes.`,
  appliedNothing: (shoot: string) =>
    `The network of ${visible(shoot)} is as the manifest says, and nothing of it was to be done. The simulated cloud of the page makes no nodes.`,
  appliedButLeft: (shoot: string) => `Nothing of ${visible(shoot)} is changed: what differs, and is left as found, stands below.`,
  destroyed: (shoot: string) => `Destroyed ${visible(shoot)}. Nothing is left of it in the simulated cloud.`,
  unstarted: (shoot: string) => `The run of ${visible(shoot)} did not begin, and nothing was changed.`,
  lost: (shoot: string) =>
    `The program does not answer, so that the page does not know how far ${visible(shoot)} is. Look whether trellis serve still runs.`,
  applyRefused: (shoot: string) => `Nothing of ${visible(shoot)} was changed: what was found forbids it.`,
  applyFailed: (shoot: string) => `Not everything of ${visible(shoot)} was done. Apply again to go on from here.`,
  destroyFailed: (shoot: string) => `Not everything of ${visible(shoot)} was taken down. Destroy again to go on from here.`,
  retrying: (why: string) => `Tried again: ${why}`,
  backToPlan: "Back to the plan",
  recorded: "Recorded state",
  recordedKey: "Key",
  recordedValue: "Value",
};

interface LastRun {
  operation: string;
  ending: string | null;
}

/** How runs ended. */
const ENDINGS: Record<string, string> = {
  done: "succeeded",
  refused: "was refused",
  failed: "failed",
  error: "failed",
  "goes on": "goes on",
};
