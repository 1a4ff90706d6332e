/** One answer about an object: the defaults and the rules of Gardener itself and of its provider. */

import type { ErrorAnswer, Fact, Scope, Severity, Undecided, Verdict } from "../documents.js";
import { failure, reason, shown } from "../errors.js";
import { type JudgingPolicy, written } from "../policy.js";
import { sentenceOf } from "../sentence.js";
import { readJson } from "../yaml/json.js";
import type { PlacedFinding } from "./finding.js";
import { contextIn } from "./context.js";
import { fieldsOf } from "./fields.js";
import { type FormFields, type FormMessages, firstAt, messagesOf, restOf } from "./forms.js";
import { GARDENER, rulesOf, type Ruling, type Sourced } from "./join.js";
import { type Asked, judge, requestOf, sentBy } from "./judge.js";
import { type TextObject, isItsOwnOld, textAt } from "./objects.js";
import { namesIn } from "./openapi.js";
import { canUpgrade, targetOf, type Upgrade } from "./upgrade.js";
import { readsOf } from "./reads.js";
import { knownOf } from "./policy.js";
import { candidatesOf, isOfAll } from "./provider.js";

/** What is checked. Objects are objects or their JSON text, which keeps duplicate keys and the spelling of numbers. */
export interface CheckRequest {
  object: object | string;
  /** The object before the update; absent where the object is new. */
  oldObject?: object | string | undefined;
  /** What the object refers to, by role, such as `cloudProfile`. */
  context?: CheckContext | undefined;
  /** Answers to the queries of an earlier answer. */
  facts?: Fact[] | undefined;
  /** The provider of an object that names none. */
  provider?: string | undefined;
  /**
   * Whether `kubectl apply` sends the object, so that what it leaves out stays as it is in `oldObject`. Without this, the object
   * replaces the old one, as where a form sends all of it.
   */
  apply?: boolean | undefined;
  /** Whether an object with a uid and without an `oldObject` is a new one. Without this, it is its own old object. */
  create?: boolean | undefined;
  /**
   * The version of the garden's Gardener, such as `1.147.2`: its rules, fields and defaults count. Without it, those of the newest
   * version that the policy knows, and a finding that an older one would not have says in `since` which one brought it.
   */
  gardenerVersion?: string | undefined;
  /**
   * The version of Kubernetes to which a Shoot is to go: `1.35`, of which the newest patch counts that the profile supports, or `1.35.2`.
   * The answer says what must change before. There is no `oldObject` beside it.
   */
  kubernetes?: string | undefined;
  /** The time of the check, for rules that know time; the current time by default. */
  now?: Date | string | undefined;
  /**
   * The garden's OpenAPI document, or what `openapiNames` makes of it: then unknown fields are errors, and those of a newer
   * Gardener are none.
   */
  openapi?: object | undefined;
}

/** What an object refers to, by role. Each is an object, or its JSON text. */
export interface CheckContext {
  /**
   * The CloudProfile, or the NamespacedCloudProfile with its `status`, that a Shoot names; the parent of a NamespacedCloudProfile. Also
   * in the form `{ metadata, data }` that older backends of the Gardener dashboard send.
   */
  cloudProfile?: object | string | null | undefined;
  /** The SecretBinding that a Shoot names. */
  secretBinding?: object | string | null | undefined;
  /** The CredentialsBinding that a Shoot names. */
  credentialsBinding?: object | string | null | undefined;
  /** The Project of a Shoot's namespace. */
  project?: object | string | null | undefined;
  /** The Secret that a binding names. */
  secret?: object | string | null | undefined;
  /** Whatever else a policy's `info` says that it reads: `objects`, `settings`, `featureGates`, `overlayDefaults`, `subresource`. */
  [role: string]: unknown;
}

/** A finding, and whose rule it is. It has no rule where it tells that defaults are refused. */
export type CheckedFinding = Omit<PlacedFinding, "range" | "source"> & {
  /** `gardener`, or the provider. */
  source: string;
  /** Where a form may show the finding: the pointers of the fields that it is about, where `pointer` leads to the object around them. */
  fields?: string[];
};

