/** From the text of an editor to judgements: defaults first, as the API server sets them, then the rules. */

import type { Change, ErrorAnswer, Undecided } from "../documents.js";
import { reason } from "../errors.js";
import { type Document, embed } from "../yaml/index.js";
import { patchJson } from "../yaml/patch.js";
import { knownOf } from "./known.js";
import { type TextObject, contextOf, isJudged, textAt, wholeOf } from "./objects.js";
import type { AnyPolicy, CheckOptions, Fragment, Judgement, PlacedFinding, RequestParts } from "./options.js";

/** The code of the error where the policy, the request or the object of a fragment cannot be had. */
export const CHECK_FAILED = "CheckFailed";

/** Judges every object of a text that is the policy's, until the signal is aborted. */
export async function check(documents: Document[], options: CheckOptions, signal: AbortSignal): Promise<Judgement[]> {
  try {
    return await judgeAll(documents, options, signal);
  } catch (thrown) {
    return [unjudged(0, { code: CHECK_FAILED, message: `the text cannot be checked: ${reason(thrown)}` })];
  }
}

async function judgeAll(
  documents: Document[],
  { policy: soon, fragment, request, defaults }: CheckOptions,
  signal: AbortSignal,
): Promise<Judgement[]> {
  const loaded = await soon;
  const policy = askable(loaded, signal);
  const { provider, kinds, defaulted } = await knownOf(loaded);
  const whole = fragment && (await wholeOf(fragment));
  if (fragment && whole === undefined) return documents.map((_, index) => unjudged(index));
  const objects = documents.map(({ json }) => (json === undefined ? undefined : objectOf(json, fragment, whole)));
  const others = objects.filter((object) => object !== undefined);

  const judgements: Judgement[] = [];
  for (const [index, document] of documents.entries()) {
    const found = objects[index];
    if (!found) {
      const message = document.problems.find(({ readable }) => !readable)?.message ?? "the text cannot be read";
      judgements.push(unjudged(index, { code: "Malformed", message }));
      continue;
    }
    if (!isJudged(found.object, provider, kinds, others, fragment !== undefined)) continue;
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

function unjudged(document: number, error?: ErrorAnswer["error"]): Judgement {
  return { document, object: undefined, findings: [], undecided: [], changes: [], ...(error && { error }) };
}

type Askable = Pick<AnyPolicy, "default" | "validate">;

/** A policy that is asked nothing more once the signal is aborted. */
function askable(policy: AnyPolicy, signal: AbortSignal): Askable {
  return {
    default(request) {
      signal.throwIfAborted();
      return policy.default(request, { signal });
    },
    validate(request) {
      signal.throwIfAborted();
      return policy.validate(request, { signal });
    },
  };
}

/** The object of a document, the whole one also where the text has but a part. */
function objectOf(json: string, fragment: Fragment | undefined, whole = ""): TextObject {
  const text = fragment ? embed(whole, fragment.at, json) : json;
  if (text === undefined) throw new Error(`the object has no place for a fragment at \`${fragment?.at}\``);
  return { json: text, object: JSON.parse(text) };
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
async function judge(policy: Askable, json: string, parts: string, setsDefaults: boolean): Promise<Ruling> {
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
