import type {
  AddressesAnswer,
  ClassifyAnswer,
  ClassifyRequest,
  DefaultAnswer,
  ErrorAnswer,
  Info,
  PlanAnswer,
  PlanRequest,
  PolicyRequest,
  RulesAnswer,
  StatusAnswer,
  StatusRequest,
  ValidateAnswer,
  ZonesAnswer,
  ZonesRequest,
} from "./documents.js";
import { failure, reason } from "./errors.js";

/**
 * The policy of one provider. A request is an object, or its JSON text, which is passed on as it is: text keeps
 * duplicate keys and the spelling of numbers. Nothing throws: what is wrong is said in an `ErrorAnswer`.
 */
export interface Policy {
  /** What the policy is and what it reads. */
  info(): Info | ErrorAnswer;
  /** Every rule. */
  rules(): RulesAnswer | ErrorAnswer;
  /** Judges an object. */
  validate(request: PolicyRequest | string): ValidateAnswer | ErrorAnswer;
  /** Fills in what a person left out. */
  default(request: PolicyRequest | string): DefaultAnswer | ErrorAnswer;
  /** Tells the address space of an object. */
  addresses(request: PolicyRequest | string): AddressesAnswer | ErrorAnswer;
  /** Chooses ranges for zones to add to an object; not where `functions` of `info` lacks it. */
  zones(request: ZonesRequest | string): ZonesAnswer | ErrorAnswer;
  /** Calls a function by its name: JSON text in, JSON text out, the same bytes as on every other engine. */
  call(name: string, request: string): string;
}

/** What one provider decides of the infrastructure of Shoots, under the same conditions. */
export interface Infrastructure {
  /**
   * Plans an infrastructure: what changes and by which calls, or what has to be asked first. With the baseline `empty`, or
   * an older request, nothing has to be.
   */
  plan(request: PlanRequest | string): PlanAnswer | ErrorAnswer;
  /** Tells the status of an infrastructure by its recorded state. */
  status(request: StatusRequest | string): StatusAnswer | ErrorAnswer;
  /** Tells what to do about the error of a call of a plan. */
  classify(request: ClassifyRequest | string): ClassifyAnswer | ErrorAnswer;
  /** Calls a function by its name, as that of a policy. */
  call(name: string, request: string): string;
}

type Call = (name: string, request: string) => string;

/** The functions over documents, from one over text. */
export function policyOf(call: Call): Policy {
  const ask = asking(call);
  return {
    info: () => ask("info", "{}"),
    rules: () => ask("rules", "{}"),
    validate: (request) => ask("validate", request),
    default: (request) => ask("default", request),
    addresses: (request) => ask("addresses", request),
    zones: (request) => ask("zones", request),
    call: (name, request) => noText(name, request) ?? call(name, request),
  };
}

/** The functions about infrastructure over documents, from one over text. */
export function infrastructureOf(call: Call): Infrastructure {
  const ask = asking(call);
  return {
    plan: (request) => ask("plan", request),
    status: (request) => ask("status", request),
    classify: (request) => ask("classify", request),
    call: (name, request) => noText(name, request) ?? call(name, request),
  };
}

function asking(call: Call) {
  return <Answer>(name: string, request: object | string): Answer | ErrorAnswer => {
    const text = written(request);
    return typeof text === "string" ? read<Answer>(call(name, text)) : text;
  };
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