/** What all policies say of an object together. */
export interface CheckAnswer {
  /** `reject` where a finding is an error, else `undecided` where a rule is that may reject the object, else `accept`. */
  verdict: Verdict;
  /** In the order of the object. What a provider's rule repeats of Gardener's is said once. */
  findings: CheckedFinding[];
  /** The severities of which there are more findings than these; absent where there are none. */
  truncated?: Severity[];
  undecided: Sourced<Undecided>[];
  /** Defaults that were set before any rules were asked. */
  changes: Ruling["changes"];
  /** The object with its defaults, which the rules were asked about. */
  object: object;
  /** Present where `kubernetes` asks for it and the object is a Shoot. */
  upgrade?: Upgrade;
  /** What the verdict covers. */
  scope: Scope;
  /** The findings by their pointers. */
  byPointer(): Map<string, CheckedFinding[]>;
  /** Of the findings at or below a field of a form, the one to show: an error before a warning, and none that follows from another one. */
  at(pointer: string): CheckedFinding | undefined;
  /** The findings that no field shows: those at or below none of the pointers, without what follows from another one. */
  rest(pointers: readonly string[]): CheckedFinding[];
  /**
   * A message for each field, in the shape of `fields`, which has the pointers: Vuelidate takes it as `$externalResults`. A field
   * without a finding has an empty list. The words are those of `sentenceOf` unless others are given.
   */
  messages<F extends FormFields>(fields: F, words?: (finding: CheckedFinding) => string): FormMessages<F>;
}

/** The policies that are asked, as far as they are there. */
export interface CheckPolicies {
  gardener: () => Promise<JudgingPolicy>;
  /** Nothing where there is no policy of that provider. */
  provider: (name: string) => Promise<JudgingPolicy> | undefined;
}

/** The members of a request. */
const MEMBERS = ["object", "oldObject", "context", "facts", "provider", "apply", "create", "gardenerVersion", "kubernetes", "now", "openapi"];

/** The types of members that have one. */
const TYPES = { provider: "string", apply: "boolean", create: "boolean", gardenerVersion: "string", kubernetes: "string" } as const;

/** What is wrong with a member, whatever the types say. */
function wrongIn(request: CheckRequest): string | undefined {
  for (const name of Object.keys(TYPES) as (keyof typeof TYPES)[]) {
    const value: unknown = request[name];
    if (value !== undefined && typeof value !== TYPES[name]) return `\`${name}\` is a ${TYPES[name]}, not ${shown(value)}`;
  }
  const { now } = request;
  const isTime = now === undefined || (typeof now === "string" || now instanceof Date) && !Number.isNaN(new Date(now).getTime());
  return isTime ? undefined : `\`now\` is a time such as \`2026-06-01T00:00:00Z\`, not ${shown(now)}`;
}

