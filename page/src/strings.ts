/** Every word of the page that is not one of a component of `trellis-policy/vue`, of a policy, or of CodeMirror. */

export const strings = {
  title: "Trellis",
  tagline: "Gardener manifests, validated and understood while one types",
  skipToEditor: "Skip to the editor",
  skipToResults: "Skip to the results",

  examples: "Examples",
  examplesLabel: "Examples: pick one",
  share: "Share",
  shareLabel: "Share: copy an address that opens this state",
  shared: "The address is copied. It holds the texts themselves: whoever has it can read them.",
  shareFailed: "The browser did not let the page copy. The address bar has what to share.",
  /** Why there is no address, by what is known of Secrets in the texts. */
  unshared: {
    secret: "Values of a Secret do not go into an address, nor what may become such, so this state has none.",
    pending: "The text is still being checked; try again in a moment.",
    open: "The texts are too long for an address.",
  },
  dark: "Dark",
  light: "Light",
  darkLabel: "Dark colours",
  lightLabel: "Light colours",
  close: "Close",

  editors: "Texts",
  manifest: "Manifest",
  before: "Before",
  context: "Context",
  manifestLabel: "Manifest, YAML or JSON",
  beforeLabel: "The manifest as it was, YAML or JSON",
  contextLabel: "Objects that the manifest refers to, YAML or JSON",
  beforeHint: "Paste the manifest as it was: then the rules of an update are judged, and what is immutable or disrupts.",
  takeCurrent: "Take the manifest as it is now",
  endComparison: "End the comparison",
  contextHint: "Paste the CloudProfile and other objects that the manifest refers to, or pick one.",
  pickCloudProfile: "Pick a CloudProfile",
  clearContext: "Clear",
  isUpdate: "update",
  hiddenValue: "hidden value",
  showValues: "Show values of Secrets",
  hideValues: "Hide values of Secrets",

  results: "Results",
  findings: "Findings",
  defaults: "Defaults",
  addresses: "Addresses",
  objectLabel: "Object",
  object: (kind: string, name: string) => [kind, name].filter((part) => part !== "").join(" "),
  counted: (errors: number, warnings: number) => {
    const parts = [count(errors, "error"), count(warnings, "warning")].filter((part) => part !== "");
    return parts.length === 0 ? "none" : parts.join(", ");
  },
  noDefaults: "Nothing here is filled in: no object of the text has defaults.",
  addressing: "The page is asking for the addresses.",
  addressesFailed: (why: string) => `The page cannot show the addresses: ${why}. The next change of the text is checked anew.`,
  noAddresses: "No object of the text has addresses. Those of a Shoot are drawn here.",
  plan: "Plan",
  noPlan: "No object of the text has an infrastructure to plan. That of a Shoot is planned here.",
  notPlanned: (provider: string) => `Trellis does not plan infrastructures of ${provider} yet.`,
  planning: "Planning…",
  planFrom: {
    empty: "From nothing: this is what there will be.",
    old: "What the edit changes, from the manifest under Before.",
    applied: "What the edit changes, from what was applied to the simulator.",
  },
  planRejected: "A Shoot that is rejected is not planned. Mend what is told under Findings first.",
  planUnsettled: "The text has problems, so nothing is planned.",
  planForbidden: "What is found here forbids a plan.",
  planFailed: (code: string, message: string) => `The policy made no plan. ${code}: ${message}`,

  apply: "Apply to the simulator",
  destroy: "Destroy",
  applyHint: "The simulator is part of this program: no cloud is called, and nothing is charged.",
  applying: (done: number, total: number) => `Applying: ${done} of ${count(total, "step") || "0 steps"} done`,
  destroying: (done: number, total: number) => `Destroying: ${done} of ${count(total, "step") || "0 steps"} done`,
  observing: "Looking at the simulated cloud…",
  applied: "Applied. The simulated cloud has what the manifest says.",
  appliedNothing: "Nothing was to be done: the simulated cloud has what the manifest says.",
  appliedButLeft: "Nothing is changed: what differs, and is left as found, stands below.",
  destroyed: "Destroyed. Nothing is left of it in the simulated cloud.",
  applyRefused: "Nothing was changed: what was found forbids it.",
  applyFailed: "Not everything was done. Apply again to go on from here.",
  destroyFailed: "Not everything was taken down. Destroy again to go on from here.",
  applyCut: "The program's answer ended early. Look whether it still runs.",
  /** How a run ended, where no step tells of it. */
  ending: {
    stale: () => "The plan is no longer the one that was agreed to; nothing was changed.",
    unsettled: (resources: string) => `Things differ however often they are mended: ${resources}`,
    stopped: () => "The program was told to end.",
    outOfTime: () => "There was no more time.",
    unkept: (why: string) => `The state cannot be kept: ${why}`,
  } satisfies Record<string, (what: string) => string> as Record<
    "stale" | "unsettled" | "stopped" | "outOfTime" | "unkept",
    (what: string) => string
  >,
  retrying: (why: string) => `Tried again: ${why}`,
  backToPlan: "Back to the plan",
  recorded: "Recorded state",
  recordedKey: "Key",
  recordedValue: "Value",

  problems: (number: number) => count(number, "problem"),

  planZone: "Add a zone",
  zoneAdded: (name: string, cidr: string) => `${name} got ${cidr}. Undo takes it back.`,
  undo: "Undo",
  zoneNoEdit: "The zone cannot be written into this text. Mend what is wrong with the text first.",

  ruleLabel: (id: string) => `Rule ${id}`,
  ruleWhy: "Why",
  ruleFix: "How to mend it",
  ruleOperation: { create: "on create", update: "on update", both: "on create and update" },
  ruleReading: "The page is reading what the rule says.",
  ruleUnreadable: (why: string) => `The page cannot show what the rule says: ${why}.`,
  ruleUnknown: "The policy has no rule of this name.",

  checkFailed: (why: string) => `The text could not be checked: ${why}. The next change of the text is checked anew.`,
  retry: "Check again",
  addressUnreadable: (why: "damaged" | "foreign" | "tooLarge") => {
    const words = { damaged: "it is damaged", foreign: "it holds something else", tooLarge: "it holds too much" };
    return `The state in the address cannot be read: ${words[why]}. This is an example instead.`;
  },
  exampleUnknown: (name: string) => `There is no example called ${name}. This is another one.`,
  storageDenied: "This browser keeps nothing for the page: a reload would lose the text.",
  notRemembered: "The text is too long for this tab to remember: a reload would lose it.",
};

function count(number: number, word: string): string {
  return number === 0 ? "" : `${number} ${word}${number === 1 ? "" : "s"}`;
}
