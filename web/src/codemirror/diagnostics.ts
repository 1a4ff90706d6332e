/** What is found in a text as diagnostics of CodeMirror. */

import { unfolded } from "../check/fold.js";
import type { Action, Diagnostic } from "@codemirror/lint";
import type { EditorState } from "@codemirror/state";
import type { OtherProblem } from "../checker/interface.js";
import type { Finding } from "../documents.js";
import type { Document, Problem, Range } from "../yaml/index.js";
import { CHECK_FAILED } from "./check.js";
import { quickFix } from "./fix.js";
import type { PlacedFinding } from "../check/finding.js";
import { fixesOf } from "../check/fix.js";
import type { Judgement, LintOptions } from "./options.js";
import { findingElement, findingText, problemElement } from "./render.js";
import { markClass } from "./theme.js";

/** A text as it was checked. */
export interface Checked {
  state: EditorState;
  documents: Document[];
  options: LintOptions;
}

const start = { from: 0, to: 0 };

/** What is wrong with a text, or with an object in it; `rule` where a rule says so. */
export function ofProblem({ from, to, message, remedy, rule, document, isWarning }: Problem & Pick<OtherProblem, "rule" | "document" | "isWarning">): Diagnostic {
  const source = rule ?? (document === undefined ? "YAML" : undefined);
  return {
    ...marked({ from, to }, isWarning ? "warning" : "error"),
    ...(source && { source }),
    message: `${message}\n${remedy}`,
    renderMessage: () => problemElement(message, remedy),
  };
}

export function ofJudgement(judgement: Judgement, checked: Checked): Diagnostic[] {
  const { findings, truncated, undecided, error } = judgement;
  const { documents, options } = checked;
  const document = documents[judgement.document];
  const top = document?.locate(options.fragment?.at ?? "") ?? start;
  const shown = unfolded(findings).flatMap((finding) => ofFinding(finding, judgement.document, checked));
  if (error?.code === CHECK_FAILED) {
    shown.push({ ...marked(start, "info"), message: error.message });
  } else if (error && document?.json !== undefined) {
    // Why a document cannot be read is among its problems.
    const place = document.locate(error.pointer ?? "") ?? top;
    shown.push({ ...marked(place, "error"), source: error.code, message: error.message });
  }
  if (truncated) shown.push({ ...marked(top, "info"), message: truncation(truncated) });
  if (options.undecided) {
    for (const { rule, why } of undecided) shown.push({ ...marked(top, "info"), source: rule, message: why });
  }
  return shown;
}

function ofFinding(finding: PlacedFinding, document: number, checked: Checked): Diagnostic[] {
  const { state, documents, options } = checked;
  const { range } = finding;
  if (!range) return [];
  const place = { doc: state.doc, documents, document, at: options.fragment?.at };
  const fixes = state.readOnly ? [] : fixesOf(finding);
  return [ofFound(finding, range, fixes.flatMap((fix) => quickFix(fix, place) ?? []))];
}

/** Says that there are more findings than are shown. */
export function truncation(severities: Finding["severity"][]): string {
  const words = severities.map((severity) => `${severity}s`).join(" and ");
  return `there are more ${words} than are shown; fix these, and the others show`;
}

type Severity = "error" | "warning" | "info";

/** A diagnostic of a finding that is in the text. */
export function ofFound(finding: PlacedFinding & { elsewhere?: string }, range: Range, actions: Action[]): Diagnostic {
  const { severity, rule } = finding;
  return {
    ...marked(range, severity),
    ...(rule && { source: rule }),
    message: findingText(finding),
    renderMessage: () => findingElement(finding),
    ...(actions.length > 0 && { actions }),
  };
}

export function marked({ from, to }: Range, severity: Severity): Pick<Diagnostic, "from" | "to" | "severity" | "markClass"> {
  return { from, to, severity, markClass: markClass(severity) };
}
