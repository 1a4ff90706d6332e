/** Rulings with the places of their findings in the text. */

import { type PlacedFinding, place } from "../check/finding.js";
import { choicesOf, isInText } from "../check/fix.js";
import type { Judged } from "../check/judge.js";
import { pathOf } from "../detail.js";
import type { DefaultChange } from "../documents.js";
import type { Document } from "../yaml/index.js";
import type { ReviewedFinding, Ruling } from "./interface.js";
import type { KnownPolicy } from "./policies.js";
import { isOfWhole } from "./onto.js";
import type { ReadText } from "./texts.js";

/** A ruling on a document. No finding repeats what its problems say at a key. */
export function placed(policies: KnownPolicy[], { ruling }: Judged, document: Document, text: ReadText, isSecret: boolean): Ruling {
  const { verdict, scope, error, truncated, untried, undecided, changes } = ruling;
  const isReported = ({ atKey, range }: ReviewedFinding): boolean =>
    atKey === true && document.problems.some((problem) => problem.from === range?.from && problem.to === range.to);
  const findings = ruling.findings.map(placer(policies, document, text, changes, isSecret)).filter((finding) => !isReported(finding));
  const range = error && (document.locate(error.pointer ?? "") ?? document.locate(""));
  return {
    ...(verdict && { verdict }),
    ...(scope && { scope }),
    ...(error && { error }),
    ...(range && { range: { from: range.from, to: range.to }, line: text.lineAt(range.from) }),
    findings,
    ...(truncated && { truncated }),
    ...(untried && { untried }),
    undecided,
    changes,
  };
}

/** Finds the places of findings in a document. */
export function placer(
  policies: KnownPolicy[],
  document: Document,
  text: ReadText,
  changes: DefaultChange[],
  isSecret = false,
): (finding: PlacedFinding) => ReviewedFinding {
  const onto = text.partOf.get(text.documents.indexOf(document));
  const isSound = text.documents.every(({ json, problems }) => json !== undefined && problems.length === 0);
  return (finding) => {
    const found = place(finding, changes, document, isSecret);
    const isFixable = isSound && found.fix !== undefined && isInText(found.fix, document) && (!onto || isOfWhole(found.fix, onto.object));
    const elsewhere = onto && document.locate(finding.pointer)?.exact !== true ? { elsewhere: pathOf(finding.pointer) } : {};
    const isChoosable = isSound && choicesOf(found).some(({ fix }) => isInText(fix, document));
    const isOfUpdate = policies.some(({ rules }) => rules.get(finding.rule ?? "")?.operation === "update");
    const line = found.range && { line: text.lineAt(found.range.from) };
    return { ...found, ...line, ...elsewhere, isFixable, ...(isChoosable && { isChoosable }), isOfUpdate };
  };
}
