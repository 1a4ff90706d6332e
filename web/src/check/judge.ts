/** From an object to a ruling: defaults first, as the API server sets them, then the rules. */

import type { DefaultAnswer, ErrorAnswer, JoinAnswer, MergeAnswer, PatchOperation, Scope, ValidateAnswer } from "../documents.js";
import { patchJson } from "../yaml/patch.js";
import { tokens } from "../yaml/tree.js";
import type { PlacedFinding } from "./finding.js";
import { GARDENER, join, type Opinion, type RuleTable, type Ruling } from "./join.js";
import { Lookup } from "./lookup.js";
import { member, type TextObject } from "./objects.js";
import { asInNew, completed, type Defaulting, oldOf, open } from "./old.js";
import { inOrder } from "./order.js";
import type { Soon } from "./policy.js";
import { cut, type Reads } from "./reads.js";
import { isOpen, spelt } from "./spelling.js";
import { type Upgrade, asApplied, upgradeOf, withTarget } from "./upgrade.js";
import { judgeOn, type Said, type TriedFixes, type Update } from "./worlds.js";

/** As much of a policy as judges. */
export interface Judge {
  validate(request: string): Soon<ValidateAnswer | ErrorAnswer>;
  default(request: string): Soon<DefaultAnswer | ErrorAnswer>;
  /** Gardener's own policy answers it. */
  join?(request: string): Soon<JoinAnswer | ErrorAnswer>;
  /** Gardener's own policy answers it. */
  merge?(request: string): Soon<MergeAnswer | ErrorAnswer>;
}

/** A policy that is asked about an object. */
export interface Asked {
  /** `gardener`, or the provider. */
  source: string;
  policy: Judge;
  rules: RuleTable;
  /** Whether its defaults are set before any rules are asked. */
  setsDefaults: boolean;
  /** What it reads in addition to an object of that kind; all by default. */
  reads?: Reads;
}

/** A ruling, and the object that the rules were asked about. */
export interface Judged {
  ruling: Ruling;
  /** JSON text of the object with its defaults. */
  object: string;
  /** What made it of the object that was given. */
  patch: PatchOperation[];
  /** JSON text of the object before, as the API server has it; absent on creation. */
  stored?: string | undefined;
  /** Present where the object is a Shoot on its way to another version of Kubernetes. */
  upgrade?: Upgrade;
}

/** What goes with an object into a request. */
export interface Parts {
  /** JSON text of the object before, on an update. */
  old: string | undefined;
  /**
   * JSON text of the request for an object, with facts that were found, and the object before as it is stored; `null` for none. With
   * `reads`, the context has no more than what is at those pointers.
   */
  of(object: string, facts?: string[], stored?: string | null, reads?: readonly string[]): string;
}

/** What else a request has, as far as it does. */
interface Rest {
  old?: string | undefined;
  /** JSON text of further members, without their braces. */
  members?: string;
  /** The facts of the caller. Of two facts for one query, a policy takes the first: that of the caller. */
  facts?: object[] | undefined;
}

/** The request for an object, from the objects that it refers to, by role, as JSON text. */
export function requestOf(context: Record<string, string>, { old, members = "", facts: given = [] }: Rest = {}): Parts {
  const known = given.map((fact) => JSON.stringify(fact));
  const of: Parts["of"] = (object, facts = [], stored = old, reads) => {
    let roles = "";
    for (const [role, json] of Object.entries(reads ? cut(context, reads) : context)) roles += `${roles && ","}${JSON.stringify(role)}:${json}`;
    const all = [...known, ...facts];
    const before = stored === undefined || stored === null ? "" : `,"oldObject":${stored}`;
    const found = all.length > 0 ? `,"facts":[${all.join()}]` : "";
    return `{"object":${object},"context":{${roles}}${members && `,${members}`}${before}${found}}`;
  };
  return { old, of };
}

/**
 * From this, policies know that a person sends the object. Where the object is its own old version, a person may have edited it since it was
 * stored. Where a person looks at an update in advance, it may skip minor versions of Kubernetes.
 */
export function sentBy({ isOfItself, isAhead = false }: { isOfItself: boolean; isAhead?: boolean }): Record<string, string> {
  return { request: "true", ...(isOfItself && { itself: '"edited"' }), ...(isAhead && { ahead: "true" }) };
}

