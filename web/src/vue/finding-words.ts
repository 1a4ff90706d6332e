/** What the components say of findings. Words between backticks are shown as code. */

import type { Skipped } from "../checker/interface.js";
import { sinceWords } from "../detail.js";
import type { Severity, Verdict } from "../documents.js";
import { type Judged, notChecked, whoseRules } from "./coverage.js";
import type { Needed } from "./findings.js";
import { count, numbers, sentence } from "./numbers.js";

/** Kinds of Gardener's core API. */
const GARDENERS = ["BackupBucket", "CloudProfile", "NamespacedCloudProfile", "SecretBinding", "Seed", "Shoot"];
/** The group of the objects of seeds, and its kinds that `trellis plan` takes. */
const EXTENSIONS = "extensions.gardener.cloud/";
const PLANNED = ["BackupBucket", "BackupEntry", "Bastion", "DNSRecord", "Infrastructure"];

/** What else to say of an object of a kind and a version that no policy judges. */
function besides(kind: string, apiVersion: string): string {
  if (apiVersion.startsWith(EXTENSIONS)) return PLANNED.includes(kind) ? " No rules judge objects of seeds; `trellis plan` shows what becomes of them in the cloud." : "";
  return GARDENERS.includes(kind) && !apiVersion.startsWith("core.gardener.cloud/") ? " That of Gardener has `apiVersion: core.gardener.cloud/v1beta1`." : "";
}

/** An object that a rule needs, its name between backticks unless others are given. */
function nameOfNeeded({ kind, namespace, name }: Needed, quote = "`"): string {
  return `${kind} ${quote}${namespace === "" ? "" : `${namespace}/`}${name}${quote}`;
}

type WhySkipped = (found: string, apiVersion: string | undefined, meant?: string) => string;

/** In English. */
export const findings = {
  label: "Findings",
  severity: { error: "Errors", warning: "Warnings" } satisfies Record<Severity, string> as Record<Severity, string>,
  undecided: "Undecided here",
  undecidedNote: "These rules need something that is not here; an undecided object is not accepted before they are decided.",
  asks: (service: string, action: string, needed?: Needed) =>
    needed ? `To decide it here, give the ${nameOfNeeded(needed)}.` : `The cloud says it: \`${service}\` \`${action}\`.`,
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
  object: (kind: string, name: string) => `${kind} ${name}`,
  /** `generateName`: of which the API server makes a name. */
  nameless: (kind: string, generateName: string | undefined, line: number) => `${kind}${generateName ? ` ${generateName}…` : ""} in line ${line}`,
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
  /** Why an object is not judged, by what there is instead of what policies judge. `meant`: the provider that most likely is meant. */
  skipped: {
    kind: (found, apiVersion) =>
      (found.endsWith("List") ? `A \`${found}\` stands for its \`items\`, and this one has none.` : `No policy here judges ${found ? `a \`${found}\`${apiVersion ? ` of \`${apiVersion}\`` : ""}` : "an object without a kind"}.`) +
      (apiVersion === undefined ? "" : besides(found, apiVersion)),
    provider: (found, _, meant) =>
      meant === undefined ? `${found} is not supported yet: none of its rules was asked of the object.` : `Trellis has no rules of ${found}: did you mean \`${meant}\`? No rule of a provider was asked of the object.`,
    unnamed: (found) =>
      found === "Secret"
        ? "Neither a binding nor a label says which provider the `Secret` is for, so no rule was asked of it alone."
        : `The ${found ? `\`${found}\`` : "object"} names no provider. Set \`spec.provider.type\`.`,
    twice: (line) => `Line ${line} has another object of the same kind, namespace and name, so no rule was asked of this one.`,
    copy: (line) => `The same object stands in line ${line}, and counts once.`,
    unreadable: (found) =>
      `The text is no object${found ? `, but a ${found}` : ""}, so no rule was asked.`,
  } satisfies Record<Skipped["because"], WhySkipped> as Record<Skipped["because"], WhySkipped>,
  failed: (code: string, message: string) => {
    const next: Record<string, string> = {
      PolicyTrapped: "The policy crashed on this object. It has been started again, and the next change is checked again.",
      DeadlineExceeded: "The check took too long and was ended. The next change is checked again.",
      WorkerFailed: "The check ended unexpectedly. The next change is checked again.",
      PolicyUnavailable: "The policy could not be loaded. The next change tries again.",
    };
    return `${next[code] ?? "The policy could not judge the object."} \`${code}\`: ${message}`;
  },
};
