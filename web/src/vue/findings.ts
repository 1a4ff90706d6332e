/** What a panel says of the documents of a text, in the order in which it says it. */

import type { ReviewedDocument, ReviewedFinding } from "../checker/interface.js";
import type { Severity, Undecided, Verdict } from "../documents.js";
import { choicesOf } from "../check/fix.js";
import { followersOf, unfolded } from "../check/fold.js";
import { detailOf, placeOf } from "../detail.js";
import type { Problem } from "../yaml/index.js";
import { findings as english } from "./finding-words.js";
import type { TrellisStrings } from "./strings.js";

/** A finding, or what is wrong with the text itself. */
export interface Row {
  /** Stays the same while the text changes elsewhere. */
  key: string;
  document: ReviewedDocument;
  source: { finding: ReviewedFinding } | { problem: Problem };
  rule: string | undefined;
  /** Whose rule it is. */
  origin: string | undefined;
  /** What stands in the place of the rule. */
  badge: string | undefined;
  place: string;
  line: number | undefined;
  detail: string;
  remedy: string;
  setBy: string | undefined;
  /** Which releases of Gardener say so, where not all do. */
  since: string | undefined;
  /** All supported values, where there are many. */
  supported: string[];
  /** What follows from it, a line each. */
  followers: string[];
  isFixable: boolean;
  /** Values to choose from, and the finding with the fix that puts one of them in its place. */
  choices: { value: string; finding: ReviewedFinding }[];
  /** Whether its rule holds for updates alone. */
  isOfUpdate: boolean;
}

/** Rows of one document. */
export interface Group<T> {
  document: ReviewedDocument;
  rows: T[];
}

/** Rows by severity, and how many there are. */
export interface Section<T> {
  groups: Group<T>[];
  count: number;
}

type Strings = TrellisStrings["findings"];

export interface Findings {
  error: Section<Row>;
  warning: Section<Row>;
  undecided: Section<Undecided & { key: string }>;
}

/** Sorts what was found by severity and document. */
export function sorted(documents: ReviewedDocument[], strings: Strings): Findings {
  const found: Findings = { error: empty(), warning: empty(), undecided: empty() };
  for (const [number, document] of documents.entries()) {
    const seen = new Map<string, number>();
    const unique = (key: string) => {
      const times = seen.get(key) ?? 0;
      seen.set(key, times + 1);
      return `${number} ${key} ${times}`;
    };
    const rows: Record<Severity, Row[]> = { error: [], warning: [] };
    for (const problem of document.problems) {
      rows.error.push(ofProblem(document, problem, unique(problem.message), strings));
    }
    const error = document.ruling?.error;
    if (error) {
      const { from, to } = document.ruling?.range ?? document.head;
      const problem = { from, to, message: strings.failed(error.code, error.message), remedy: "", readable: true };
      const line = document.ruling?.line;
      rows.error.push({ ...ofProblem(document, { ...problem, ...(line && { line }) }, unique(error.message), strings), place: strings.root, badge: undefined });
    }
    for (const finding of unfolded(document.ruling?.findings ?? [])) {
      const { rule = "", pointer, detail, severity } = finding;
      const key = unique(`${rule} ${pointer} ${detail}`);
      rows[severity].push(ofFinding(document, finding, key, strings));
    }
    add(found.error, document, rows.error);
    add(found.warning, document, rows.warning);
    const undecided = document.ruling?.undecided ?? [];
    add(found.undecided, document, undecided.map((open) => ({ ...open, key: unique(`${open.rule} ${open.why}`) })));
  }
  return found;
}

function empty<T>(): Section<T> {
  return { groups: [], count: 0 };
}

function add<T>(section: Section<T>, document: ReviewedDocument, rows: T[]): void {
  if (rows.length > 0) section.groups.push({ document, rows });
  section.count += rows.length;
}

function ofProblem(document: ReviewedDocument, problem: Problem, key: string, strings: Strings): Row {
  const { message, remedy } = problem;
  return {
    key,
    document,
    source: { problem },
    rule: undefined,
    origin: undefined,
    badge: strings.yaml,
    place: strings.text,
    line: problem.line,
    detail: message,
    remedy,
    setBy: undefined,
    since: undefined,
    isFixable: false,
    supported: [],
    followers: [],
    choices: [],
    isOfUpdate: false,
  };
}