/** JSON text of objects by role. */
export function jsonOf(found: Record<string, TextObject>): Record<string, string> {
  return Object.fromEntries(Object.entries(found).map(([role, { json }]) => [role, json]));
}

/** What else there is to know of an object and its policies. */
interface Circumstances {
  /** Rules that nobody can ask. */
  missing?: string[];
  /** Whether no key is in the object twice; true by default. Where one is, the object gets no defaults that people see. */
  isSound?: boolean;
  /** Whether `kubectl apply` sends the object: what it leaves out stays as it is in the object before. False by default. */
  isApplied?: boolean;
  /** Whether the object before is the object itself, as a person wrote it. False by default. */
  isOfItself?: boolean;
  /**
   * The version of Kubernetes to which a Shoot is to go: it is judged as an update of itself, which the request has as the object before.
   */
  target?: string | undefined;
  /** Whether findings keep the changes from which judging went on. False by default, because these may be wrong, and are not for people. */
  keepsAssumed?: boolean;
  /** The fixes of the object that were tried before. */
  tried?: TriedFixes;
}

/**
 * Judges an object, given as JSON text, by one policy or several, whose defaults are set in their order. `others` are objects
 * that may answer what a policy asks for.
 */
export async function judge(
  asked: Asked[],
  json: string,
  request: Parts,
  others: TextObject[],
  { missing = [], isSound = true, isApplied = false, isOfItself = false, target, keepsAssumed = false, tried }: Circumstances = {},
): Promise<Judged> {
  const lookup = new Lookup(others);
  const gardener = asked.find(({ source }) => source === GARDENER)?.policy;
  const patch: PatchOperation[] = [];
  /** The object as `kubectl apply` makes it. */
  let applied: string | undefined;
  if (isApplied && request.old !== undefined && isSound) {
    const merged = await gardener?.merge?.(`{"live":${request.old},"manifest":${json}}`);
    const { error } = merged === undefined ? NO_MERGE : "error" in merged ? merged : { error: undefined };
    if (error) return { ruling: { findings: [], undecided: [], changes: [], error }, object: json, patch };
    if (merged && "patch" in merged) {
      patch.push(...merged.patch);
      applied = patchJson(json, merged.patch);
    }
  }
  const isUpgrade = target !== undefined && request.old !== undefined && isSound;
  const sentOf = async (given: string): Promise<string> => {
    if (isUpgrade) {
      const { stored = given } = await oldOf(given, defaultingOf(asked, request, lookup));
      return withTarget(asApplied(stored, given), target, async (wanted) => {
        return gardener ? lookup.ask((facts) => gardener.default(request.of(wanted, facts, stored))) : NO_DEFAULTS;
      });
    }
    if (applied === undefined || given === json) return applied ?? given;
    const merged = await gardener?.merge?.(`{"live":${request.old},"manifest":${given}}`);
    return merged && "patch" in merged ? (patchJson(given, merged.patch) ?? given) : given;
  };
  const ask = async ({ object: given, old }: Update) => opinionsOf(asked, { given, sent: await sentOf(given), before: old }, { request, lookup, isSound });
  const update = { object: json, old: request.old, isOfItself: isOfItself || isUpgrade };
  const said = await ask(update);
  const by = gardener?.join?.bind(gardener);
  const joined = async (all: Said): Promise<Ruling> => join(all, missing, by);
  const ruling = isSound && by
    ? await judgeOn(update, said.opinions, { ask: async (changed) => (await ask(changed)).opinions, join: joined, tried })
    : await joined({ opinions: said.opinions, worlds: [], trials: [] });
  // What makes the upgrade of the text is no part of it.
  if (!isUpgrade) patch.push(...said.patch);
  const upgrade = isUpgrade && said.stored !== undefined ? { upgrade: upgradeOf(said.stored, said.object) } : {};
  const given: unknown = JSON.parse(json);
  const scope = ruling.scope && within(ruling.scope, given);
  return { ruling: { ...ruling, ...(scope && { scope }), findings: inOrder(keepsAssumed ? ruling.findings : ruling.findings.map(judged), given) }, object: said.object, patch, stored: said.stored, ...upgrade };
}

/** A finding from which nobody judges on any more. */
function judged({ assume: _, ...finding }: PlacedFinding): PlacedFinding {
  return finding;
}

