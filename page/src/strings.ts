/** Every word of the page that is not one of a component of `trellis-policy/vue`, of a policy, or of CodeMirror. */

import { type Needed, visible } from "trellis-policy/vue";

export const strings = {
  title: "Trellis",
  tagline: "Gardener manifests, validated and understood while one types",
  skipToEditor: "Skip to the editor",
  skipToResults: "Skip to the results",

  examples: "Examples",
  examplesLabel: "Examples: pick one",
  searchExamples: "Search the examples",
  noExample: "No example has these words.",
  provider: (type: string) => PROVIDERS[type] ?? (type === "" ? "Every provider" : type),
  garden: (version: string | undefined) => `Gardener ${version ?? ""}`.trim(),
  gardenLabel: (version: string | undefined) => `Version of your Gardener: ${version ?? "the newest"}`,
  upgrade: (version: string | undefined) => (version === undefined ? "Upgrade" : `Upgrade to ${version}`),
  upgradeLabel: (version: string | undefined) => `What must change before an upgrade of Kubernetes: ${version === undefined ? "none" : `to ${version}`}`,
  upgrades: "Versions of Kubernetes",
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
  shared: (isExample: boolean) => (isExample ? "The address is copied. It opens the example, and holds no text." : "The address is copied. It holds the texts themselves: people who have it can read them."),
  shareFailed: "The browser did not let the page copy. The address bar has what to share.",
  linked: (isExample: boolean) =>
    isExample ? "The link is copied. It opens the example at the finding, and holds no text." : "The link is copied. It holds the texts themselves: people who have the link can read them.",
  findingGone: (rule: string) => `The text has no finding of the rule ${visible(rule)} at the place that the link names.`,
  /** Why there is no address, by what is known of Secrets in the texts. */
  unshared: {
    secret: "There is no link: the text has a Secret, or may become one, and its values must not get into an address.",
    pending: "The text is still being checked; try again in a moment.",
    open: "The texts are too long for an address.",
  },
  dark: "Dark",
  light: "Light",
  darkLabel: "Dark colours",
  lightLabel: "Light colours",
  close: "Close",

  about: "About",
  aboutLabel: "About: version, policies and documentation",
  aboutTitle: (version: string) => `Trellis ${version}`,
  aboutGardener: (oldest: string, newest: string) =>
    `Trellis knows the rules, fields and defaults of Gardener ${oldest} to ${newest}. The policies run in this browser, and no text leaves it.`,
  aboutPolicy: "Policy",
  aboutRules: "Rules",
  policy: (name: string) => (name === "gardener" ? "Gardener" : (PROVIDERS[name] ?? name)),
  aboutDocs: "Documentation, in the repository",
  docs: [
    ["docs/page.md", "this page"],
    ["docs/cli.md", "the command line"],
    ["docs/performance.md", "what is measured"],
    ["web/README.md", "the package for other pages"],
    ["CHANGELOG.md", "what is new"],
  ],
  keys: "Keys",
  keyLists: [
    {
      title: "Everywhere",
      keys: [
        ["?", "shows these keys, outside of the editors"],
        ["Tab", "goes on to the next part, also out of an editor"],
        ["Enter, Space", "presses what has the focus"],
        ["Arrow keys", "move within tabs, menus, pictures and lists"],
        ["Esc", "closes a menu or a dialog"],
      ],
    },
    {
      title: "In an editor",
      keys: [
        ["Ctrl-Space", "completes"],
        ["F8", "goes to the next finding"],
        ["Ctrl-Shift-M", "lists the findings"],
        ["Ctrl-]  Ctrl-[", "indents more or less"],
      ],
    },
  ],

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
  newNameRule: "Lower-case letters, digits and hyphens, 63 at most; a letter or a digit first and last",
  newTitle: "New Shoot",
  newProvider: "Provider",
  newCloudProfile: "CloudProfile",
  newProfile: (name: string, from: "context" | "manifest" | { example: string }) => {
    const places = { context: "from Context", manifest: "from the manifest" };
    return `${visible(name)} (${typeof from === "string" ? places[from] : `example ${from.example}`})`;
  },
  newRegion: "Region",
  newZones: "Zones",
  newName: "Name",
  newNamespace: "Namespace",
  newCredentials: "CredentialsBinding",
  newHint:
    "The page takes versions, machine type, image and volume type from the CloudProfile. The Shoot takes the place of the manifest, " +
    "and Undo brings the old text back.",
  newMake: "Make the Shoot",
  newMaking: "Checking…",
  newMade: "The new Shoot took the place of the manifest.",
  newMadeWithProfile: "The new Shoot took the place of the manifest, and Context has its CloudProfile.",
  newFailed: (why: string) => `The page cannot make the Shoot: ${why}.`,
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
  changedMeanwhile: "The text has changed meanwhile, so that nothing was fixed. Try again.",
  /** `fixes`: how many there are, as soon as that is known. */
  fixAll: (fixes: number | undefined) => (fixes === undefined ? "Fix all" : `Fix all (${fixes})`),
  fixing: (fixed: number) => `Fixing: ${fixed} done`,
  fixedAll: (fixed: number, left: number) => {
    const done = fixed === 0 ? "Nothing was fixed." : `${count(fixed, "finding")} fixed.`;
    const rest = left === 0 ? "" : ` ${count(left, "finding")} ${left === 1 ? "has" : "have"} no certain fix: look at ${left === 1 ? "it" : "them"} yourself.`;
    return done + rest;
  },

  panes: "Width of the texts",
  panesHint: "Drag, or press arrow keys; a double click makes both sides equal.",
  results: "Results",
  findings: "Findings",
  defaults: "Defaults",
  addresses: "Addresses",
  objectLabel: "Object",
  object: (kind: string, name: string) => [kind, name].filter((part) => part !== "").join(" "),
  counted: (errors: number, warnings: number, isCut: boolean) => {
    const parts = [(isCut ? "more than " : "") + count(errors, "error"), count(warnings, "warning")].filter((part) => part !== "");
    return parts.length === 0 ? "none" : parts.join(", ");
  },
  noDefaults: "Nothing here is filled in: no object of the text has defaults.",
  defaulting: "The page is asking for the defaults.",
  addressing: "The page is asking for the addresses.",
  addressesFailed: (why: string) => `The page cannot show the addresses: ${why}. The next change of the text is checked again.`,
  noAddresses: "No Shoot of a provider that has a policy is in the text. The addresses of such a Shoot are drawn here.",
  unsupported: (provider: string) => `${provider} is not supported yet.`,

  checking: "Checking…",
  nothingYet: "There is no manifest yet. Paste one, or open an example.",
  /** The verdict comes first. */
  /** `isCut`: there are more errors than are counted. */
  /** `isOpen`: more may be fixed than the `fixes` that were tried. */
  rejected: (isRejected: boolean, errors: number, isCut: boolean, warnings: number, fixes: number, isOpen: boolean) => {
    const found = [(isCut ? "more than " : "") + count(errors, "error"), count(warnings, "warning")].filter((part) => part !== "");
    const fixed = fixes === 0 ? "" : `${fixes} ${isOpen ? "or more " : ""}${warnings > 0 ? (fixes === 1 ? "error " : "errors ") : ""}can be fixed`;
    return [isRejected ? "Rejected" : "Not judged", found.join(", "), fixed].filter((part) => part !== "").join(" · ");
  },
  undecided: (rules: number) => ["Undecided", count(rules, "open question")].filter((part) => part !== "").join(" · "),
  notJudged: "Not judged",
  unjudged: (objects: number) => `${count(objects, "object")} not judged: see Findings.`,
  /** For people first: how many objects have no error, where that are not all, and how many warnings there are. */
  noErrors: (warnings: number, accepted: number, all: number) =>
    [accepted < all ? `No errors found in ${accepted} of ${all} objects` : "No errors found", count(warnings, "warning")].filter((part) => part !== "").join(" · "),
  scope: "What was checked, and what not",
  checkedBy: (whose: string) => `Checked by ${whose}.`,
  gardenerFailed: (why: string) => `Gardener's rules could not be loaded: ${why}. The next change of the text tries again.`,
  judgedAgainstApplied: "Judged as an update of what was applied to the simulator.",
  judgedAsApplied: "A manifest without a uid was judged as kubectl apply sends it: what it leaves out stays as under Before.",
  judgedOfItself: "An object that is there already was judged as an update of itself.",
  /** Other texts with problems. */
  otherTexts: (names: string[]) => `The text under ${names.join(" and under ")} has a problem: the verdict is without it.`,
  otherProblem: (editor: string, line: number, message: string) => `${editor}, line ${line.toLocaleString("en")}: ${message}.`,
  moreProblems: (editor: string, more: number) => `${editor} has ${count(more, "more problem")}.`,
  otherProfile: (profiles: { kind: string; name: string }[], of: string, { kind, name }: Needed) => {
    const shown = profiles.slice(0, 3).map((profile) => `${profile.kind} \`${visible(profile.name)}\``);
    const rest = profiles.length - shown.length;
    const all = [...shown, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
    return `Context has ${all}; the ${of} names ${kind} \`${visible(name)}\`.`;
  },
  showPlace: "Show",
  showPlaceOf: (editor: string) => `Show the place under ${editor}`,
  fixPlace: "Fix",
  fixPlaceOf: (editor: string) => `Fix the place under ${editor}`,
  fixedPlace: (editor: string) => `The key under ${editor} has its right name. Undo in its editor takes that back.`,
  edited: "Edited since it was applied.",
  editedDuringRun: "The text was edited since this run began: the run applies the text as it was.",

  plan: "Plan",
  noPlan: "The text has no Shoot. Of a Shoot, you see here what would be built in the cloud.",
  notPlanned: (provider: string) => `Trellis does not plan infrastructures of ${provider} yet.`,
  notRolled: (provider: string) => `Trellis does not tell yet what an edit does to the nodes of ${provider}.`,
  planning: "Planning…",
  planFrom: {
    nothing: "From nothing: this is the network that there will be.",
    empty:
      "From nothing: this is the network that there will be. With the manifest as it was under Before, the plan tells what the " +
      "edit does to nodes, too.",
    old:
      "What the edit changes in the network, from the manifest under Before. " +
      "Apply makes the network alone, and starts from what the simulated cloud has, and not from Before.",
    applied: "What the edit changes in the network, from what was applied to the simulator. Apply makes the network alone.",
  },
  /** Why the manifest under Before is no earlier version; what is shown is as if there were none. */
  beforeUnread: (line: number, why: string) => `The text under Before cannot be read (line ${line}: ${why}), so that the Shoot is compared with nothing of it.`,
  beforeOther: (shoot: string, why: string) => {
    const found = why === "" ? "" : ` (${why})`;
    return `The text under Before has no earlier version of the Shoot \`${visible(shoot)}\`${found}, so that the Shoot is compared with nothing of it.`;
  },
  nodes: "Nodes",
  network: "Network",
  rolloutFrom: {
    old: "What the edit does to the nodes, from the manifest under Before.",
    applied: "What the edit does to the nodes, from what was applied to the simulator.",
    itself: "What the upgrade does to the nodes.",
  },
  rolloutUnloaded: (why: string) =>
    `The page cannot load the module that tells what the edit does to nodes: ${why}. The next change of the text tries again.`,
  rolloutFailed: (code: string, message: string) => `The policy did not tell what the edit does to nodes. ${code}: ${message}`,
  planRejected: "A Shoot that is rejected is not planned. Fix what Findings says first.",
  planUnsettled: "The text has problems, so nothing is planned.",
  planUnjudged: "The Shoot could not be judged, so nothing is planned. Fix what Findings says first.",
  unjudgedHere: "An object could not be judged. Findings says why.",
  unread: "The text cannot be read. Fix what Findings says first.",
  unnamed: "The Shoot names no provider. Set spec.provider.type.",
  planForbidden: "The network cannot be planned: what is found here forbids it.",
  planFailed: (code: string, message: string) => `The network cannot be planned. ${code}: ${message}`,

  manifests: "Manifests",
  noManifests: "No Shoot is in the text. What the control plane and the machines of a Shoot consist of is shown here.",
  notRendered: (provider: string) => `Trellis does not render control planes of ${provider} yet.`,
  rendering: "Rendering…",
  renderedFrom: {
    empty:
      "A preview: the objects that the extension makes for the control plane and the machines of this Shoot, with its defaults. " +
      "Values of Secrets are never shown.",
    old:
      "What the edit changes in the objects of the control plane and the machines, from the manifest under Before; both with the " +
      "defaults of an update. Values of Secrets are never shown.",
    applied:
      "What the edit changes in the objects of the control plane and the machines, from what was applied to the simulator; both " +
      "with the defaults of an update. Values of Secrets are never shown.",
  },
  notCompared:
    "The earlier version of the Shoot cannot be rendered, so that nothing is compared: these are the objects of the manifest as it is now.",
  renderRejected: "A Shoot that is rejected is not rendered. Fix what Findings says first.",
  renderUnsettled: "The text has problems, so nothing is rendered.",
  renderUnjudged: "The Shoot could not be judged, so nothing is rendered. Fix what Findings says first.",
  renderForbidden: "The control plane cannot be rendered: what is found here forbids it.",
  renderUnloaded: (why: string) =>
    `The page cannot load the module that renders control planes: ${why}. The next change of the text tries again.`,
  renderFailed: (code: string, message: string) => `The control plane cannot be rendered. ${code}: ${message}`,
  nodesChange: "Plan tells what becomes of the nodes.",
  machinesForbidden: "The machines cannot be made: what is found here forbids it.",
  machinesFailed: (code: string, message: string) => `The machines cannot be made. ${code}: ${message}`,
  machinesUncompared: {
    old: (why: string) => `The machines of Before cannot be made (${why}), so they are not compared.`,
    applied: (why: string) => `The machines of what was applied cannot be made (${why}), so they are not compared.`,
    text: (why: string) => `The machines of the manifest cannot be made (${why}), so they are not compared.`,
  },
  forbiddenBy: (rule: string | undefined, why: string) => (rule === undefined ? why : `rule \`${rule}\`: ${why}`),
  placeholders: (number: number) => `${count(number, "placeholder")} for what the Shoot does not tell`,

  apply: (shoot: string) => `Apply ${visible(shoot)}`,
  destroy: (shoot: string) => `Destroy ${visible(shoot)}`,
  destroyOne: "Destroy",
  destroyTitle: (shoot: string) => `Destroy ${visible(shoot)}?`,
  destroyWhat: (shoot: string, resources: number) =>
    `The simulator deletes the network of ${visible(shoot)}: ${count(resources, "resource") || "what is left of it"}. ` +
    "Resources that the Shoot only uses, such as a VPC of your own, stay.",
  cancel: "Cancel",
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
    `The program does not answer, so that the page cannot tell how far ${visible(shoot)} is. Look whether trellis serve still runs.`,
  applyRefused: (shoot: string) => `Nothing of ${visible(shoot)} was changed: what was found forbids it.`,
  applyFailed: (shoot: string) => `Not everything of ${visible(shoot)} was done. Apply again to go on from here.`,
  destroyFailed: (shoot: string) => `Not everything of ${visible(shoot)} was taken down. Destroy again to go on from here.`,
  applyCut: "The program's answer ended early. Look whether it still runs.",
  /** How a run ended, where no step tells of it. */
  ending: {
    stale: () => "The plan is no longer the one that was agreed to; nothing was changed.",
    unsettled: (resources: string) => `Things differ however often they are fixed: ${resources}`,
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
  zoneNoEdit: "The zone cannot be written into this text. Fix what is wrong with the text first.",

  ruleLabel: (id: string) => `Rule ${id}`,
  ruleWhy: "Why",
  ruleFix: "How to fix it",
  ruleOperation: { create: "on create", update: "on update", both: "on create and update" },
  ruleReading: "The page is reading what the rule says.",
  ruleUnreadable: (why: string) => `The page cannot show what the rule says: ${why}.`,
  ruleUnknown: "The policy has no rule of this name.",

  checkFailed: (why: string) => `The text could not be checked: ${why}. The next change of the text is checked again.`,
  retry: "Check again",
  partFailed: "This part of the page could not be loaded. Try again when the network is back; where the page was updated meanwhile, reload it.",
  tryAgain: "Try again",
  addressUnreadable: (why: "damaged" | "foreign" | "tooLarge" | "unknown") => {
    const words = { damaged: "it is damaged", foreign: "it holds something else than texts", tooLarge: "it holds too much", unknown: "it names nothing that the page knows" };
    return (
      `The link cannot be read: ${words[why]}. What you see is an example, and not what the link was to show. Chats and mails cut long links: ` +
      "copy the whole link, or ask for the text as a file, and open that by File."
    );
  },
  exampleUnknown: (name: string) =>
    `There is no example called ${visible(name)}, so you see another one. Examples, above, has all of them; a link of an older or a newer Trellis may name others.`,
  exampleUnloaded: (name: string) => `The example ${name} could not be loaded. This is another one.`,
  storageDenied: "This browser keeps nothing for the page: a reload would lose the text.",
  notRemembered: "The text is too long for this tab to remember: a reload would lose it.",
};

/** The names of clouds, by the types of their providers. */
const PROVIDERS: Record<string, string> = {
  alicloud: "Alibaba Cloud",
  aws: "AWS",
  azure: "Azure",
  equinixmetal: "Equinix Metal",
  gcp: "Google Cloud",
  openstack: "OpenStack",
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

/** A size in MiB, more than the limit also where it is little more. */
function megabytes(bytes: number): string {
  return (Math.ceil((bytes / (1024 * 1024)) * 10) / 10).toLocaleString("en");
}

function count(number: number, word: string): string {
  return number === 0 ? "" : `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}
