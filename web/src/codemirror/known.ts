import type { Rule } from "../documents.js";
import type { AnyPolicy } from "./options.js";

/** What a policy says of itself. */
export interface Known {
  provider: string;
  rules: Map<string, Rule>;
  /** Kinds of the objects that it judges. */
  kinds: Set<string>;
  /** Those that it has defaults for. */
  defaulted: Set<string>;
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
  const [info, answer] = await Promise.all([policy.info(), policy.rules()]);
  if ("error" in info) throw new Error(info.error.message);
  if ("error" in answer) throw new Error(answer.error.message);
  return {
    provider: info.provider,
    rules: new Map(answer.rules.map((rule) => [rule.id, rule])),
    kinds: new Set(answer.rules.flatMap(({ kinds }) => kinds)),
    defaulted: new Set(answer.rules.flatMap(({ kinds, effect }) => (effect === "default" ? kinds : []))),
  };
}

/** Marks a promise as one whose failure is told when it is needed, and not before. */
export function expected(soon: unknown): void {
  if (soon instanceof Promise) soon.catch(() => undefined);
}