/** Checks an object by all policies that judge it. Rejects where a module cannot be loaded. */
export async function checkWith(policies: CheckPolicies, request: CheckRequest): Promise<CheckAnswer | ErrorAnswer> {
  if (typeof request !== "object" || request === null) {
    return failure("Malformed", `what is to be checked is an object such as \`{ object }\`, not ${shown(request)}`);
  }
  const unknown = Object.keys(request).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) return failure("Malformed", `there is no member \`${unknown}\`; there are ${MEMBERS.join(", ")}`);
  if (request.object === undefined) return failure("Malformed", "`object` is missing: give what is to be checked");
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
    } catch (thrown) {
      return failure("Malformed", `\`${name}\` is not JSON: ${reason(thrown)}`);
    }
  }
  const given = contextIn(request.context);
  if ("error" in given) return given;
  const context = given.texts;
  if (request.facts !== undefined && !Array.isArray(request.facts)) {
    return failure("Malformed", `\`facts\` is a list of answers to queries, not ${shown(request.facts)}`);
  }
  if (request.openapi !== undefined) {
    if (typeof request.openapi !== "object" || request.openapi === null) {
      return failure("Malformed", `\`openapi\` is an OpenAPI document or what \`openapiNames\` makes of it, not ${shown(request.openapi)}`);
    }
    context.openapi = JSON.stringify(namesIn(request.openapi));
  }
  if (request.gardenerVersion !== undefined) context.gardenerVersion = JSON.stringify(request.gardenerVersion);
  const candidates = candidatesOf(object, parentsOf(context));
  if (candidates.length === 0 && request.provider !== undefined) candidates.push(request.provider);
  const provider = candidates.find((name) => policies.provider(name)) ?? candidates[0];
  const ofProvider = provider === undefined ? undefined : policies.provider(provider);
  const loaded = await Promise.all([...(isOfAll(object) ? [policies.gardener()] : []), ...(ofProvider ? [ofProvider] : [])]);
  const isSound = readJson(json, () => 1)?.[0]?.problems.length === 0;
  const asked = (await Promise.all(loaded.map((policy) => askedOf(policy, textAt(object, "kind"))))).flat();
  if (asked.length === 0) return unsupported(textAt(object, "kind"), provider);
  const missing = ofProvider ? [] : [provider === undefined ? "the rules of a provider" : rulesOf(provider)];
  const target = request.kubernetes === undefined ? undefined : targetOf(request.kubernetes);
  if (request.kubernetes !== undefined && target === undefined) {
    return failure("Malformed", `\`kubernetes\` is a version such as \`1.35\` or \`1.35.2\`, not ${shown(request.kubernetes)}`);
  }
  if (target !== undefined && old !== undefined) {
    return failure("Malformed", "with `kubernetes`, a Shoot is judged as an update of itself: leave out `oldObject`");
  }
  const isAhead = target !== undefined && canUpgrade(object);
  const isOfItself = !isAhead && old === undefined && request.create !== true && isItsOwnOld(object);
  const sent = { ...context, ...sentBy({ isOfItself, isAhead }) };
  const before = isOfItself || isAhead ? json : old;
  const parts = requestOf(sent, { old: before, members: `"now":${timeOf(request)}`, facts: request.facts });
  const circumstances = { missing, isSound, isApplied: request.apply === true, isOfItself, target: isAhead ? target : undefined };
  const { ruling, object: whole, upgrade } = await judge(asked, json, parts, [], circumstances);
  const { verdict, scope, error, findings, untried: _, ...rest } = ruling;
  if (!verdict || !scope) return error ? { error } : failure("Malformed", "no policy judged the object");
  const sourced = findings.map(({ source = GARDENER, ...finding }) => {
    const fields = fieldsOf(finding);
    return { ...finding, source, ...(fields && { fields }) };
  });
  return { verdict, findings: sourced, ...rest, scope, ...(upgrade && { upgrade }), object: JSON.parse(whole), ...shownOf(sourced) };
}

/** The ways to look at findings. */
function shownOf(findings: CheckedFinding[]): Pick<CheckAnswer, "byPointer" | "at" | "rest" | "messages"> {
  return {
    byPointer: () => grouped(findings),
    at: (pointer) => firstAt(findings, pointer),
    rest: (pointers) => restOf(findings, pointers),
    messages: (fields, words = sentenceOf) => messagesOf(findings, fields, words),
  };
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
  return json === undefined ? [] : [{ json, object: { kind: "CloudProfile", ...JSON.parse(json) } }];
}

function unsupported(kind: string | undefined, provider: string | undefined): ErrorAnswer {
  const whose = provider === undefined ? "" : ` of ${provider}`;
  const message = kind === undefined ? "the object has no kind" : `no policy judges a ${kind}${whose}`;
  return { error: { code: "UnsupportedKind", message } };
}

function grouped(findings: CheckedFinding[]): Map<string, CheckedFinding[]> {
  const found = new Map<string, CheckedFinding[]>();
  for (const finding of findings) found.set(finding.pointer, [...(found.get(finding.pointer) ?? []), finding]);
  return found;
}
