/** Everything that the components say. Words between backticks are shown as code. */

import { inject, type InjectionKey, provide } from "vue";
import type { Upgrade } from "../check/upgrade.js";
import { sinceWords } from "../detail.js";
import type { DefaultedLine, Hibernation } from "../checker/interface.js";
import type { Action, AddressFamily, AddressRole, NodeChange, Scope, Severity, Verdict } from "../documents.js";
import type { ManifestChange, ManifestLine } from "../manifests/index.js";
import { assignedIpv6, type NamedRange, namedRange, networkInSentence, roleWord, shortRoleWord } from "./cloud-words.js";
import type { Going, NodeState } from "./nodes.js";
import type { Needed } from "./findings.js";
import type { StepState } from "./plans.js";

/** What becomes of an object. */
export type ManifestState = ManifestChange["state"] | "same";

const numbers = new Intl.NumberFormat("en");

/** Kinds that Gardener's core API alone has. */
const GARDENERS = ["BackupBucket", "CloudProfile", "NamespacedCloudProfile", "SecretBinding", "Seed", "Shoot"];

/** An object that a rule needs, its name between backticks unless others are given. */
function nameOfNeeded({ kind, namespace, name }: Needed, quote = "`"): string {
  return `${kind} ${quote}${namespace === "" ? "" : `${namespace}/`}${name}${quote}`;
}

/** A number with its noun: `one` for 1, `many` for all others. */
function count(number: number | bigint, one: string, many = `${one}s`): string {
  return `${numbers.format(number)} ${BigInt(number) === 1n ? one : many}`;
}

/** What a verdict is by: the provider of the object, and what its answer covers. */
export interface Judged {
  provider?: string | undefined;
  scope?: Scope | undefined;
}

/** Rules as a scope names them, such as `provider-alicloud v1.72.0-dev`, of Gardener itself. */
function isGardeners(checked: string): boolean {
  return checked.startsWith("gardener ");
}

/** A version as people name it: `v1.72` of `provider-alicloud v1.72.0-dev`. */
function versionOf(checked: string): string {
  const version = checked.slice(checked.lastIndexOf(" ") + 1);
  return /^v\d+\.\d+/.exec(version)?.[0] ?? version;
}

