/**
 * Names that misspelt keys most likely mean. In an object with its defaults, the right key may be there because of a default, and then no
 * policy takes the other one for it.
 */

import type { ErrorAnswer, Finding, ValidateAnswer } from "../documents.js";
import { isSame } from "./finding.js";

/** Whether there are keys that a policy does not take for others. */
export function isOpen({ findings }: ValidateAnswer): boolean {
  return findings.some(isUnnamed);
}

/** The answer with what the policy says of such keys in the object as a person wrote it. */
export function spelt(answer: ValidateAnswer, written: ValidateAnswer | ErrorAnswer): ValidateAnswer {
  if ("error" in written) return answer;
  const findings = answer.findings.map((finding): Finding => {
    const named = isUnnamed(finding) ? written.findings.find((other) => other.atKey === true && isSame(other, finding) && !isUnnamed(other)) : undefined;
    if (!named) return finding;
    const { fix: _, assume: __, summary: ___, ...rest } = finding;
    const { fix, assume, summary, remedy } = named;
    return { ...rest, remedy, ...(summary !== undefined && { summary }), ...(fix && { fix }), ...(assume && { assume }) };
  });
  return { ...answer, findings };
}

function isUnnamed({ atKey, fix = [] }: Finding): boolean {
  return atKey === true && !fix.some(({ op }) => op === "move");
}
