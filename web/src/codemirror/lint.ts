/** Findings of a policy as diagnostics of CodeMirror. */

import { type Action, type Diagnostic, forceLinting, linter } from "@codemirror/lint";
import { type Extension, StateEffect, type Text } from "@codemirror/state";
import type { EditorView, ViewUpdate } from "@codemirror/view";
import type { ErrorAnswer, PatchOperation } from "../documents.js";
import { reason } from "../errors.js";
import { type Document, type Problem, edits } from "../yaml/index.js";
import { check } from "./check.js";
import { documentsOf } from "./documents.js";
import { expected } from "./known.js";
import type { Judgement, LintOptions, PlacedFinding } from "./options.js";
import { findingElement, findingText, problemElement } from "./render.js";
import { markClass, theme } from "./theme.js";

const recheckEffect = StateEffect.define<null>();

/** Checks the text again, after something else has changed that goes into the request. */
export function recheck(view: EditorView): void {
  view.dispatch({ effects: recheckEffect.of(null) });
}

/**
 * Underlines what a policy finds in the editor's text, with what to do, and a quick fix where one mend is certain. What
 * is wrong with the YAML itself is underlined, too.
 */
export function policyLinter(options: LintOptions): Extension {
  const { delay = 300, fragment } = options;
  expected(options.policy);
  const latest = new WeakMap<EditorView, Promise<Diagnostic[]>>();
  const lintText = ({ state }: EditorView): Diagnostic[] =>
    documentsOf(state.doc, fragment?.at).flatMap(({ problems }) => problems.map(ofProblem));
  const lintObjects = (view: EditorView): Promise<Diagnostic[]> => {
    const run: Promise<Diagnostic[]> = judged(view, options, () => latest.get(view) === run).then((found) =>
      // What was asked later may have been answered sooner.
      latest.get(view) === run ? found : (latest.get(view) ?? found),
    );
    latest.set(view, run);
    return run;
  };
  const needsRefresh = ({ transactions }: ViewUpdate): boolean =>
    transactions.some(({ effects }) => effects.some((effect) => effect.is(recheckEffect)));
  return [linter(lintText, { delay }), linter(lintObjects, { delay, needsRefresh }), theme];
}

/** The diagnostics of one run over the text as it is now. */
async function judged(view: EditorView, options: LintOptions, isLatest: () => boolean): Promise<Diagnostic[]> {
  const { doc } = view.state;
  const documents = documentsOf(doc, options.fragment?.at);
  let judgements: Judgement[];
  try {
    judgements = await check(documents, options);
  } catch (thrown) {
    const message = `The text cannot be checked: ${reason(thrown)}`;
    return [{ ...start, severity: "info", markClass: markClass("info"), message }];
  }
  // What was found in an older text says nothing of this one; CodeMirror drops its diagnostics likewise.
  if (view.state.doc !== doc || !isLatest()) return [];
  options.onCheck?.(judgements, view);
  const checked = { text: doc.toString(), doc, options };
  return judgements.flatMap((judgement) => {
    const document = documents[judgement.document];
    return document ? ofJudgement(judgement, document, checked) : [];
  });
}

/** The text that was checked. */
interface Checked {
  text: string;
  doc: Text;
  options: LintOptions;
}

const start = { from: 0, to: 0 };

function ofProblem({ from, to, message, remedy }: Problem): Diagnostic {
  return {
    from,
    to,
    severity: "error",
    markClass: markClass("error"),
    source: "YAML",
    message: `${message}\n${remedy}`,
    renderMessage: () => problemElement(message, remedy),
  };
}

function ofJudgement(judgement: Judgement, place: Document, checked: Checked): Diagnostic[] {
  const { findings, undecided, error, document } = judgement;
  const top = place.locate(checked.options.fragment?.at ?? "") ?? start;
  const shown = findings.flatMap((finding) => ofFinding(finding, document, checked));
  if (error) shown.push(ofError(error, place.locate(error.pointer ?? "") ?? top));
  if (checked.options.undecided) {
    for (const { rule, why } of undecided) {
      const { from, to } = top;
      shown.push({ from, to, severity: "info", markClass: markClass("info"), source: rule, message: why });
    }
  }
  return shown;
}

function ofFinding(finding: PlacedFinding, document: number, checked: Checked): Diagnostic[] {
  const { range, severity, rule, fix } = finding;
  if (!range) return [];
  const action = fix && quickFix(fix, document, checked);
  return [
    {
      ...range,
      severity,
      markClass: markClass(severity),
      ...(rule && { source: rule }),
      message: findingText(finding),
      renderMessage: () => findingElement(finding),
      ...(action && { actions: [action] }),
    },
  ];
}

function ofError({ code, message }: ErrorAnswer["error"], { from, to }: { from: number; to: number }): Diagnostic {
  return { from, to, severity: "error", markClass: markClass("error"), source: code, message };
}

/** Mends the text by one transaction, which one undo takes back. */
function quickFix(fix: PatchOperation[], document: number, { text, doc, options }: Checked): Action | undefined {
  const changes = edits(text, fix, { at: options.fragment?.at, document });
  return (
    changes && {
      name: nameOf(fix),
      apply(view) {
        // The text has changed since; the next check finds what there is to mend now.
        if (view.state.doc !== doc) return forceLinting(view);
        view.dispatch({ changes, userEvent: "input.fix" });
        forceLinting(view);
      },
    }
  );
}

/** What a fix does, in a few words. */
function nameOf(fix: PatchOperation[]): string {
  const [operation] = fix;
  if (!operation || fix.length > 1) return "Fix";
  const key = operation.path.split("/").at(-1)?.replaceAll("~1", "/").replaceAll("~0", "~") ?? "";
  if (operation.op === "remove") return `Remove ${key}`;
  const { value } = operation;
  const shown = typeof value === "object" && value !== null ? "" : String(value);
  if (shown === "" || shown.length > 40) return `Set ${key}`;
  return `Set ${key} to ${shown}`;
}
