/** One answer about an object: the defaults and the rules of Gardener itself and of its provider. */

import type { ErrorAnswer } from "../documents.js";
import { failure, reason } from "../errors.js";
import { type JudgingPolicy, written } from "../policy.js";
import type { Checked } from "./answer.js";
import { contextIn } from "./context.js";
import { fieldsOf } from "./fields.js";
import { GARDENER, rulesOf } from "./join.js";
import { type Asked, judge, requestOf, sentBy } from "./judge.js";
import { checkItems, partsIn } from "./list.js";
import { wrongKind } from "./kinds.js";
import { meantBy } from "./meant.js";
import { type TextObject, isItsOwnOld, member, textAt } from "./objects.js";
import { namesIn } from "./openapi.js";
import { type CheckRequest, wrongIn } from "./request.js";
import { canUpgrade, targetOf } from "./upgrade.js";
import { readsOf } from "./reads.js";
import { parsed } from "./parsed.js";
import { knownOf } from "./policy.js";
import { candidatesOf, isOfAll } from "./provider.js";

/** The policies that are asked, as far as they are there. */
export interface CheckPolicies {
  gardener(): Promise<JudgingPolicy>;
  /** Whether there is a policy of that provider. */
  isThere(name: string): boolean;
  provider(name: string): Promise<JudgingPolicy>;
}

/** An object to check, and what goes with it. */
export interface Subject extends TextObject {
  /** JSON text of the object before. */
  old: string | undefined;
  /** What the object refers to, by role, as JSON text. */
  context: Record<string, string>;
  /** Objects that may answer what a policy asks for. */
  others: TextObject[];
  /** Whether no key is in the object twice. */
  isSound: boolean;
}

/** Checks an object, or the items of a list, by all policies that judge it. Rejects where a module cannot be loaded. */
export async function checkWith(policies: CheckPolicies, request: CheckRequest): Promise<Checked | ErrorAnswer> {
  const wrong = wrongIn(request);
  if (wrong !== undefined) return failure("Malformed", wrong);
  const json = written(request.object);
  const old = request.oldObject === undefined ? undefined : written(request.oldObject);
  if (typeof json !== "string") return json;
  if (typeof old === "object") return old;
  let object: unknown;
  for (const [name, text] of [["object", json], ["oldObject", old]] as const) {
    try {
      const value: unknown = text === undefined ? undefined : JSON.parse(text);
      if (name === "object") object = value;
    } catch {
      // What cannot be read may be a Secret, and an engine quotes it.
      return failure("Malformed", `\`${name}\` is not JSON`);
    }
  }
  const given = contextIn(request.context);
  if ("error" in given) return given;
  const context = given.texts;
  if (request.openapi !== undefined) {
    try {
      context["openapi"] = JSON.stringify(namesIn(request.openapi));
    } catch (thrown) {
      return failure("Malformed", `\`openapi\` cannot be used: ${reason(thrown)}`);
    }
  }
  if (request.gardenerVersion !== undefined) context.gardenerVersion = JSON.stringify(request.gardenerVersion);
  const parts = partsIn(json);
  const check = (subject: Subject): Promise<Checked | ErrorAnswer> => checkOne(policies, request, subject);
  const [first] = parts;
  if (first && !first.root && textAt(object, "kind")?.endsWith("List")) {
    return { error: { code: "TooDeep", message: `the list cannot be judged: ${first.problems[0]?.message ?? "it is too deep"}` } };
  }
  if (parts.some(({ at }) => at !== "")) return checkItems(parts, { object, old, context }, check);
  const items = textAt(object, "kind")?.endsWith("List") ? member(object, "items") : undefined;
  if (Array.isArray(items) && items.length === 0) return { error: { code: "UnsupportedKind", message: "the list has no items" } };
  const meant = meantBy(object, context);
  if ("error" in meant) return meant;
  return check({ json, object, old, context: meant.context, others: [], isSound: first?.problems.length === 0 });
}

