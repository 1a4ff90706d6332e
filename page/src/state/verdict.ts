/** What is to be said first of a text: whether it is accepted, and by whose rules. */

import { type Review, type ReviewedDocument, unfolded } from "trellis-policy/checker";
import type { Range } from "trellis-policy/yaml";
import { notChecked, upgradeWords, whoseRules } from "trellis-policy/vue";
import { strings } from "../strings.js";

export interface Headline {
  kind: "accept" | "reject" | "undecided" | "none";
  /** The verdict and its numbers. */
  text: string;
  /** What the verdict does not say, and what it was compared with. */
  notes: string[];
  /** Whose rules were asked, and what nobody checked, in sentences that may be long. */
  scope?: string[];
}

/** The errors of a document: of its text, of its policy, and of its rules. What a plan or manifests lack is told in their tabs. */
function errorsOf({ problems, ruling }: ReviewedDocument): number {
  const errors = unfolded(ruling?.findings ?? []).filter(({ severity }) => severity === "error").length;
  return errors + problems.length + (ruling?.error ? 1 : 0);
}

/** The verdict of all documents together: the worst of each. */
export function headlineOf({ documents, old, context }: Review): Headline | undefined {
  if (documents.length === 0) return undefined;
  const rulings = documents.flatMap(({ ruling }) => ruling ?? []);
  const errors = documents.reduce((sum, document) => sum + errorsOf(document), 0);
  const unread = [old.length > 0 ? strings.before : "", context.length > 0 ? strings.context : ""].filter((name) => name !== "");
  const isPreliminary = documents.some((document) => document.isPreliminary);
  const lost = new Set(documents.flatMap(({ gardenerError }) => gardenerError ?? []));
  const notes = [
    ...[...lost].map(strings.gardenerFailed),
    ...documents.flatMap(({ upgrade }) => (upgrade ? [upgradeWords(upgrade)] : [])),
    ...(documents.some(({ isOfApplied }) => isOfApplied) ? [strings.judgedAgainstApplied] : []),
    ...(documents.some(({ isOfItself }) => isOfItself) ? [strings.judgedOfItself] : []),
    ...(documents.some(({ isApplied }) => isApplied) ? [strings.judgedAsApplied] : []),
    ...unsupported(documents),
    ...(unread.length > 0 ? [strings.otherTexts(unread)] : []),
  ];
  const judging = documents.flatMap(({ provider, ruling }) => (ruling?.verdict === undefined ? [] : [{ provider, scope: ruling.scope }]));
  const pending = notChecked([], isPreliminary);
  const scopeOf = (by: typeof judging): Pick<Headline, "scope"> =>
    by.length === 0 ? {} : { scope: [strings.checkedBy(whoseRules(by)), ...notChecked(by, isPreliminary).slice(pending.length)] };
  if (errors > 0) {
    const fixes = rulings.flatMap(({ findings }) => unfolded(findings)).filter(({ severity, isFixable }) => severity === "error" && isFixable);
    // A text with errors of its own, or a policy that failed, was not judged.
    const isRejected = rulings.some(({ verdict }) => verdict === "reject");
    return { kind: isRejected ? "reject" : "none", text: strings.rejected(isRejected, errors, isCut(documents), fixes.length), notes: [...pending, ...notes], ...scopeOf(judging) };
  }
  const undecided = rulings.reduce((sum, ruling) => sum + ruling.undecided.length, 0);
  if (rulings.some(({ verdict }) => verdict === "undecided")) {
    return { kind: "undecided", text: strings.undecided(undecided), notes: [strings.undecidedNote, ...pending, ...notes], ...scopeOf(judging) };
  }
  const judged = documents.filter(({ ruling }) => ruling?.verdict === "accept");
  const unjudged = documents.filter(({ ruling }) => ruling === undefined).length;
  if (judged.length === 0) return { kind: "none", text: strings.notJudged, notes: [...pending, ...notes] };
  const by = judged.map(({ provider, ruling }) => ({ provider, scope: ruling?.scope }));
  const warnings = rulings.flatMap(({ findings }) => unfolded(findings)).length;
  // What some rules accept that were asked, and others were not, is not accepted.
  const isPart = isPreliminary || lost.size > 0 || documents.some(({ skipped }) => skipped !== undefined);
  const isWhole = unread.length === 0 && !isPart;
  const first = unjudged > 0 ? [strings.unjudged(unjudged)] : [];
  const text = strings.noErrors(warnings, judged.length, documents.length);
  return { kind: isWhole ? "accept" : "none", text, notes: [...first, ...pending, ...notes], ...scopeOf(by) };
}

/** Whether a report lists fewer errors than there are. */
export function isCut(documents: ReviewedDocument[]): boolean {
  return documents.some(({ ruling }) => ruling?.truncated?.includes("error"));
}

/** The providers without a policy. */
function unsupported(documents: ReviewedDocument[]): string[] {
  const found = documents.flatMap(({ skipped }) => (skipped?.because === "provider" ? [skipped.found] : []));
  return [...new Set(found)].map(strings.unsupported);
}

/** Where the first error of a text stands. */
export function firstError(documents: ReviewedDocument[]): Range | undefined {
  const places = documents.flatMap(({ problems, ruling }) => [
    ...problems,
    ...unfolded(ruling?.findings ?? []).flatMap(({ severity, range }) => (severity === "error" && range ? [range] : [])),
  ]);
  return places.sort((a, b) => a.from - b.from)[0];
}
