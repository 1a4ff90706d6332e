/** Objects that no rule is asked of because of what is wrong with themselves: the errors of `trellis validate`, with a fix where one is certain. */

import { calledOf } from "../check/identity.js";
import { GARDENER } from "../check/join.js";
import { wrongKind } from "../check/kinds.js";
import { misspeltType } from "../check/provider.js";
import type { PlacedFinding } from "../check/finding.js";
import { pathOf } from "../detail.js";
import type { MeantProvider, ReviewedDocument, Skipped } from "./interface.js";
import { placer } from "./places.js";
import type { ReadText } from "./texts.js";

/** What is said of an object that no policy of a provider judges. */
export function skippedOf(text: ReadText, index: number, skipped: Skipped): Pick<ReviewedDocument, "skipped" | "unsupported" | "ruling"> {
  const error = errorOf(text, index, skipped);
  const document = text.documents[index];
  const meant = skipped.because === "provider" ? meantOf(text, index, skipped.found) : undefined;
  return {
    skipped: { ...skipped, ...(meant && { meant }) },
    ...(skipped.because === "provider" && { unsupported: skipped.found }),
    ...(error && document && { ruling: { findings: [placer([], document, text, [])(error)], undecided: [], changes: [] } }),
  };
}

function errorOf(text: ReadText, index: number, { because, found }: Skipped): PlacedFinding | undefined {
  const object = text.objects[index]?.object;
  const error = (pointer: string): Pick<PlacedFinding, "severity" | "type" | "field" | "pointer" | "source"> => ({ severity: "error", type: "FieldValueInvalid", field: pathOf(pointer), pointer, source: GARDENER });
  if (because === "twice") {
    const detail = `the text has another ${calledOf(object)}, in line ${found}`;
    return { ...error("/metadata/name"), detail, remedy: "Remove one of the two. To compare with an earlier version, give that as the old object." };
  }
  const wrong = because === "kind" ? wrongKind(object) : undefined;
  return wrong && { ...error(wrong.pointer), detail: wrong.detail, remedy: wrong.remedy, ...(wrong.fix && { fix: wrong.fix }) };
}

/** The provider that an object most likely means where it names one without a policy, and what writes that. */
function meantOf(text: ReadText, index: number, found: string): MeantProvider | undefined {
  const misspelt = misspeltType(text.objects[index]?.object, found);
  const range = misspelt && text.documents[index]?.locate(misspelt.pointer);
  return misspelt && range && { provider: misspelt.meant, range: { from: range.from, to: range.to }, fix: misspelt.fix };
}
