/** Policies as a check asks them, and what they say of themselves. */

import type { DefaultAnswer, ErrorAnswer, Info, Rule, RulesAnswer, ValidateAnswer } from "../documents.js";
import { read } from "../policy.js";
import type { ExplainedRules } from "../rules.js";

/** A value, or a promise of it. */
export type Soon<T> = T | Promise<T>;

/** A policy as `load` or `startWorker` gives it. The signal is aborted when nobody waits for the answer any more. */
export interface AnyPolicy {
  info(): Soon<Info | ErrorAnswer>;
  rules(): Soon<ExplainedRules | ErrorAnswer>;
  call(name: string, request: string): Soon<string>;
  validate(request: string, options?: { signal?: AbortSignal | undefined }): Soon<ValidateAnswer | ErrorAnswer>;
  default(request: string, options?: { signal?: AbortSignal | undefined }): Soon<DefaultAnswer | ErrorAnswer>;
}

/** What a policy says of itself. */
export interface Known {
  provider: string;
  rules: Map<string, Rule>;
  /** Kinds of the objects that it judges. */
  kinds: Set<string>;
  /** Those that it has defaults for. */
  defaulted: Set<string>;
  /** What it reads in addition to an object, by function and kind. */
  reads: Info["reads"];
}

const asked = new WeakMap<AnyPolicy, Promise<Known>>();

/** Asks a policy what it is, once; rejects where it does not say. */
export function knownOf(policy: AnyPolicy): Promise<Known> {
  const before = asked.get(policy);
  if (before) return before;
  const known = ask(policy);
  asked.set(policy, known);
  known.catch(() => asked.delete(policy));
  return known;
}

async function ask(policy: AnyPolicy): Promise<Known> {
  const [info, text] = await Promise.all([policy.info(), policy.call("rules", "{}")]);
  const answer = read<RulesAnswer>(text);
  if ("error" in info) throw new Error(info.error.message);
  if ("error" in answer) throw new Error(answer.error.message);
  return {
    provider: info.provider,
    reads: info.reads ?? {},
    rules: new Map(answer.rules.map((rule) => [rule.id, rule])),
    kinds: new Set(answer.rules.flatMap(({ kinds }) => kinds)),
    defaulted: new Set(answer.rules.flatMap(({ kinds, effect }) => (effect === "default" ? kinds : []))),
  };
}
