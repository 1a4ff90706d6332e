/** What is to be said first of a text: whether it is accepted, and by whose rules. */

import { type Review, type ReviewedDocument, unfolded } from "trellis-policy/checker";
import type { Range } from "trellis-policy/yaml";
import { notChecked, upgradeWords, whoseRules } from "trellis-policy/vue";
import { strings } from "../strings.js";
import { strangeVersion } from "./garden.js";
import { isError, leftOut } from "./others.js";

export interface Headline {
  kind: "accept" | "reject" | "undecided" | "none";
  /** The verdict and its numbers. */
  text: string;
  /** What the verdict does not say, and what it was compared with. */
  notes: string[];
  /** Whose rules were asked, and what nobody checked, in sentences that may be long. */
  scope?: string[];
}

/** The errors of a document: of its text, of its policy, and of its rules. The tabs of plans and manifests show what these lack. */
function errorsOf({ problems, ruling }: ReviewedDocument): number {
  const errors = unfolded(ruling?.findings ?? []).filter(({ severity }) => severity === "error").length;
  return errors + problems.length + (ruling?.error ? 1 : 0);
}

/** What a review was asked, besides the texts. */
interface Asked {
  gardenerVersion?: string | undefined;
  kubernetes?: string | undefined;
}

/** The verdict of all documents together: the worst of each. */
export function headlineOf({ documents: all, old, context }: Review, { gardenerVersion, kubernetes }: Asked = {}): Headline | undefined {
  // A copy of another object counts as that one.
  const documents = all.filter(({ skipped }) => skipped?.because !== "copy");
  if (documents.length === 0) return undefined;
  const rulings = documents.flatMap(({ ruling }) => ruling ?? []);
  const found = rulings.flatMap(({ findings }) => unfolded(findings));
  const warnings = found.filter(({ severity }) => severity === "warning").length;
  const errors = documents.reduce((sum, document) => sum + errorsOf(document), 0);
  const others = [{ name: strings.before, problems: old.filter(isError) }, { name: strings.context, problems: context.filter(isError) }].filter(({ problems }) => problems.length > 0);
  const lacking = others.filter(({ problems }) => leftOut(problems).length > 0);
  const asTheyAre = others.filter((other) => !lacking.includes(other));
  const isPreliminary = documents.some((document) => document.isPreliminary);
  const lost = new Set(documents.flatMap(({ gardenerError }) => gardenerError ?? []));
  const notes = [
    ...[...lost].map(strings.gardenerFailed),
    ...documents.flatMap(({ upgrade }) => (upgrade ? [upgradeWords(upgrade)] : [])),
    ...(kubernetes !== undefined && !isPreliminary && documents.some(hasNoVersion) ? [strings.notUpgraded(kubernetes)] : []),
    ...(documents.some(({ isOfApplied }) => isOfApplied) ? [strings.judgedAgainstApplied] : []),
    ...(documents.some(({ isOfItself }) => isOfItself) ? [strings.judgedOfItself] : []),
    ...(documents.some(({ isApplied }) => isApplied) ? [strings.judgedAsApplied] : []),
    ...unsupported(documents),
    ...[strangeVersion(gardenerVersion)].filter((note) => note !== ""),
    ...(lacking.length > 0 ? [strings.leftOut(lacking.map(({ name }) => name))] : []),
    ...asTheyAre.map(({ name }) => strings.asItIs(name)),
  ];
  const judging = documents.flatMap(({ provider, ruling }) => (ruling?.verdict === undefined ? [] : [{ provider, scope: ruling.scope }]));
  const pending = notChecked([], isPreliminary);
  const scopeOf = (by: typeof judging): Pick<Headline, "scope"> =>
    by.length === 0 ? {} : { scope: [strings.checkedBy(whoseRules(by)), ...notChecked(by, isPreliminary).slice(pending.length)] };
  if (errors > 0) {
    const fixes = found.filter(({ severity, isFixable }) => severity === "error" && isFixable).length;
    // A text with errors of its own, or a policy that failed, was not judged.
    const isRejected = rulings.some(({ verdict }) => verdict === "reject");
    const judged = documents.filter(({ ruling, problems }) => ruling?.verdict !== undefined && problems.length === 0).length;
    const first = isRejected ? strings.rejectedFirst : strings.judgedOf(judged, documents.length);
    return { kind: isRejected ? "reject" : "none", text: strings.rejected(first, errors, isCut(documents), warnings, fixes, rulings.some(({ untried }) => untried !== undefined)), notes: [...pending, ...notes], ...scopeOf(judging) };
  }
  const undecided = rulings.reduce((sum, ruling) => sum + ruling.undecided.length, 0);
  if (rulings.some(({ verdict }) => verdict === "undecided")) {
    return { kind: "undecided", text: strings.undecided(undecided), notes: [...pending, ...notes], ...scopeOf(judging) };
  }
  const accepted = documents.filter(({ ruling }) => ruling?.verdict === "accept");
  const unjudged = documents.filter(({ ruling }) => ruling === undefined).length;
  if (accepted.length === 0) return { kind: "none", text: strings.notJudged, notes: [...pending, ...notes] };
  const by = accepted.map(({ provider, ruling }) => ({ provider, scope: ruling?.scope }));
  // What some rules accept that were asked, and others were not, is not accepted.
  const isPart = isPreliminary || lost.size > 0 || documents.some(({ skipped }) => skipped !== undefined);
  const isWhole = others.length === 0 && !isPart;
  const first = unjudged > 0 ? [strings.unjudged(unjudged)] : [];
  const text = strings.noErrors(warnings, accepted.length, documents.length);
  return { kind: isWhole ? "accept" : "none", text, notes: [...first, ...pending, ...notes], ...scopeOf(by) };
}

/** Whether a Shoot was judged, and not as an upgrade that was asked for, because its version of Kubernetes is none. */
function hasNoVersion({ kind, ruling, upgrade }: ReviewedDocument): boolean {
  return kind === "Shoot" && upgrade === undefined && ruling?.findings.some(({ pointer }) => pointer === "/spec/kubernetes/version") === true;
}

/** Whether a report lists fewer errors than there are. */
export function isCut(documents: ReviewedDocument[]): boolean {
  return documents.some(({ ruling }) => ruling?.truncated?.includes("error"));
}

/** The providers without a policy. What is said of a misspelt one stands below, with what fixes it, and counts for all that name it. */
function unsupported(documents: ReviewedDocument[]): string[] {
  const found = documents.flatMap(({ skipped }) => (skipped?.because === "provider" ? [skipped] : []));
  const misspelt = new Set(found.filter(({ meant }) => meant).map(({ found }) => found));
  return [...new Set(found.map(({ found }) => found))].filter((name) => !misspelt.has(name)).map(strings.unsupported);
}

/** Where the first error of a text stands. */
export function firstError(documents: ReviewedDocument[]): Range | undefined {
  const places = documents.flatMap(({ problems, ruling }) => [
    ...problems,
    ...unfolded(ruling?.findings ?? []).flatMap(({ severity, range }) => (severity === "error" && range ? [range] : [])),
  ]);
  return places.sort((a, b) => a.from - b.from)[0];
}
