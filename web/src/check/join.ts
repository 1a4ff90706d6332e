/** One answer of several policies about one object. */

import type { DefaultChange, ErrorAnswer, Rule, Scope, Severity, Undecided, ValidateAnswer } from "../documents.js";
import type { PlacedFinding } from "./finding.js";
import { inOrder } from "./order.js";

/** The name of the policy that has Gardener's own rules, which is no provider type. */
export const GARDENER = "gardener";

/** What a policy says of its rules, by their ids. */
export type RuleTable = ReadonlyMap<string, Pick<Rule, "doubles">>;

/** Something with the name of the policy that says it: `gardener`, or the provider. */
export type Sourced<T> = T & { source?: string };

/** What policies say of an object. */
export interface Ruling {
  /** Absent where a policy could not judge: `error` says why. */
  verdict?: ValidateAnswer["verdict"];
  /** Whose rules the verdict covers; absent where there is none. */
  scope?: Scope;
  /** In the order of the document. */
  findings: PlacedFinding[];
  /** The severities of which there are more findings than these; absent where there are none. */
  truncated?: Severity[];
  undecided: Sourced<Undecided>[];
  /** Defaults that were set before the rules were asked. */
  changes: Sourced<DefaultChange>[];
  error?: ErrorAnswer["error"];
}

/** What one policy says of an object. */
export interface Opinion extends Ruling {
  source: string;
  rules: RuleTable;
  /** Whether a default could not be decided. */
  lacksDefaults: boolean;
}

/** Joins what policies say of an object, given as JSON text. `missing` names rules that nobody asked. */
export function join(opinions: Opinion[], json: string, missing: string[] = []): Ruling {
  const findings = inOrder(withoutDoubles(opinions.flatMap((opinion) => opinion.findings), opinions), JSON.parse(json));
  const undecided = once(withoutDoubleQuestions(opinions));
  const changes = opinions.flatMap((opinion) => opinion.changes);
  const failed = opinions.filter(({ error }) => error !== undefined);
  // What one policy cannot read, another one may have told of at its place.
  const isTold = ({ error }: Opinion): boolean =>
    findings.some(({ severity, pointer }) => severity === "error" && pointer === (error?.pointer ?? ""));
  const error = failed.find((opinion) => !isTold(opinion))?.error;
  const truncated = [...new Set(opinions.flatMap((opinion) => opinion.truncated ?? []))];
  const ruling = { findings, ...(truncated.length > 0 && { truncated }), undecided, changes };
  if (error) return { ...ruling, error };
  const unread = failed.map(({ source }) => `${rulesOf(source)}, which need an object that can be read`);
  return { ...ruling, verdict: verdictOf(findings, opinions), scope: scopeOf(opinions, [...missing, ...unread]) };
}

/** The rules of a policy, as a scope names those that nobody checked. */
export function rulesOf(source: string): string {
  return source === GARDENER ? GARDENER : `${source}'s rules`;
}

function verdictOf(findings: PlacedFinding[], opinions: Opinion[]): ValidateAnswer["verdict"] {
  const isRejected = opinions.some(({ verdict }) => verdict === "reject");
  if (isRejected || findings.some(({ severity }) => severity === "error")) return "reject";
  const isOpen = opinions.some(({ verdict, lacksDefaults }) => verdict === "undecided" || lacksDefaults);
  return isOpen ? "undecided" : "accept";
}

function scopeOf(opinions: Opinion[], missing: string[]): Scope {
  const scopes = opinions.flatMap(({ scope }) => scope ?? []);
  const isAsked = opinions.some(({ source, scope }) => source === GARDENER && scope !== undefined);
  const all = (of: (scope: Scope) => string[] | undefined): string[] => [...new Set(scopes.flatMap((scope) => of(scope) ?? []))];
  const parts = all((scope) => scope.parts);
  // What a provider's policy leaves out of an object is said before the long list of Gardener's.
  const others = [...opinions].reverse().flatMap(({ scope }) => scope?.notChecked ?? []);
  const left = others.filter((other) => other !== GARDENER || !isAsked);
  return {
    checked: all((scope) => scope.checked),
    ...(parts.length > 0 && { parts }),
    notChecked: [...new Set([...missing, ...left])],
  };
}

/** Leaves out what Gardener's rules find where a provider's finding says the same, and no less. */
function withoutDoubles(findings: PlacedFinding[], opinions: Opinion[]): PlacedFinding[] {
  const doubles = doublesOf(opinions);
  const isDouble = ({ source, rule = "", pointer, severity }: PlacedFinding): boolean =>
    source === GARDENER &&
    findings.some(
      (other) =>
        other.source !== GARDENER &&
        other.pointer === pointer &&
        (other.severity === "error" || severity === "warning") &&
        doubles(other).includes(rule),
    );
  return findings.filter((finding) => !isDouble(finding));
}

function withoutDoubleQuestions(opinions: Opinion[]): Sourced<Undecided>[] {
  const doubles = doublesOf(opinions);
  const all = opinions.flatMap(({ undecided }) => undecided);
  const said = new Set(all.filter(({ source }) => source !== GARDENER).flatMap(doubles));
  return all.filter(({ source, rule }) => source !== GARDENER || !said.has(rule));
}

/** The rules of Gardener that the rule of a finding repeats. */
function doublesOf(opinions: Opinion[]): (of: { source?: string; rule?: string }) => string[] {
  const tables = new Map(opinions.map(({ source, rules }) => [source, rules]));
  return ({ source = "", rule = "" }) => tables.get(source)?.get(rule)?.doubles ?? [];
}

function once(undecided: Sourced<Undecided>[]): Sourced<Undecided>[] {
  const isFirst = ({ rule, why }: Undecided, at: number): boolean =>
    undecided.findIndex((other) => other.rule === rule && other.why === why) === at;
  return undecided.filter(isFirst);
}
