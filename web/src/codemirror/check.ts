/** From the text of an editor to judgements. */

import type { ErrorAnswer } from "../documents.js";
import { reason } from "../errors.js";
import { place } from "../check/finding.js";
import { type Judge, type Parts, judge, jsonOf, requestOf, sentBy } from "../check/judge.js";
import { type TextObject, isItsOwnOld, isSecretKind, textAt } from "../check/objects.js";
import { type AnyPolicy, knownOf } from "../check/policy.js";
import { isJudged } from "../check/provider.js";
import { contextOf } from "../check/references.js";
import { type Document, embed } from "../yaml/index.js";
import { wholeOf } from "./fragment.js";
import type { CheckOptions, Fragment, Judgement, RequestParts } from "./options.js";

/** The code of the error where the policy, the request or the object of a fragment cannot be had. */
export const CHECK_FAILED = "CheckFailed";

/** Judges every object of a text that is the policy's, and names the others, until the signal is aborted. */
export async function check(documents: Document[], options: CheckOptions, signal: AbortSignal): Promise<Judgement[]> {
  try {
    return await judgeAll(documents, options, signal);
  } catch (thrown) {
    return [unjudged(0, { code: CHECK_FAILED, message: `the text cannot be checked: ${reason(thrown)}` })];
  }
}

async function judgeAll(
  documents: Document[],
  { policy: soon, fragment, request, defaults, create }: CheckOptions,
  signal: AbortSignal,
): Promise<Judgement[]> {
  const loaded = await soon;
  const policy = askable(loaded, signal);
  const { provider, kinds, defaulted, rules } = await knownOf(loaded);
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
    if (!isJudged(found.object, provider, kinds, others, fragment !== undefined)) {
      judgements.push({ ...unjudged(index), object: found.object, isOther: true });
      continue;
    }
    const kind = textAt(found.object, "kind") ?? "";
    const setsDefaults = defaults !== false && defaulted.has(kind);
    const isSound = document.problems.length === 0;
    const given = (await request?.(found.object)) ?? {};
    const isOfItself = given.oldObject === undefined && create !== true && isItsOwnOld(found.object);
    const parts = partsOf(contextOf(found.object, others), given, isOfItself ? found.json : undefined);
    const { ruling } = await judge([{ source: provider, policy, rules, setsDefaults }], found.json, parts, others, { isSound, isOfItself });
    const findings = ruling.findings.map((finding) => place(finding, ruling.changes, document, isSecretKind(kind)));
    // A verdict is about a text that has one meaning.
    const [problem] = document.problems;
    if (problem && ruling.verdict !== undefined && ruling.verdict !== "reject") {
      delete ruling.verdict;
      ruling.error = { code: "Malformed", message: problem.message };
    }
    judgements.push({ ...ruling, document: index, object: found.object, findings, ...(isOfItself && { isOfItself }) });
  }
  return judgements;
}

function unjudged(document: number, error?: ErrorAnswer["error"]): Judgement {
  return { document, object: undefined, findings: [], undecided: [], changes: [], ...(error && { error }) };
}

/** A policy that is asked nothing more once the signal is aborted. */
function askable(policy: AnyPolicy, signal: AbortSignal): Judge {
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

/** What goes with an object into a request. What is given goes before what the text has; `itself` is its own old object. */
function partsOf(found: Record<string, TextObject>, given: RequestParts, itself: string | undefined): Parts {
  const context = { ...jsonOf(found), ...sentBy({ isOfItself: itself !== undefined }) };
  for (const [role, object] of Object.entries(given.context ?? {})) {
    if (object !== undefined) context[role] = JSON.stringify(object);
  }
  const { context: _, facts, oldObject, ratchet, ...rest } = given;
  const before = oldObject === undefined || oldObject === null ? undefined : JSON.stringify(oldObject);
  // What an object has itself is no excuse for it.
  const members = JSON.stringify(itself === undefined ? { ...rest, ratchet } : rest).slice(1, -1);
  return requestOf(context, { old: itself ?? before, members, facts });
}