/** Whose rules verdicts are by: "Gardener's rules (v1.150, structure, values, profile) and alicloud's (v1.72)". */
export function whoseRules(judged: Judged[]): string {
  const checked = judged.flatMap(({ provider, scope }) => (scope?.checked ?? []).map((entry) => ({ provider, entry })));
  const own = checked.find(({ entry }) => isGardeners(entry));
  const parts = new Set(judged.flatMap(({ scope }) => scope?.parts ?? []));
  const ofProviders = checked
    .filter(({ entry }) => !isGardeners(entry))
    .map(({ provider, entry }) => `${provider ? `${provider}'s` : entry}|(${versionOf(entry)})`);
  const all = [...(own ? [`Gardener's|(${[versionOf(own.entry), ...parts].join(", ")})`] : []), ...new Set(ofProviders)];
  const named = all.map((one, at) => one.replace("|", at === 0 ? " rules " : " "));
  return named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${named.at(-1)}` : (named[0] ?? "");
}

/** The way of a Shoot to another version of Kubernetes, in a sentence. */
export function upgradeWords({ from, to, between }: Upgrade): string {
  const [first, last] = [between[0], between.at(-1)];
  const minors = between.length === 1 ? `${first} first` : `${first} ${between.length === 2 ? "and" : "to"} ${last}, one minor version after the other`;
  const steps = between.length === 0 ? "" : `; Gardener goes by ${minors}`;
  const order = from === "" ? 1 : to.localeCompare(from, "en", { numeric: true });
  if (order === 0) return `The Shoot has Kubernetes ${to} already: there is nothing to upgrade.`;
  if (order < 0) return `Judged as a downgrade from Kubernetes ${from} to ${to}, which Gardener refuses.`;
  return `Judged as an upgrade${from && ` from Kubernetes ${from}`} to ${to}${steps}.`;
}

/** What nobody checked, in a sentence or two. `isPreliminary`: Gardener's own rules are still to come. */
export function notChecked(judged: Judged[], isPreliminary: boolean): string[] {
  const left = [...new Set(judged.flatMap(({ scope }) => scope?.notChecked ?? []))];
  const others = left.filter((other) => other !== "gardener" || !isPreliminary);
  const words = others.map((other) => (other === "gardener" ? "what Gardener itself checks" : other));
  return [
    ...(isPreliminary ? ["Gardener's rules are not checked yet."] : []),
    ...(words.length > 0 ? [`Not checked: ${words.join(", ")}.`] : []),
  ];
}

/** Words at the beginning of a sentence, or alone. */
export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const ACTIONS: Record<Action, string> = {
  create: "to create",
  associate: "to associate",
  adopt: "to adopt",
  update: "to update",
  replace: "to replace",
  delete: "to delete",
};

const NODES: Record<NodeState, string> = {
  kept: "kept",
  updated: "updated in place",
  replaced: "replaced",
  new: "new",
  gone: "gone",
};

/** A number of which only bounds are known: `2`, or `1 to 3`. */
function between(least: number, most: number): string {
  return least === most ? numbers.format(most) : `${numbers.format(least)} to ${numbers.format(most)}`;
}

/** What the components say, in English. */
const ENGLISH = {
  answer: {
    /** What is shown in the place of an answer, where the policy answered with an error. */
    error: (code: string, message: string) => `The policy answered with the error \`${code}\`: ${message}`,
  },
  verdict: {
    accept: "accepted",
    reject: "rejected",
    undecided: "undecided",
    partial: "accepted in part",
    none: "not judged",
  } satisfies Record<Verdict | "partial" | "none", string> as Record<Verdict | "partial" | "none", string>,
  map: {
    empty: "This object names no ranges of addresses.",
    label: (family: AddressFamily, ranges: number, conflicts: number) =>
      `Address space, ${family}: ${count(ranges, "range")}, ${conflicts > 0 ? count(conflicts, "conflict") : "no conflicts"}`,
    keys: "Arrow keys move from range to range by address, Enter selects.",
    legend: "Legend",
    /** What a range is for, in the words of the provider's cloud. */
    role: (role: AddressRole, provider?: string) => roleWord(role, provider),
    shortRole: (role: AddressRole, provider?: string) => shortRoleWord(role, provider),
    zone: (name: string | undefined) => (name ? `Zone ${name}` : "Zone"),
    /** Names in a list beside the picture, for which there is no room in it. */
    labels: "Names without room in the picture",
    moreLabels: (number: number) => `and ${count(number, "more range")}: see the table`,
    /** Who chooses ranges of IPv6 that the answer lacks. */
    assigned: (provider: string | undefined) => assignedIpv6(provider),
    free: "Free",
    largest: (cidr: string) => `largest block \`${cidr}\``,
    conflict: "Conflict",
    ownScale: "Each strip has a scale of its own.",
    /** How many addresses; `exponent` is there where they are a power of two. */
    size: (size: bigint, exponent: number | undefined) =>
      exponent !== undefined && exponent >= 40 ? `2^${exponent} addresses` : count(size, "address", "addresses"),
    bounds: (first: string, last: string) => `${first} – ${last}`,
    spokenBounds: (first: string, last: string) => `${first} to ${last}`,
    /** An address that is counted from a prefix. */
    relative: (address: string) => `…${address}`,
    closer: "a closer look",
    overlaps: (other: NamedRange) => `overlaps ${namedRange(other)}`,
    belongs: (other: NamedRange) => `belongs into ${namedRange(other)}`,
    overlap: (a: NamedRange, b: NamedRange) => `${sentence(namedRange(a))} and ${namedRange(b)} overlap`,
    /** An address space; a relative one is that within the network. */
    space: (family: AddressFamily, isRelative: boolean, provider?: string) =>
      isRelative ? `${family} within the ${networkInSentence(provider)}` : family,
    moreRanges: (number: number) => `${count(number, "more range")} ${number === 1 ? "is" : "are"} not drawn.`,
    moreConflicts: (number: number) => `and ${count(number, "more conflict")}`,
    shared: (first: string, last: string, size: string) => `they share \`${first}\` – \`${last}\`, ${size}`,
    outside: (into: NamedRange, stray: NamedRange) => `${sentence(namedRange(stray))} is not inside ${namedRange(into)}`,
    unreadable: (role: AddressRole, name: string | undefined, text: string, provider?: string) =>
      `${role === "zone" && name ? `Zone \`${name}\`` : roleWord(role, provider)}: \`${text}\` is no range of addresses`,
    table: "As a table",
    caption: (space: string) => `Ranges of the address space, ${space}`,
    range: "Range",
    cidr: "CIDR",
    first: "First",
    last: "Last",
    addresses: "Addresses",
    notes: "Notes",
  },
  findings: {
    label: "Findings",
    severity: { error: "Errors", warning: "Warnings" } satisfies Record<Severity, string> as Record<Severity, string>,
    undecided: "Undecided here",
    undecidedNote: "These rules need something that is not here; an undecided object is not accepted before they are decided.",
    asks: (service: string, action: string, needed?: Needed) =>
      needed ? `To decide it here, give the ${nameOfNeeded(needed)}.` : `The cloud tells it: \`${service}\` \`${action}\`.`,
    add: (needed?: Needed) => (needed ? `Add ${nameOfNeeded(needed, "")}` : ""),
    link: "Link",
    linkOf: (rule: string, place: string) => `Link: copy an address that leads to ${rule} at ${place}`,
    checked: "Checked here",
    none: "No errors and no warnings.",
    empty: "There is nothing to check yet.",
    busy: "Checking…",
    /** Said aloud after every check. */
    summary: (errors: number, warnings: number, undecided: number) => {
      const parts = [
        errors > 0 && count(errors, "error"),
        warnings > 0 && count(warnings, "warning"),
        undecided > 0 && `${count(undecided, "rule")} undecided`,
      ];
      return parts.filter((part) => part).join(", ") || "no findings";
    },
    object: (kind: string, name: string | undefined) => (name ? `${kind} ${name}` : kind),
    document: (line: number) => `Document in line ${line}`,
    line: (line: number) => `line ${line}`,
    root: "The object itself",
    text: "Text",
    yaml: "YAML",
    defaults: "defaults",
    update: "update",
    updateOfObject: "This is an update of the old object",
    updateOfApplied: "This is an update of what was applied last",
    updateByApply: "This object is judged as kubectl apply sends it: what it leaves out stays as before",
    updateOfItself: "This object is there already: it is judged as an update of itself",
    truncated: (severities: readonly Severity[]) =>
      `There are more ${severities.map((severity) => `${severity}s`).join(" and ")} than are listed. Fix these, and the others show.`,
    updateRule: "This rule holds for updates alone",
    setBy: (reason: string) => `Set by default: ${reason}`,
    /** A release of Gardener brought what is said. */
    since: sinceWords,
    fix: "Fix",
    fixOf: (rule: string, field: string) => `Fix ${rule} at ${field}`,
    nearest: "The nearest:",
    /** Above what follows from a finding. */
    followers: (count: number) => (count === 1 ? "One more finding follows from this" : `${count} more findings follow from this`),
    /** Above all supported values. */
    supported: (count: number) => `All ${count} supported values`,
    choose: (value: string, field: string) => `Write ${value} at ${field}`,
    rule: (rule: string) => `About the rule ${rule}`,
    /** Whose rule it is: Gardener's own, or that of a provider. */
    origin: (source: string) => (source === "gardener" ? "Gardener" : source),
    more: (number: number, total: number) => `Show ${numbers.format(number)} more of ${numbers.format(total)}`,
    /** How many findings of one kind there are. */
    places: (number: number) => count(number, "place"),
    /** What one of them says, where the others have other names or numbers. */
    such: (detail: string) => `Such as: ${detail}`,
    /** A verdict in a sentence. `isPreliminary`: Gardener's own rules are still to come. */
    ruled: (verdict: Verdict, by: Judged, summary: string, isPreliminary: boolean) => {
      const whose = whoseRules([by]) || "the rules";
      const ruled = verdict === "accept" ? `Accepted by ${whose}.` : `${sentence(summary)}, by ${whose}.`;
      return [ruled, ...(verdict === "accept" || isPreliminary ? notChecked([by], isPreliminary) : [])].join(" ");
    },
    /** Of a binding. */
    leftTo: (named: string) => `Rejected, because ${named} has errors.`,
    gardenerFailed: (why: string) => `Gardener's rules could not be loaded: ${why}. The next change tries again.`,
    pending: "Gardener's rules are not checked yet.",
    unreadable: "The text cannot be read, so no rule was asked.",
    disorder: (problems: number, summary: string) =>
      `Its text has ${count(problems, "problem")}, to be fixed first. The rules say of the rest: ${summary}.`,
    skipped: {
      kind: (found: string, apiVersion: string | undefined) =>
        (found.endsWith("List") ? `A \`${found}\` stands for its \`items\`, and this one has none.` : `No policy here judges ${found ? `a \`${found}\`${apiVersion ? ` of \`${apiVersion}\`` : ""}` : "an object without a kind"}.`) +
        (apiVersion !== undefined && GARDENERS.includes(found) && !apiVersion.startsWith("core.gardener.cloud/")
          ? " That of Gardener has `apiVersion: core.gardener.cloud/v1beta1`."
          : ""),
      provider: (found: string) => `${found} is not supported yet: none of its rules was asked of the object.`,
      unnamed: (found: string) =>
        found === "Secret"
          ? "Neither a binding nor a label says which provider the `Secret` is for, so no rule was asked of it alone."
          : `The ${found ? `\`${found}\`` : "object"} names no provider. Set \`spec.provider.type\`.`,
      unreadable: (found: string) =>
        `The text is no object${found ? `, but a ${found}` : ""}, so no rule was asked.`,
    },
    failed: (code: string, message: string) => {
      const next: Record<string, string> = {
        PolicyTrapped: "The policy crashed on this object. It has been started anew, and the next change is checked again.",
        DeadlineExceeded: "The check took too long and was ended. The next change is checked again.",
        WorkerFailed: "The check ended unexpectedly. The next change is checked again.",
        PolicyUnavailable: "The policy could not be loaded. The next change tries again.",
      };
      return `${next[code] ?? "The policy could not judge the object."} \`${code}\`: ${message}`;
    },
  },
  diff: {
    label: "The text with its defaults",
    none: "No defaults are set: the text says everything itself.",
    summary: (defaults: number) => `${count(defaults, "default")} ${defaults === 1 ? "is" : "are"} set.`,
    /** What is heard before a line. */
    state: { same: "", added: "Added: ", removed: "Removed: " } satisfies Record<DefaultedLine["state"], string> as Record<
      DefaultedLine["state"],
      string
    >,
    unfold: (lines: number) => `Show ${count(lines, "unchanged line")}`,
    more: (number: number, total: number) => `Show ${numbers.format(number)} more of ${count(total, "line")}`,
    select: (rule: string) => `Go to the default of ${rule}`,
  },
  manifests: {
    label: "Objects of the control plane and the machines",
    none: "There are no objects.",
    search: "Search",
    searchHint: "Search kind, name or text",
    all: "Show unchanged objects too",
    /** How many objects are shown, of all. */
    counted: (shown: number, all: number) => (shown === all ? count(all, "object") : `${numbers.format(shown)} of ${count(all, "object")}`),
    nothingFound: (query: string) => `No object has \`${query}\`.`,
    unchanged: "No object changes.",
    /** Where nodes change though no object does, or where the machines cannot be compared. */
    unchangedPreview: "No object of the preview changes.",
    unchangedControlPlane: "No object of the control plane changes.",
    /** In how many pools nodes roll, and in how many they may, by a hash that the preview has a placeholder for. */
    hashed: (rolled: number, open: number) => {
      const parts = [
        rolled > 0 && `The machine classes of ${count(rolled, "pool")} get another hash, and with the hash another name.`,
        open > 0 && `The machine classes of ${count(open, "pool")} may get another hash, and with the hash another name.`,
      ].filter((part) => part !== false);
      return [...parts, "The preview has a placeholder for the hash."].join(" ");
    },
    updated: (pools: number) => `The nodes of ${count(pools, "pool")} are updated in place.`,
    /** How many objects an edit changes, and of how many workloads the pods start anew. */
    changes: (added: number, changed: number, removed: number, restarts: number) => {
      const parts = [
        changed > 0 && `${numbers.format(changed)} changed`,
        added > 0 && `${numbers.format(added)} added`,
        removed > 0 && `${numbers.format(removed)} removed`,
      ].filter((part) => part);
      const pods = restarts === 0 ? "No pod template changes." : `The pods of ${count(restarts, "workload")} start anew.`;
      return `Objects: ${parts.join(", ")}. ${pods}`;
    },
    /** Which cluster the objects of a managed resource belong to. */
    cluster: (of: string | undefined) => (of === "seed" ? "in the seed" : "in the shoot"),
    state: { same: "unchanged", added: "added", removed: "removed", changed: "changed" } satisfies Record<
      ManifestState,
      string
    > as Record<ManifestState, string>,
    restarts: "restarts",
    restart: "Its pods start anew: the pod template changes.",
    /** What stands in the place of the version of an object that is none of Kubernetes yet. */
    deployment: "The extension makes a MachineDeployment of it.",
    namespace: (name: string) => `namespace \`${name}\``,
    text: (kind: string, name: string) => `${kind} ${name} as YAML`,
    copy: "Copy",
    copyLabel: (kind: string, name: string) => `Copy ${kind} ${name}`,
    copied: "Copied",
    copyFailed: "The browser did not let the page copy. Click into the text, and press Ctrl-A and Ctrl-C.",
    /** What is heard before a line. */
    line: { same: "", added: "Added: ", removed: "Removed: " } satisfies Record<ManifestLine["state"], string> as Record<
      ManifestLine["state"],
      string
    >,
    unfold: (lines: number) => `Show ${count(lines, "unchanged line")}`,
  },
  plan: {
    graph: (resources: number, changes: number) =>
      `What there will be: ${count(resources, "resource")}, ${changes > 0 ? count(changes, "change") : "no changes"}`,
    keys: "Arrow keys move from resource to resource, right to what stands on it. Enter selects.",
    legend: "Legend",
    /** What becomes of a resource. */
    action: { ...ACTIONS, none: "unchanged" } satisfies Record<Action | "none", string> as Record<Action | "none", string>,
    /** How many changes there are of an action. */
    counted: (action: Action, number: number) => `${numbers.format(number)} ${ACTIONS[action]}`,
    state: { waiting: "waiting", running: "running", done: "done", failed: "failed" } satisfies Record<
      StepState,
      string
    > as Record<StepState, string>,
    foreign: "not ours",
    billed: "billed",
    disrupts: "disrupts",
    needs: (kinds: string[]) => `stands on ${kinds.join(", ")}`,
    zoomIn: "Larger",
    zoomOut: "Smaller",
    fit: "Fit",
    table: "As a table",
    caption: "Resources of the plan",
    kind: "Kind",
    name: "Name",
    change: "Change",
    standsOn: "Stands on",
    notes: "Notes",
    changes: "What changes",
    none: "Nothing changes.",
    left: (notes: number) => `Nothing is changed: ${count(notes, "difference is", "differences are")} left as found.`,
    gone: "Recorded, but gone",
    bill: "Billed by the hour",
    bills: (kind: string, before: number, after: number) =>
      `${sentence(kind)}: ${before === after ? `\`${after}\`` : `\`${before}\` → \`${after}\``}`,
    disruptions: "Disruptions",
    differences: "Left as it is",
    difference: (attribute: string, found: string | undefined, wanted: string | undefined) =>
      `\`${attribute}\` is ${found === undefined ? "not set" : `\`${found}\``}` +
      (wanted === undefined ? "" : `, and should be \`${wanted}\``),
    details: (attributes: number, calls: number) =>
      [attributes > 0 && count(attributes, "attribute"), calls > 0 && count(calls, "call")]
        .filter((part) => part)
        .join(", "),
    attributes: (kind: string, name: string) => `Attributes of ${kind} ${name}`,
    attribute: "Attribute",
    forces: "forces replacement",
    before: "Now",
    after: "Then",
    absent: "not set",
    unknown: "known when it is there",
    calls: "Calls",
    more: (number: number, total: number) => `Show ${numbers.format(number)} more of ${count(total, "change")}`,
  },
  rollout: {
    label: "Nodes",
    none: "The Shoot has no worker pools.",
    unchanged: "No node changes.",
    /** How many pools have nodes that roll, and so on. `resized`: pools whose number of nodes or zones change alone; `open`: those that may roll. */
    summary: (rolled: number, removed: number, updated: number, added: number, resized: number, open: number) => {
      const parts = [
        rolled > 0 && `the nodes of ${count(rolled, "pool")} roll`,
        open > 0 && `the nodes of ${count(open, "pool")} may roll`,
        removed > 0 && `${count(removed, "pool")} ${removed === 1 ? "goes" : "go"}`,
        updated > 0 && `the nodes of ${count(updated, "pool")} are updated in place`,
        added > 0 && `${count(added, "pool")} ${added === 1 ? "is" : "are"} new`,
        resized > 0 && `${count(resized, "pool")} ${resized === 1 ? "has" : "have"} other numbers of nodes or other zones`,
      ].filter((part) => part !== false);
      return `${sentence(parts.join(", "))}.`;
    },
    /** What a Shoot does that sleeps before an edit or after it; `changed`: pools of which the edit changes more. */
    hibernates: (hibernation: Hibernation, changed: number, removed: number, added: number) => {
      const first: Record<Hibernation, string> = {
        fallsAsleep: "The Shoot falls asleep: all its nodes go.",
        wakesUp: "The Shoot wakes up: it gets new nodes.",
        sleeps: "The Shoot sleeps: it has no nodes, before the edit and after it.",
      };
      const parts = [
        removed > 0 && `${count(removed, "pool")} ${removed === 1 ? "goes" : "go"}`,
        added > 0 && `${count(added, "pool")} ${added === 1 ? "is" : "are"} new`,
        changed > 0 && `what changes of ${count(changed, "pool")} holds for the nodes that the Shoot gets when it wakes up`,
      ].filter((part) => part !== false);
      return [first[hibernation], ...(parts.length > 0 ? [`${sentence(parts.join(", "))}.`] : [])].join(" ");
    },
    disrupts: "This disrupts: the pods of a node that is replaced or goes have to move to another node.",
    mayDisrupt: "This may disrupt: where the nodes of a pool roll, their pods have to move to another node.",
    stops: "This disrupts: no pod runs on nodes as long as the Shoot sleeps.",
    mayRoll: "may roll",
    otherZones: "other zones",
    /** A pool of which only the cluster knows which hash it has. `summary` holds where `isRolled` with the new one, else with the old. */
    open: (name: string, isRolled: boolean, summary: string) =>
      isRolled
        ? `If pool \`${name}\` has the new hash, ${summary}. If pool \`${name}\` has the old hash, none of its nodes is replaced.`
        : `If pool \`${name}\` has the old hash, its nodes roll. If pool \`${name}\` has the new hash, ${summary}.`,
    /** How many nodes certainly go in which zones. */
    going: (going: Going[]) => {
      const parts = going.map(({ zone, certain, most }) => {
        const nodes = `${between(certain, most)} ${most === 1 ? "node" : "nodes"}`;
        return zone === "" ? nodes : `${nodes} in zone \`${zone}\``;
      });
      const isOne = going.length === 1 && going[0]?.most === 1;
      const all = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : (parts[0] ?? "");
      return `${all} ${isOne ? "goes" : "go"}`;
    },
    /** What an edit does to the nodes of a pool. */
    change: {
      unchanged: "nodes stay",
      resized: "other size",
      rolled: "nodes roll",
      updatedInPlace: "updated in place",
      added: "new",
      removed: "goes",
      fallsAsleep: "falls asleep",
      wakesUp: "wakes up",
      sleeps: "when it wakes up",
    } satisfies Record<NodeChange | Hibernation, string> as Record<NodeChange | Hibernation, string>,
    causes: (number: number) => (number === 1 ? "Cause:" : "Causes:"),
    cause: (field: string) => `Go to ${field}`,
    zone: (name: string) => `zone \`${name}\``,
    /** How many nodes become this. */
    nodes: (state: NodeState, certain: number, most: number) => {
      const number = certain === 0 && most > 0 ? `up to ${numbers.format(most)}` : between(certain, most);
      return `${number} ${NODES[state]}`;
    },
    noNodes: "no nodes",
    undecided: "Only the cluster knows",
  },
  zones: {
    label: "Add a zone",
    name: "Zone",
    size: "Size",
    option: (length: number, size: bigint) => `/${length} · ${count(size, "address", "addresses")}`,
    add: "Add zone",
    none: "There is no room for another zone: make the range of the nodes or of the network larger, or a zone smaller.",
    planned: (name: string | undefined, cidr: string, first: string, last: string) =>
      `${name ? `\`${name}\`` : "The zone"} gets \`${cidr}\`: \`${first}\` – \`${last}\``,
    busy: "Looking for room…",
  },
};

/** What the components say. */
export type TrellisStrings = typeof ENGLISH;

/** Words of an application's own, for some of what the components say. */
export type PartialStrings = { [Part in keyof TrellisStrings]?: Partial<TrellisStrings[Part]> };

/** Where components find their words; `provideStrings` is the easy way to give them. */
export const TRELLIS_STRINGS: InjectionKey<TrellisStrings> = Symbol("trellis strings");

/** All the words, English where an application has none of its own. */
export function withStrings(own: PartialStrings): TrellisStrings {
  const parts = Object.entries(ENGLISH).map(([part, words]) => [part, { ...words, ...own[part as keyof TrellisStrings] }]);
  return Object.fromEntries(parts) as TrellisStrings;
}

/** Gives words of its own to the components below the one whose `setup` calls this. For all: `app.provide`. */
export function provideStrings(own: PartialStrings): void {
  provide(TRELLIS_STRINGS, withStrings(own));
}

/** What a component says, for use in its `setup`. */
export function useStrings(): TrellisStrings {
  return inject(TRELLIS_STRINGS, ENGLISH);
}
