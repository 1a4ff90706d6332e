import type { Policy } from "trellis-policy";
import { applyEdits, edits, parse } from "trellis-policy/yaml";

/** What is wrong with the first object of a text, where that is, and what the text becomes by the fix. */
export function review(policy: Policy, text: string) {
  const [document] = parse(text);
  if (document?.json === undefined) return []; // `document.problems` says why
  const answer = policy.validate(`{"object":${document.json}}`);
  if ("error" in answer) return []; // `answer.error` says why
  return answer.findings.map(({ detail, pointer, fix }) => {
    const found = fix && edits(text, fix);
    return { detail, place: document.locate(pointer), fixed: found && applyEdits(text, found) };
  });
}