/** What there is to answer policies with. */
interface Asking {
  request: Parts;
  lookup: Lookup;
  isSound: boolean;
}

/** An object as a person gives it, what is sent of it, and the one before, as JSON texts. */
interface Sent {
  given: string;
  sent: string;
  before: string | undefined;
}

/** What policies say of an object that is sent; and the object with their defaults. */
async function opinionsOf(asked: Asked[], { given: written, sent, before }: Sent, { request, lookup, isSound }: Asking) {
  let object = sent;
  const patch: PatchOperation[] = [];
  const { stored, isManifest } = await oldOf(before, defaultingOf(asked, request, lookup));
  let settled: string | undefined;
  const opinions: Opinion[] = [];
  for (const { source, policy, rules, setsDefaults, reads } of asked) {
    const opinion: Opinion = { source, rules };
    opinions.push(opinion);
    if (!setsDefaults || !isSound) continue;
    const given = object;
    const answer = await lookup.ask((facts) => policy.default(request.of(given, facts, stored ?? null, reads?.default)));
    if ("error" in answer) {
      opinion.default = answer;
      continue;
    }
    const { changes, undecided } = answer;
    opinion.default = { changes, undecided };
    patch.push(...answer.patch);
    object = patchJson(object, answer.patch) ?? object;
  }
  for (const [index, { source, policy, setsDefaults, reads }] of asked.entries()) {
    const opinion = opinions[index];
    if (!opinion || isFailed(opinion)) continue;
    const validate = (text: string, old = stored) => lookup.ask((facts) => policy.validate(request.of(text, facts, old ?? null, reads?.validate)));
    let answer = await validate(object);
    if (isManifest && before !== undefined && stored !== undefined && !("error" in answer) && answer.findings.length > 0) {
      settled ??= asInNew(before, stored, object);
      const other = settled === undefined ? answer : await validate(object, settled);
      if (!("error" in other)) answer = open(answer, other);
    }
    if (!("error" in answer) && isOpen(answer)) answer = spelt(answer, await validate(written));
    opinion.validate = answer;
    // Gardener's rules are about objects with defaults. What is there twice would not outlive these, and is reported on its own.
    if (!("error" in answer) && !isSound && setsDefaults && source === GARDENER) {
      const once = JSON.stringify(JSON.parse(sent));
      const all = await validate(completed(once, await lookup.ask((facts) => policy.default(request.of(once, facts, stored, reads?.default)))));
      const isOfText = ({ atKey, pointer }: PlacedFinding): boolean =>
        atKey === true && !("error" in all) && !all.findings.some((other) => other.pointer === pointer);
      if (!("error" in all)) opinion.validate = { ...all, findings: [...answer.findings.filter(isOfText), ...all.findings] };
    }
  }
  return { opinions, object, patch, stored };
}

/** The policies that set defaults on the object before. */
function defaultingOf(asked: Asked[], request: Parts, lookup: Lookup): Defaulting[] {
  return asked.filter(({ setsDefaults }) => setsDefaults).map(({ source, policy, reads }) => ({
    isGardener: source === GARDENER,
    default: (given, old) => lookup.ask((facts) => policy.default(request.of(given, facts, old, reads?.default))),
  }));
}

/** A scope without the sections of which an object has nothing. */
function within({ sections = [], ...scope }: Scope, object: unknown): Scope {
  const isThere = (pointer: string): boolean => tokens(pointer).reduce(member, object) !== undefined;
  const kept = sections.filter(({ pointers }) => pointers.some(isThere));
  const names = new Set(sections.filter((section) => !kept.includes(section)).map(({ name }) => name));
  return { ...scope, notChecked: scope.notChecked.filter((name) => !names.has(name)), ...(kept.length > 0 && { sections: kept }) };
}

const NO_DEFAULTS: ErrorAnswer = { error: { code: "UnknownFunction", message: "no policy sets Gardener's defaults" } };

const NO_MERGE: ErrorAnswer = {
  error: { code: "UnknownFunction", message: "no policy answers `merge`, which shows what `kubectl apply` sends" },
};

/** Whether a policy gave no answer to `default`; a refusal to set defaults is one. */
function isFailed({ default: answer }: Opinion): boolean {
  return answer !== undefined && "error" in answer && answer.error.code !== "Denied";
}
