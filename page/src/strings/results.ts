/** The verdict, and the tabs with what is found. */

import { type Needed, visible } from "trellis-policy/vue";
import { count } from "./numbers.js";

export const results = {
  changedMeanwhile: "The text has changed meanwhile, so that nothing was fixed. Try again.",
  /** `fixes`: how many there are, as soon as that is known. */
  fixAll: (fixes: number | undefined) => (fixes === undefined ? "Fix all" : `Fix all (${fixes})`),
  fixing: (fixed: number) => `Fixing: ${fixed} done`,
  fixedAll: (fixed: number, left: number) => {
    const done = fixed === 0 ? "Nothing was fixed." : `${count(fixed, "finding")} fixed.`;
    const rest = left === 0 ? "" : ` ${count(left, "finding")} ${left === 1 ? "has" : "have"} no certain fix: look at ${left === 1 ? "it" : "them"} yourself.`;
    return done + rest;
  },

  results: "Results",
  findings: "Findings",
  defaults: "Defaults",
  addresses: "Addresses",
  objectLabel: "Object",
  counted: (errors: number, warnings: number, isCut: boolean) => {
    const parts = [(isCut ? "more than " : "") + count(errors, "error"), count(warnings, "warning")].filter((part) => part !== "");
    return parts.length === 0 ? "none" : parts.join(", ");
  },
  noDefaults: "Nothing here is filled in: no object of the text has defaults.",
  defaulting: "The page is asking for the defaults.",
  addressing: "The page is asking for the addresses.",
  noAddresses: "No Shoot of a provider that has a policy is in the text. The addresses of such a Shoot are drawn here.",
  unsupported: (provider: string) => `${provider} is not supported yet.`,
  misspeltProvider: (provider: string, meant: string) => `Trellis has no rules of ${visible(provider)}: did you mean ${meant}?`,

  checking: "Checking…",
  nothingYet: "There is no manifest yet. Paste one, or open an example.",
  /** The verdict comes first. */
  /** `isCut`: there are more errors than are counted. */
  /** `isOpen`: more may be fixed than the `fixes` that were tried. */
  rejected: (first: string, errors: number, isCut: boolean, warnings: number, fixes: number, isOpen: boolean) => {
    const found = [(isCut ? "more than " : "") + count(errors, "error"), count(warnings, "warning")].filter((part) => part !== "");
    const fixed = fixes === 0 ? "" : `${fixes} ${isOpen ? "or more " : ""}${warnings > 0 ? (fixes === 1 ? "error " : "errors ") : ""}can be fixed`;
    return [first, found.join(", "), fixed].filter((part) => part !== "").join(" · ");
  },
  rejectedFirst: "Rejected",
  /** Where no rule rejects an object, and not all were judged. */
  judgedOf: (judged: number, all: number) => (judged === 0 || judged === all ? "Not judged" : `${judged} of ${all} objects judged`),
  undecided: (rules: number) => ["Undecided", count(rules, "open question")].filter((part) => part !== "").join(" · "),
  notJudged: "Not judged",
  unjudged: (objects: number) => `${count(objects, "object")} not judged: see Findings.`,
  /** For people first: how many objects have no error, where that are not all, and how many warnings there are. */
  noErrors: (warnings: number, accepted: number, all: number) =>
    [accepted < all ? `No errors found in ${accepted} of ${all} objects` : "No errors found", count(warnings, "warning")].filter((part) => part !== "").join(" · "),
  scope: "What was checked, and what not",
  checkedBy: (whose: string) => `Checked by ${whose}.`,
  gardenerFailed: (why: string) => `Gardener's rules could not be loaded: ${why}. The next change of the text tries again.`,
  notUpgraded: (version: string) => `Not judged as an upgrade to ${version}: the version of Kubernetes that the Shoot has is no text. Put it into quotes first.`,
  judgedAgainstApplied: "Judged as an update of what was applied to the simulator.",
  judgedAsApplied: "A manifest without a uid was judged as kubectl apply sends it: what it leaves out stays as under Before.",
  judgedOfItself: "An object that is there already was judged as an update of itself.",
  /** Other texts with problems. */
  leftOut: (names: string[]) => `The verdict is without what has a problem under ${names.join(" and under ")}.`,
  asItIs: (name: string) => `The text under ${name} has a problem, and the verdict is with the text as it is.`,
  otherProblem: (editor: string, line: number, message: string, remedy: string) => `${editor}, line ${line.toLocaleString("en")}: ${message}. ${remedy}`,
  twiceRemedy: "Remove one of the two. To compare with an earlier version, put that under Before.",
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
  fixedPlace: (editor: string) => `The place under ${editor} is fixed. Undo in its editor takes that back.`,
  edited: "Edited since it was applied.",
  plan: "Plan",
  noPlan: "The text has no Shoot. Of a Shoot, you see here what would be built in the cloud.",
  notPlanned: (provider: string) => `Trellis does not plan infrastructures of ${provider} yet.`,
  notRolled: (provider: string) => `Trellis does not say yet what an edit does to the nodes of ${provider}.`,
  planning: "Planning…",
  /** Why the manifest under Before is no earlier version; what is shown is as if there were none. */
  beforeUnread: (line: number, why: string) => `The text under Before cannot be read (line ${line}: ${why}), so that the Shoot is compared with nothing of it.`,
  beforeOther: (shoot: string, why: string) => {
    const found = why === "" ? "" : ` (${why})`;
    return `The text under Before has no earlier version of the Shoot \`${visible(shoot)}\`${found}, so that the Shoot is compared with nothing of it.`;
  },
  unjudgedHere: "An object could not be judged. Findings says why.",
  unread: "The text cannot be read. Fix what Findings says first.",
  unnamed: "The Shoot names no provider. Set spec.provider.type.",
  manifests: "Manifests",
  noManifests: "No Shoot is in the text. What the control plane and the machines of a Shoot consist of is shown here.",
  notRendered: (provider: string) => `Trellis does not render control planes of ${provider} yet.`,
  rendering: "Rendering…",
  applyCut: "The program's answer ended early. Look whether it still runs.",
  /** How a run ended, where no step shows it. */
  ending: {
    stale: () => "The plan is no longer the one that was agreed to; nothing was changed.",
    unsettled: (resources: string) => `Things differ however often they are fixed: ${resources}`,
    stopped: () => "The program was asked to end.",
    outOfTime: () => "There was no more time.",
    unkept: (why: string) => `The state cannot be kept: ${why}`,
  } satisfies Record<string, (what: string) => string> as Record<
    "stale" | "unsettled" | "stopped" | "outOfTime" | "unkept",
    (what: string) => string
  >,
  planZone: "Add a zone",
  zoneAdded: (name: string, cidr: string) => `${name} got ${cidr}. Undo takes it back.`,
  zoneNoEdit: "The zone cannot be written into this text. Fix what is wrong with the text first.",

  ruleUnreadable: (why: string) => `The page cannot show what the rule says: ${why}.`,
  ruleUnknown: "The policy has no rule of this name.",

  checkFailed: (why: string) => `The text could not be checked: ${why}. The next change of the text is checked again.`,
  retry: "Check again",
};
