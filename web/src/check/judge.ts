/** From an object to a ruling: defaults first, as the API server sets them, then the rules. */

import type {
  DefaultChange,
  DefaultAnswer,
  ErrorAnswer,
  PatchOperation,
  Scope,
  Severity,
  Undecided,
  ValidateAnswer,
} from "../documents.js";
import { patchJson } from "../yaml/patch.js";
import type { PlacedFinding } from "./finding.js";
import { Lookup } from "./lookup.js";
import type { TextObject } from "./objects.js";
import type { Soon } from "./policy.js";

/** As much of a policy as judges. */
export interface Judge {
  validate(request: string): Soon<ValidateAnswer | ErrorAnswer>;
  default(request: string): Soon<DefaultAnswer | ErrorAnswer>;
}

/** What a policy says of an object. */
export interface Ruling {
  /** Absent where the policy could not judge: `error` says why. */
  verdict?: ValidateAnswer["verdict"];
  /** Whose rules the verdict covers; where there is a verdict. */
  scope?: Scope;
  findings: PlacedFinding[];
  /** The severities of which there are more findings than these; absent where there are none. */
  truncated?: Severity[];
  undecided: Undecided[];
  /** Defaults that were set before the rules were asked. */
  changes: DefaultChange[];
  error?: ErrorAnswer["error"];
}

/** A ruling, and the object that the rules were asked about. */
export interface Judged {
  ruling: Ruling;
  /** JSON text of the object with its defaults. */
  object: string;
  /** What made it of the object that was given. */
  patch: PatchOperation[];
}

/** What goes with an object and facts into a request, all as JSON text. */
export type Parts = (object: string, facts?: string[]) => string;

/**
 * The request for an object, from the objects that it refers to, by role, the JSON text of further members, without
 * their braces, and the facts of the caller. Of two facts for one query, a policy takes the first: that of the caller.
 */
export function requestOf(context: Record<string, string>, members = "", given: object[] = []): Parts {
  const roles = Object.entries(context).map(([role, json]) => `${JSON.stringify(role)}:${json}`);
  const rest = `"context":{${roles.join()}}${members && `,${members}`}`;
  const known = given.map((fact) => JSON.stringify(fact));
  return (object, facts = []) => {
    const all = [...known, ...facts];
    return `{"object":${object},${rest}${all.length > 0 ? `,"facts":[${all.join()}]` : ""}}`;
  };
}

/** JSON text of objects by role. */
export function jsonOf(found: Record<string, TextObject>): Record<string, string> {
  return Object.fromEntries(Object.entries(found).map(([role, { json }]) => [role, json]));
}

/** Judges an object, given as JSON text. `others` are objects that may answer what the policy asks for. */
export async function judge(
  policy: Judge,
  json: string,
  request: Parts,
  setsDefaults: boolean,
  others: TextObject[],
): Promise<Judged> {
  const lookup = new Lookup(others);
  const defaulted = setsDefaults ? await lookup.ask((facts) => policy.default(request(json, facts))) : undefined;
  const changes: DefaultChange[] = [];
  const undecided: Undecided[] = [];
  const findings: PlacedFinding[] = [];
  let object = json;
  let patch: PatchOperation[] = [];
  if (defaulted && !("error" in defaulted)) {
    patch = defaulted.patch;
    object = patchJson(json, patch) ?? json;
    changes.push(...defaulted.changes);
    undecided.push(...defaulted.undecided);
  } else if (defaulted?.error.code === "Denied") {
    findings.push(refusal(defaulted.error));
  } else if (defaulted) {
    return { ruling: { findings, undecided, changes, error: defaulted.error }, object, patch };
  }
  // Rules may reject an object that has a default which the policy could not decide.
  const lacksDefaults = undecided.length > 0;
  const answer = await lookup.ask((facts) => policy.validate(request(object, facts)));
  if ("error" in answer) return { ruling: { findings, undecided, changes, error: answer.error }, object, patch };
  for (const open of answer.undecided) {
    if (!undecided.some(({ rule, why }) => rule === open.rule && why === open.why)) undecided.push(open);
  }
  const isOpen = answer.verdict === "accept" && lacksDefaults;
  const verdict = findings.length > 0 ? "reject" : isOpen ? "undecided" : answer.verdict;
  findings.push(...answer.findings);
  const { scope, truncated } = answer;
  return { ruling: { verdict, scope, findings, ...(truncated && { truncated }), undecided, changes }, object, patch };
}

/** The finding that tells of a refusal to set defaults. */
function refusal({ message, pointer = "" }: ErrorAnswer["error"]): PlacedFinding {
  const remedy = "Mend this first: defaults cannot be set on the object as it is.";
  return { severity: "error", type: "Denied", field: "", pointer, detail: message, remedy };
}
