/** One answer of several policies about one object. */

import type { DefaultAnswer, DefaultChange, ErrorAnswer, JoinAnswer, Rule, Scope, Severity, Undecided, ValidateAnswer } from "../documents.js";
import { failure } from "../errors.js";
import { providers } from "../generated/providers.js";
import type { PlacedFinding } from "./finding.js";
import { nearest } from "./nearest.js";
import type { Soon } from "./policy.js";
import type { Said, World } from "./worlds.js";

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
  /** How many findings have no fix because nobody has tried theirs yet; absent where there are none. */
  untried?: number;
  undecided: Sourced<Undecided>[];
  /** Defaults that were set before the rules were asked. */
  changes: Sourced<DefaultChange>[];
  error?: ErrorAnswer["error"];
}

/** What one policy says of an object. */
export interface Opinion {
  source: string;
  rules: RuleTable;
  /** What `default` answered, without the object; absent where it was not asked. */
  default?: Pick<DefaultAnswer, "changes" | "undecided"> | ErrorAnswer;
  /** What `validate` answered; absent where it was not asked. */
  validate?: ValidateAnswer | ErrorAnswer;
}

/** Joins what policies say of an object, by the policy that answers `join`. `missing` names rules that no policy has. */
export async function join(said: Said, missing: string[], by?: (request: string) => Soon<JoinAnswer | ErrorAnswer>): Promise<Ruling> {
  const answer = by ? await by(requestOf(said, missing)) : alone(said.opinions, missing);
  if ("error" in answer) return { findings: [], undecided: [], changes: [], error: answer.error };
  const { failure: error, ...joined } = answer;
  const ruling = { ...joined, findings: raised(joined.findings), undecided: joined.undecided.map(withoutOption) };
  return error ? { ...ruling, error } : ruling;
}

/** A question in words that hold without a command line, whose option some policies name. */
function withoutOption<T extends Undecided>(open: T): T {
  return { ...open, why: open.why.replaceAll("with `--old`", "as the old object") };
}

/** The findings, with errors for warnings from which errors follow: below a warning, nobody looks for an error. */
function raised(findings: PlacedFinding[]): PlacedFinding[] {
  const causes = findings.flatMap(({ severity, causedBy }) => (severity === "error" && causedBy ? [causedBy] : []));
  const isCause = ({ rule, pointer }: PlacedFinding): boolean => causes.some((one) => one.rule === rule && one.pointer === pointer);
  return findings.map((finding) => (isCause(finding) ? { ...finding, severity: "error" } : finding));
}

/** The rules of a policy, as a scope names those that nobody checked. */
export function rulesOf(source: string): string {
  if (source === GARDENER) return GARDENER;
  const meant = providers.some((provider) => provider === source) ? undefined : nearest(source, providers);
  return `${source}'s rules${meant === undefined ? "" : ` (did you mean \`${meant}\`?)`}`;
}

function requestOf({ opinions, worlds, trials }: Said, missing: string[]): string {
  const of = (all: Opinion[]) => all.map(({ rules, ...opinion }) => ({ ...opinion, doubles: doublesOf(opinion, rules) }));
  const inWorld = (world: World) => ({ ...world, opinions: of(world.opinions) });
  return JSON.stringify({ opinions: of(opinions), missing, worlds: worlds.map(inWorld), trials: trials.map(inWorld) });
}

/** What rules of Gardener those rules of a policy repeat that say something. */
function doublesOf({ validate }: Omit<Opinion, "rules">, rules: RuleTable): Record<string, string[]> {
  if (!validate || "error" in validate) return {};
  const said = [...validate.findings, ...validate.undecided].map(({ rule }) => rule);
  return Object.fromEntries(said.flatMap((id) => (rules.get(id)?.doubles ? [[id, rules.get(id)?.doubles ?? []]] : [])));
}

/** What one policy says, where none can join it with others. */
function alone([opinion, ...others]: Opinion[], missing: string[]): JoinAnswer | ErrorAnswer {
  if (!opinion || others.length > 0) return failure("Malformed", "no policy answers `join`, which makes one answer of several");
  const { source, validate, default: defaults = NO_DEFAULTS } = opinion;
  if (!validate || "error" in validate) return validate ?? ("error" in defaults ? defaults : failure("Malformed", "no policy judged the object"));
  const { findings, truncated, undecided, scope = NO_SCOPE } = validate;
  const { changes, undecided: open } = "error" in defaults ? NO_DEFAULTS : defaults;
  const refusals = "error" in defaults ? [refusalOf(defaults.error)] : [];
  const verdict = refusals.length > 0 ? "reject" : validate.verdict;
  const signed = <T>(values: T[]): (T & { source: string })[] => values.map((value) => ({ ...value, source }));
  return {
    // Rules may reject an object that has a default which the policy could not decide.
    verdict: verdict === "accept" && open.length > 0 ? "undecided" : verdict,
    scope: { ...scope, notChecked: [...new Set([...missing, ...scope.notChecked])] },
    findings: signed([...refusals, ...findings]),
    ...(truncated && { truncated }),
    undecided: signed(once([...open, ...undecided])),
    changes: signed(changes),
  };
}

/** Each question once. */
function once(undecided: Undecided[]): Undecided[] {
  return undecided.filter(({ rule, why }, at) => undecided.findIndex((other) => other.rule === rule && other.why === why) === at);
}

/** What a policy covers that does not say what it covers. */
const NO_SCOPE: Scope = { checked: [], notChecked: [] };

const NO_DEFAULTS: Pick<DefaultAnswer, "changes" | "undecided"> = { changes: [], undecided: [] };

const NO_REMEDY = "Fix this first: the policy cannot set defaults on the object as it is.";

/** The finding for a refusal to set defaults. */
function refusalOf({ message, rule, pointer = "", atKey, remedy = NO_REMEDY, fix }: ErrorAnswer["error"]): PlacedFinding {
  const place = { field: "", pointer, ...(atKey && { atKey }) };
  return { ...(rule !== undefined && { rule }), severity: "error", type: "Denied", ...place, detail: message, remedy, ...(fix && { fix }) };
}
