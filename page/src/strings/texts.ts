/** The editors, and files. */

import { type Needed, visible } from "trellis-policy/vue";
import { count, megabytes } from "./numbers.js";

export const texts = {
  editors: "Texts",
  manifest: "Manifest",
  before: "Before",
  context: "Context",
  manifestLabel: "Manifest, YAML or JSON",
  beforeLabel: "The manifest as it was, YAML or JSON",
  contextLabel: "Objects that the manifest refers to, YAML or JSON",
  beforeHint: "Paste the manifest as it was: then the rules of an update are judged, and what is immutable or disrupts.",
  takeCurrent: "Take the manifest as it is now",
  compare: "Compare",
  diffLabel: "Before and Manifest compared",
  diffHint: "What the edit changes. Nothing is edited here: the tabs above lead back to the texts.",
  diffNone: "Both texts are the same.",
  diffMasked: "Values of Secrets are hidden; the same number stands for the same value.",
  diffTooLarge: "A text has more than 3 MiB, so the page does not compare them.",
  contextHint: "Paste the CloudProfile and other objects that the manifest refers to, or pick one.",
  pickCloudProfile: "Pick a CloudProfile",
  clear: "Clear",
  cleared: (name: string) => `The text under ${name} is empty now. Undo in its editor brings it back.`,
  isUpdate: "update",
  emptyHint: "The manifest is empty. Paste one here, open a file, make a new Shoot, or begin with an example.",
  begin: "Begin with an example",
  beginLabel: "Begin with an example: pick one",
  paste: "Paste",
  pasteFailed: "The browser did not let the page read the clipboard. Click into the editor and press Ctrl-V.",
  file: "File",
  openFile: "Open a file",
  newShoot: "New Shoot",
  newMade: "The new Shoot took the place of the manifest.",
  newMadeWithProfile: "The new Shoot took the place of the manifest, and Context has its CloudProfile.",
  opened: (name: string) => `${name} took the place of the text.`,
  /** `command`: what takes the file. */
  fileTooLarge: (name: string, bytes: number, command: string) =>
    `${visible(name)} has ${megabytes(bytes)} MiB. The page checks texts of up to 3 MiB, because each key that you type checks the whole text, so it leaves ` +
    `your text as it is. The command line takes files of up to 64 MiB: ${command}`,
  noText: (name: string) => `${name} is no text, so the page leaves yours as it is.`,
  oneFile: "Several files were dropped, and the page takes one at a time.",
  download: "Download",
  copyText: "Copy the text",
  copied: "The text is copied.",
  copiedSecrets: "The text is copied, with the values of its Secrets.",
  copyCommand: "Copy as a command",
  copiedCommand: "The command is copied. It reads the texts by the names that Download gives them.",
  copyFailed: "The browser did not let the page copy. Click into the editor and press Ctrl-A, then Ctrl-C.",
  fileFailed: (name: string) => `The page cannot read ${name}.`,
  hiddenValue: "hidden value",
  showValues: "Show values of Secrets",
  hideValues: "Hide values of Secrets",

  needed: ({ kind, namespace, name }: Needed) => {
    const of = namespace === "" ? "" : ` --namespace ${visible(namespace)}`;
    return `Paste the ${kind} here, under Context. In your garden: kubectl get ${kind.toLowerCase()} ${visible(name)}${of} --output yaml`;
  },
  problems: (number: number) => count(number, "problem"),
};
