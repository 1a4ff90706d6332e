/** The top bar, and what stands around the texts and the results. */

import { visible } from "trellis-policy/vue";
import { count } from "./numbers.js";

export const bar = {
  title: "Trellis",
  tagline: "Gardener manifests, validated and understood while one types",
  skipToEditor: "Skip to the editor",
  skipToResults: "Skip to the results",

  examples: "Examples",
  examplesLabel: "Examples: pick one",
  garden: (version: string | undefined) => `Gardener ${version ?? ""}`.trim(),
  gardenLabel: (version: string | undefined) => `Version of your Gardener: ${version ?? "the newest"}`,
  upgrade: (version: string | undefined) => (version === undefined ? "Upgrade" : `Upgrade to ${version}`),
  upgradeLabel: (version: string | undefined) => `What must change before an upgrade of Kubernetes: ${version === undefined ? "none" : `to ${version}`}`,
  upgrades: "Versions of Kubernetes",
  /** What a CloudProfile says against a minor version. */
  notListed: "not listed in the CloudProfile",
  allExpired: "expired in the CloudProfile",
  noUpgrade: "No upgrade",
  gardens: "Versions of Gardener",
  newestGarden: "The newest",
  typeVersion: "Another version",
  chooseVersion: "Choose",
  strangeGarden: {
    newer: (version: string, newest: string) => `Gardener ${version} is newer than ${newest}, the newest whose rules Trellis knows: the rules of ${newest} count.`,
    older: (version: string, oldest: string) => `Gardener ${version} is older than ${oldest}, the oldest whose rules Trellis knows: the rules of ${oldest} count.`,
  },
  noVersion: (text: string) => `\u201c${visible(text)}\u201d is no version of Gardener: write one such as 1.147 or 1.147.2.`,
  openFields: "Open the garden's OpenAPI document",
  fieldsHint:
    "With the OpenAPI document of your garden, the fields count that its API server knows. kubectl get --raw " +
    "/openapi/v3/apis/core.gardener.cloud/v1beta1 prints the document. It stays in this tab, until a reload.",
  fieldsFrom: (name: string) => `Fields come from ${visible(name)}.`,
  fieldsChange: (name: string, more: number, less: number) => {
    const changes = [more > 0 ? `${count(more, "finding")} more` : "", less > 0 ? `${count(less, "finding")} less` : ""].filter((part) => part !== "");
    return `Fields come from ${visible(name)}: ${changes.length === 0 ? "no finding changes" : changes.join(", ")}.`;
  },
  fieldsOpened: (name: string) => `The fields of ${visible(name)} count from now on.`,
  leaveFields: (name: string) => `Leave ${visible(name)}`,
  fieldsTooLarge: (name: string) => `${visible(name)} has more than 64 MiB, so the page does not read it.`,
  fieldsNoJson: (name: string) => `${visible(name)} is no JSON, so the fields stay as they are.`,
  fieldsNone: (name: string) => `${visible(name)} describes no kind of core.gardener.cloud/v1beta1: open the OpenAPI document of a garden's API server.`,
  share: "Share",
  shareLabel: "Share: copy an address that opens this state",
  dark: "Dark",
  light: "Light",
  darkLabel: "Dark colours",
  lightLabel: "Light colours",
  close: "Close",

  about: "About",
  aboutLabel: "About: version, policies and documentation",
  keys: "Keys",
  panes: "Width of the texts",
  panesHint: "Drag, or press arrow keys; a double click makes both sides equal.",
  cancel: "Cancel",
  undo: "Undo",
  partFailed: "This part of the page could not be loaded. Try again when the network is back; where the page was updated meanwhile, reload it.",
  tryAgain: "Try again",
};
