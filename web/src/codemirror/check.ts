/** From the text of an editor to judgements: defaults first, as the API server sets them, then the rules. */

import type { Change, ErrorAnswer, Undecided } from "../documents.js";
import { type Document, embed } from "../yaml/index.js";
import { patchJson } from "../yaml/patch.js";
import { knownOf } from "./known.js";
import { type TextObject, contextOf, isJudged, textAt } from "./objects.js";
import type { AnyPolicy, CheckOptions, Fragment, Judgement, PlacedFinding, RequestParts } from "./options.js";

/** Judges every object of a text that is the policy's. Rejects where the policy cannot be loaded or asked. */
export async function check(
  documents: Document[],
  { policy: soon, fragment, request, defaults }: CheckOptions,
): Promise<Judgement[]> {
  const policy = await soon;
  const { provider, kinds, defaulted } = await knownOf(policy);
  const objects = await objectsOf(documents, fragment);
  const others = objects.filter((object) => object !== undefined);

  const judgements: Judgement[] = [];
  for (const [index, document] of documents.entries()) {
    const found = objects[index];
    if (!found || !isJudged(found.object, provider, kinds, others)) continue;
    const kind = textAt(found.object, "kind") ?? "";
    // What is there twice would not outlive defaulting, and the policy has rules about it.
    const sets = defaults !== false && defaulted.has(kind) && document.problems.length === 0;
    const parts = membersOf(contextOf(found.object, others), await request?.(found.object));
    const ruling = await judge(policy, found.json, parts, sets);
    const findings = ruling.findings.map((finding) => place(finding, ruling.changes, document, kind === "Secret"));
    judgements.push({ ...ruling, document: index, object: found.object, findings });
  }
  return judgements;
}

/** The objects of the documents, whole ones also where the text has but a part. */
async function objectsOf(documents: Document[], fragment: Fragment | undefined): Promise<(TextObject | undefined)[]> {
  const given = await fragment?.object();
  const whole = typeof given === "string" ? given : JSON.stringify(given);
  return documents.map(({ json }) => {
    if (json === undefined) return undefined;
    const text = fragment ? embed(whole, fragment.at, json) : json;
    if (text === undefined) throw new Error(`the object has no place for a fragment at ${fragment?.at}`);
    return { json: text, object: JSON.parse(text) };
  });
}

/** The members of a request beside the object, as JSON text. What is given goes before what the text has. */
function membersOf(found: Record<string, TextObject>, given: RequestParts = {}): string {
  const context = Object.fromEntries(Object.entries(found).map(([role, { json }]) => [role, json]));
  for (const [role, object] of Object.entries(given.context ?? {})) {
    if (object !== undefined) context[role] = JSON.stringify(object);
  }
  const { context: _, ...rest } = given;
  const roles = Object.entries(context).map(([role, json]) => `${JSON.stringify(role)}:${json}`);
  return `"context":{${roles.join()}},${JSON.stringify(rest).slice(1)}`.replace(/,\}$/, "}");
}

type Ruling = Omit<Judgement, "document" | "object">;

/** `parts` are the other members of the request and its closing brace. */
async function judge(policy: AnyPolicy, json: string, parts: string, setsDefaults: boolean): Promise<Ruling> {
  const ask = (object: string): string => `{"object":${object},${parts}`;
  const defaulted = setsDefaults ? await policy.default(ask(json)) : undefined;
  const changes: Change[] = [];
  const undecided: Undecided[] = [];
  const findings: PlacedFinding[] = [];
  let object = json;
  if (defaulted && !("error" in defaulted)) {
    object = patchJson(json, defaulted.patch) ?? json;
    changes.push(...defaulted.changes);
    undecided.push(...defaulted.undecided);
  } else if (defaulted?.error.code === "Denied") {
    findings.push(refusal(defaulted.error));
  } else if (defaulted) {
    return { findings, undecided, changes, error: defaulted.error };
  }
  const answer = await policy.validate(ask(object));
  if ("error" in answer) return { findings, undecided, changes, error: answer.error };
  for (const open of answer.undecided) {
    if (!undecided.some(({ rule, why }) => rule === open.rule && why === open.why)) undecided.push(open);
  }
  const isOpen = answer.verdict === "accept" && undecided.length > 0;
  const verdict = findings.length > 0 ? "reject" : isOpen ? "undecided" : answer.verdict;
  return { verdict, findings: [...findings, ...answer.findings], undecided, changes };
}

/** The finding that tells of a refusal to set defaults. */
function refusal({ message, pointer = "" }: ErrorAnswer["error"]): PlacedFinding {
  const remedy = "Mend this first: defaults cannot be set on the object as it is.";
  return { severity: "error", type: "Denied", field: "", pointer, detail: message, remedy };
}

function place(finding: PlacedFinding, changes: Change[], document: Document, isSecret: boolean): PlacedFinding {
  const { pointer, fix } = finding;
  const found = document.locate(pointer);
  // Of what is to go, the name says more than the value.
  const goes = found?.exact && fix?.length === 1 && fix[0]?.op === "remove" && fix[0].path === pointer;
  const range = goes ? (found.key ?? found) : found;
  const isSet = (change: Change): boolean => `${pointer}/`.startsWith(`${change.pointer}/`);
  const setBy = changes.filter(isSet).at(-1);
  const { badValue: _, fix: __, ...hidden } = finding;
  return {
    // Policies keep values of Secrets to themselves; this is for one that forgets to.
    ...(isSecret ? hidden : finding),
    ...(range && { range: { from: range.from, to: range.to } }),
    ...(setBy && { setBy }),
  };
}