async function checkOne(policies: CheckPolicies, request: CheckRequest, subject: Subject): Promise<Checked | ErrorAnswer> {
  const { json, object, old, context, others, isSound } = subject;
  const wrong = wrongKind(object);
  if (wrong) return { error: { code: "UnsupportedKind", message: wrong.detail, pointer: wrong.pointer, remedy: wrong.remedy, ...(wrong.fix && { fix: wrong.fix }) } };
  const besides = [...others, ...parentsOf(context)];
  const candidates = candidatesOf(object, besides);
  // What `kubectl apply` sends may leave the provider out: it stays.
  if (candidates.length === 0 && request.apply === true && old !== undefined) candidates.push(...candidatesOf(parsed(old), besides));
  if (candidates.length === 0 && request.provider !== undefined) candidates.push(request.provider);
  const provider = candidates.find((name) => policies.isThere(name)) ?? candidates[0];
  const ofProvider = provider !== undefined && policies.isThere(provider) ? policies.provider(provider) : undefined;
  const loaded = await Promise.all([...(isOfAll(object) ? [policies.gardener()] : []), ...(ofProvider ? [ofProvider] : [])]);
  const asked = (await Promise.all(loaded.map((policy) => askedOf(policy, textAt(object, "kind"))))).flat();
  if (asked.length === 0) return unsupported(object, provider);
  const missing = ofProvider ? [] : [provider === undefined ? "the rules of a provider" : rulesOf(provider)];
  const target = request.kubernetes === undefined || !canUpgrade(object) ? undefined : targetOf(request.kubernetes);
  const isAhead = target !== undefined;
  const isOfItself = !isAhead && old === undefined && request.create !== true && isItsOwnOld(object);
  const sent = { ...context, ...sentBy({ isOfItself, isAhead }) };
  const before = isOfItself || isAhead ? json : old;
  const parts = requestOf(sent, { old: before, members: `"now":${timeOf(request)}`, facts: request.facts });
  const circumstances = { missing, isSound, isApplied: request.apply === true, isOfItself, target };
  const { ruling, object: whole, upgrade } = await judge(asked, json, parts, others, circumstances);
  const { verdict, scope, error, findings, untried: _, ...rest } = ruling;
  if (!verdict || !scope) return error ? { error } : failure("Malformed", "no policy judged the object");
  const sourced = findings.map(({ source = GARDENER, ...finding }) => {
    const fields = fieldsOf(finding);
    return { ...finding, source, ...(fields && { fields }) };
  });
  return { verdict, findings: sourced, ...rest, scope, ...(upgrade && { upgrade }), object: JSON.parse(whole) };
}

/** JSON text of the time of a check. */
function timeOf({ now = new Date() }: CheckRequest): string {
  return JSON.stringify(now);
}

/** A policy, where it has rules for objects of that kind, or might say what is wrong with one that has no kind. */
async function askedOf(policy: JudgingPolicy, kind: string | undefined): Promise<Asked[]> {
  const { provider: source, rules, kinds, defaulted, reads } = await knownOf(policy);
  if (kind !== undefined && !kinds.has(kind)) return [];
  return [{ source, policy, rules, setsDefaults: defaulted.has(kind ?? ""), reads: readsOf(reads, kind ?? "") }];
}

/** The profile of the context, in which a NamespacedCloudProfile finds its parent. */
function parentsOf({ cloudProfile: json }: Record<string, string>): TextObject[] {
  return json === undefined ? [] : [{ json, object: { kind: "CloudProfile", ...(parsed(json) as object) } }];
}

function unsupported(object: unknown, provider: string | undefined): ErrorAnswer {
  const kind = textAt(object, "kind");
  const whose = provider === undefined ? "" : ` of ${provider}`;
  const message = kind === undefined ? "the object has no kind" : `no policy judges a ${kind}${whose}`;
  return { error: { code: "UnsupportedKind", message } };
}
