/**
 * A policy in a CodeMirror editor: what it finds is underlined while people type, with what to do and a quick fix, and
 * rules and fields explain themselves where the pointer rests.
 *
 * ```js
 * const policy = await load({ provider });
 * new EditorView({ extensions: [yaml(), trellis({ policy })], parent });
 * ```
 */

import { lintKeymap } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { hovering } from "./hover.js";
import { refuseUnknown } from "./known-options.js";
import { linting } from "./lint.js";
import { HOVER_OPTIONS, type HoverOptions, LINT_OPTIONS, type LintOptions } from "./options.js";

export { type CompletionOptions, policyCompletion, policyCompletionSource } from "./complete.js";
export { type FieldHoverOptions, fieldHover } from "./field-hover.js";
export { type HiddenOptions, hiddenValues, hideValues, revealValues } from "./hidden.js";
export { invisibleCharacters } from "./invisible.js";
export { ofProblem as problemDiagnostic } from "./diagnostics.js";
export { policyHover } from "./hover.js";
export { recheck } from "./checks.js";
export { policyLinter } from "./lint.js";
export { type ReviewOptions, diagnosticsOf, reviewLinter } from "./review.js";
export type { Choice, ChoicePlace } from "../choices/place.js";
export type { PlacedFinding } from "../check/finding.js";
export type { AnyPolicy } from "../check/policy.js";
export type { CheckOptions, Fragment, HoverOptions, Judgement, LintOptions, RequestParts } from "./options.js";

/** Linter, hover and CodeMirror's keys for diagnostics: F8 for the next one, Ctrl-Shift-M for the list. */
export function trellis(options: LintOptions & HoverOptions): Extension {
  refuseUnknown("trellis", options, { ...LINT_OPTIONS, ...HOVER_OPTIONS });
  return [linting(options), hovering(options), keymap.of(lintKeymap)];
}