function ofFinding(
  document: ReviewedDocument,
  finding: ReviewedFinding,
  key: string,
  strings: Strings,
): Row {
  const { rule, line, remedy, setBy, isFixable, isChoosable, isOfUpdate, supported = [] } = finding;
  const place = placeOf(finding) || strings.root;
  const detail = detailOf(finding);
  const reason = setBy && strings.setBy(setBy.reason);
  // A ruling without a verdict says why the object is not judged.
  const badge = rule === undefined && document.ruling?.verdict !== undefined ? strings.defaults : undefined;
  const choices = isChoosable
    ? choicesOf(finding).map(({ value, fix }) => ({ value, finding: { ...finding, fix, isFixable: true } }))
    : [];
  const origin = finding.source === undefined ? undefined : strings.origin(finding.source);
  const followers = followersOf(finding, document.ruling?.findings ?? []).map((one) => {
    const id = one.rule === undefined ? "" : ` [${one.rule}]`;
    return `${placeOf(one) || strings.root}: ${detailOf(one)}${id}`;
  });
  const since = finding.since && strings.since(finding.since);
  const words = { place, line, detail, remedy, setBy: reason, since, supported, followers };
  return { key, document, source: { finding }, rule, origin, badge, ...words, isFixable, choices, isOfUpdate };
}

/** The first rows of groups. */
export function firstOf<T>(groups: Group<T>[], limit: number): Group<T>[] {
  let room = limit;
  const shown: Group<T>[] = [];
  for (const { document, rows } of groups) {
    if (room <= 0) break;
    shown.push({ document, rows: rows.slice(0, room) });
    room -= rows.length;
  }
  return shown;
}

/** A document as people call it among others. One without a name has its line, because others may look the same. */
export function titleOf({ kind, namespace, name, generateName, line }: ReviewedDocument, strings: Strings = english): string {
  if (kind === undefined) return strings.document(line);
  const within = (own: string): string => (namespace === undefined ? own : `${namespace}/${own}`);
  return name ? strings.object(kind, within(name)) : strings.nameless(kind, generateName && within(generateName), line);
}

/** What has become of a document, in a sentence; `isBrief`: without whose rules accept it, and what nobody checked. */
export function ruledOf(document: ReviewedDocument, strings: Strings, isBrief = false): { verdict: Verdict | "partial" | "none"; sentence: string } {
  const { ruling, skipped, problems, isPreliminary = false, gardenerError } = document;
  const lost = gardenerError === undefined ? [] : [strings.gardenerFailed(gardenerError)];
  if (ruling?.error) return { verdict: "none", sentence: strings.failed(ruling.error.code, ruling.error.message) };
  if (ruling?.verdict) {
    const found = unfolded(ruling.findings);
    const errors = found.filter(({ severity }) => severity === "error").length;
    const warnings = found.length - errors;
    const summary = strings.summary(errors, warnings, ruling.undecided.length);
    if (problems.length > 0) return { verdict: "none", sentence: strings.disorder(problems.length, summary) };
    const ruled = strings.ruled(ruling.verdict, { provider: document.provider, scope: ruling.scope }, summary, isPreliminary);
    const isSaid = isBrief && ruling.verdict === "accept";
    const isLeft = document.leftTo !== undefined && errors === 0;
    const sentence = [...(isSaid ? [] : [isLeft ? strings.leftTo(document.leftTo ?? "") : ruled]), ...(ruling.truncated ? [strings.truncated(ruling.truncated)] : []), ...lost].join(" ");
    const why = skipped ? ` ${strings.skipped[skipped.because](skipped.found, document.apiVersion, skipped.meant?.provider)}` : "";
    // Who accepts an object by the rules of Gardener or its provider alone has not accepted it.
    const isPart = ruling.verdict === "accept" && (skipped !== undefined || isPreliminary || gardenerError !== undefined);
    return { verdict: isPart ? "partial" : ruling.verdict, sentence: `${sentence}${why}`.trim() };
  }
  if (!skipped || problems.some(({ readable }) => !readable)) return { verdict: "none", sentence: strings.unreadable };
  const why = strings.skipped[skipped.because](skipped.found, document.apiVersion, skipped.meant?.provider);
  return { verdict: "none", sentence: [why, ...(isPreliminary ? [strings.pending] : lost)].join(" ") };
}

export { type Needed, neededBy } from "../sentence.js";
