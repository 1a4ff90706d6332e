import { unloaded } from "./absent.js";
import type { AddressesAnswer, ErrorAnswer, PolicyRequest, RolloutAnswer, RolloutRequest, ZonesAnswer, ZonesRequest } from "./documents.js";
import { failure, reason } from "./errors.js";
import { type Addressing, addressing, type Judging, judging, type Mutating, mutating, type Planning, planning, type Rendering, rendering } from "./functions.js";
import type { Explain, ExplainedRules } from "./rules.js";

/**
 * The policy of one provider. A request is an object, or its JSON text, which is passed on as it is: text keeps
 * duplicate keys and the spelling of numbers. Nothing throws: an `ErrorAnswer` says what is wrong. `functions` of `info`
 * lists the functions that the provider answers.
 */
export interface JudgingPolicy extends Omit<Judging, "rules"> {
  /** Lists every rule with its words, which are read from a file when they are first asked for. */
  rules(): Promise<ExplainedRules | ErrorAnswer>;
  /** Calls a function by its name: JSON text in, JSON text out, the same bytes as on every other engine. */
  call(name: string, request: string): string;
}

/** The policy of one provider, with what another module answers. */
export interface Policy extends JudgingPolicy {
  /** Computes the address space of an object; loads the module that `loadAddresses` loads when it is first asked. */
  addresses(request: PolicyRequest | string): Promise<AddressesAnswer | ErrorAnswer>;
  /** Chooses address ranges for zones to add to an object, by the same module as `addresses`. */
  zones(request: ZonesRequest | string): Promise<ZonesAnswer | ErrorAnswer>;
  /** Says what an edit of a Shoot does to its nodes, by the same module as `addresses`. */
  rollout(request: RolloutRequest | string): Promise<RolloutAnswer | ErrorAnswer>;
}

/** What one provider says of Shoots, their addresses and what an edit does to their nodes, under the same conditions. */
export interface Addresses extends Addressing {
  /** Calls a function by its name, as that of a policy. */
  call(name: string, request: string): string;
}

/**
 * What one provider decides of the infrastructure of Shoots, under the same conditions. With the baseline `empty`, or an
 * older request, `plan` asks for nothing.
 */
export interface Infrastructure extends Planning {
  /** Calls a function by its name, as that of a policy. */
  call(name: string, request: string): string;
}

/**
 * What one provider makes of the control planes and the worker pools of Shoots, under the same conditions. Of a request without a
 * `controlPlane`, `render` makes a preview, and asks for nothing; so does `workers` of a request without a `worker`.
 */
export interface RenderingPolicy extends Rendering {
  /** Calls a function by its name, as that of a policy. */
  call(name: string, request: string): string;
}

/**
 * What the webhooks of one provider change in objects, under the same conditions. It is for Node: the module reads YAML inside
 * objects, which no page needs.
 */
export interface MutatingPolicy extends Mutating {
  /** Calls a function by its name, as that of a policy. */
  call(name: string, request: string): string;
}

/** Takes and gives JSON text, and never throws. */
export type Call = (name: string, request: string) => string;

/** The functions that judge, over documents, from one function over text. */
export function judgingOf(call: Call, explain: Explain): JudgingPolicy {
  const functions = functionsOf<Judging>(judging, asking(call));
  return { ...functions, rules: () => explain(functions.rules()), call: checked(call) };
}

const complete = new WeakMap<JudgingPolicy, Policy>();

/** A policy with what another module answers, one for each. */
export function withAddresses(policy: JudgingPolicy, addresses: () => Promise<Addresses>): Policy {
  const later = async <Answer>(ask: (loaded: Addresses) => Answer): Promise<Answer | ErrorAnswer> => {
    try {
      return ask(await addresses());
    } catch (thrown) {
      return unloaded("PolicyUnavailable", thrown);
    }
  };
  const made = complete.get(policy) ?? {
    ...policy,
    addresses: (request) => later((loaded) => loaded.addresses(request)),
    zones: (request) => later((loaded) => loaded.zones(request)),
    rollout: (request) => later((loaded) => loaded.rollout(request)),
  };
  complete.set(policy, made);
  return made;
}

/** The functions about addresses and nodes over documents, from one function over text. */
export function addressesOf(call: Call): Addresses {
  return { ...functionsOf<Addressing>(addressing, asking(call)), call: checked(call) };
}

/** The functions about infrastructure over documents, from one function over text. */
export function infrastructureOf(call: Call): Infrastructure {
  return { ...functionsOf<Planning>(planning, asking(call)), call: checked(call) };
}

/** The functions about control planes and machines over documents, from one function over text. */
export function renderingOf(call: Call): RenderingPolicy {
  return { ...functionsOf<Rendering>(rendering, asking(call)), call: checked(call) };
}

/** The functions about objects of webhooks over documents, from one function over text. */
export function mutatingOf(call: Call): MutatingPolicy {
  return { ...functionsOf<Mutating>(mutating, asking(call)), call: checked(call) };
}

/** A function for each name of a table. What `ask` gets after the name are the arguments of the function. */
export function functionsOf<Functions>(
  table: Record<keyof Functions, boolean>,
  ask: (name: string, request: object | string, ...others: never[]) => unknown,
): Functions {
  const functions = Object.entries(table).map(([name, takesRequest]) => {
    const whole = ask as (...all: unknown[]) => unknown;
    return [name, (...given: unknown[]) => (takesRequest ? whole(name, ...given) : whole(name, "{}", ...given))];
  });
  return Object.fromEntries(functions);
}

function asking(call: Call) {
  return (name: string, request: object | string): unknown => {
    const text = written(request);
    return typeof text === "string" ? read(call(name, text)) : text;
  };
}

function checked(call: Call): Call {
  return (name, request) => noText(name, request) ?? call(name, request);
}

/** The answer to a call that is not of texts, whatever the types say. */
export function noText(name: unknown, request: unknown): string | undefined {
  if (typeof name === "string" && typeof request === "string") return undefined;
  const message = `a call is a function's name and JSON text, not ${typeof name} and ${typeof request}`;
  return JSON.stringify(failure("Malformed", message));
}

/** The text of a request, or why it has none. */
export function written(request: object | string): string | ErrorAnswer {
  if (typeof request === "string") return request;
  try {
    const text: string | undefined = JSON.stringify(request);
    return text ?? failure("Malformed", `a request is an object or its JSON text, not ${typeof request}`);
  } catch (thrown) {
    return failure("Malformed", `the request cannot be written as JSON: ${reason(thrown)}`);
  }
}

/** The document of an answer. */
export function read<Answer>(text: string): Answer | ErrorAnswer {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    return failure("PolicyTrapped", `the answer is not JSON: ${reason(thrown)}`);
  }
}
