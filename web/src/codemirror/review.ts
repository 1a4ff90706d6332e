/** A linter that asks a checker, so that nothing is read or judged on the page's own thread. */

import { unfolded } from "../check/fold.js";
import { type Action, type Diagnostic, forceLinting, lintKeymap } from "@codemirror/lint";
import type { Extension, Text } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import { fixesOf, nameOfFix } from "../check/fix.js";
import type { Checker, OtherProblem, Review, ReviewCall, ReviewedDocument, ReviewedFinding } from "../checker/interface.js";
import type { PatchOperation } from "../documents.js";
import { reason } from "../errors.js";
import { checking, recheckAtOnce } from "./checks.js";
import { marked, ofFound, ofProblem, truncation } from "./diagnostics.js";
import { refuseUnknown } from "./known-options.js";
import { byLines } from "./lines.js";
import { theme } from "./theme.js";

export interface ReviewOptions {
  /**
   * Reviews the editor's text, as `review` of a `Checker` does with what else there is to know. The signal is aborted
   * when the text has changed; undefined is no review, and shows nothing. Give the options to the checker, which it uses to report when
   * Gardener's own rules are there, too, and the editor asks again.
   */
  review(text: string, options: ReviewCall): Promise<Review | undefined>;
  /** The edits that make a fix, as `edits` of a `Checker` finds them; without it, there are no quick fixes. */
  edits?: Checker["edits"] | undefined;
  /** Milliseconds without typing before the text is checked; 300 by default. */
  delay?: number | undefined;
  /** Whether rules that cannot be judged from the text are shown as information; false by default. */
  undecided?: boolean | undefined;
  /** Called with the reason why something could not be checked, in words for developers; people read a note in words for them. */
  onFailure?: ((message: string) => void) | undefined;
  /** Called with every review of the text that the editor still has. */
  onReview?: ((review: Review, view: EditorView) => void) | undefined;
}

/**
 * Underlines what a checker finds in the editor's text, with what to do, and a quick fix where one fix is certain or there are values to choose from. What
 * is wrong with the YAML itself is underlined, too. `recheck` checks again.
 */
export function reviewLinter(options: ReviewOptions): Extension {
  refuseUnknown("reviewLinter", options, { review: true, edits: true, delay: true, undecided: true, onFailure: true, onReview: true });
  return [checking((view, signal) => reviewed(view, options, signal), options.delay ?? 300), keymap.of(lintKeymap), theme];
}

/** The diagnostics of the text as it is now. */
async function reviewed(view: EditorView, options: ReviewOptions, signal: AbortSignal): Promise<Diagnostic[]> {
  const { doc, readOnly } = view.state;
  let review: Review | undefined;
  try {
    review = await options.review(doc.toString(), { signal, onMore: () => signal.aborted || recheckAtOnce(view) });
  } catch (thrown) {
    if (signal.aborted) return [];
    options.onFailure?.(reason(thrown));
    return [{ ...marked({ from: 0, to: 0 }, "info"), message: UNCHECKED }];
  }
  if (signal.aborted || !review) return [];
  options.onReview?.(review, view);
  failuresOf(review).forEach((failure) => options.onFailure?.(failure));
  const { edits, undecided } = options;
  return diagnosticsOf(review, {
    undecided,
    action: edits && !readOnly ? (fix, document) => fixing(edits, doc, fix, document) : undefined,
  });
}

/** A review as diagnostics. `action` makes a quick fix of a finding that has some. */
export function diagnosticsOf(
  { documents, old, context }: Review,
  {
    undecided = false,
    action,
  }: {
    undecided?: boolean | undefined;
    action?: ((fix: PatchOperation[], document: number) => Action) | undefined;
  } = {},
): Diagnostic[] {
  const lost = documents.find(isLost);
  return [
    ...(lost ? [{ ...marked(lost.head, "info"), message: IN_PART }] : []),
    ...unread(UNREAD.old, old),
    ...unread(UNREAD.context, context),
    ...documents.flatMap((document, index) => [
      ...document.problems.map(ofProblem),
      ...ofRuling(document, undecided, (fix) => action?.(fix, index)),
      ...ofMeant(document, (fix) => action?.(fix, index)),
    ]),
  ];
}

/** What people read where the text could not be checked at all, or not by all rules. */
const UNCHECKED = "The text could not be checked. Reload the page to try again.";
const IN_PART = "Not all rules could be loaded, so there may be more to find. Reload the page to try again.";

const UNREAD = { old: "Not all of the objects as they were are read", context: "Not all of the objects that the text refers to are read" };

/** Another text that cannot be read: nobody sees it in this editor. */
function unread(what: string, problems: OtherProblem[]): Diagnostic[] {
  const found = problems.find(({ readable }) => !readable);
  return found ? [{ ...marked({ from: 0, to: 0 }, "info"), message: `${what}: ${found.message}.\n${found.remedy}` }] : [];
}

/** A provider that has no policy because its name is misspelt. */
function ofMeant({ skipped }: ReviewedDocument, action: (fix: PatchOperation[]) => Action | undefined): Diagnostic[] {
  if (!skipped?.meant) return [];
  const { provider, range, fix } = skipped.meant;
  const quick = action(fix);
  return [{ ...marked(range, "info"), message: `Trellis has no rules of ${skipped.found}: did you mean ${provider}?`, ...(quick && { actions: [quick] }) }];
}

const UNAVAILABLE = "PolicyUnavailable";

/** Why rules could not be asked, each reason once, and what of the other texts cannot be read. */
function failuresOf({ documents, old, context }: Review): string[] {
  const rules = documents.flatMap(({ ruling, gardenerError }) => [ruling?.error?.message ?? [], gardenerError ?? []].flat());
  const texts = Object.entries({ old, context }).flatMap(([name, problems]) => problems.filter(({ readable }) => !readable).map(({ message }) => `\`${name}\` is not read as a whole: ${message}`));
  return [...new Set([...rules, ...texts])];
}

/** Whether a module with rules of a document could not be loaded. */
function isLost({ ruling, gardenerError }: ReviewedDocument): boolean {
  return gardenerError !== undefined || ruling?.error?.code === UNAVAILABLE;
}

function ofRuling(
  { ruling, head }: ReviewedDocument,
  undecided: boolean,
  action: (fix: PatchOperation[]) => Action | undefined,
): Diagnostic[] {
  if (!ruling) return [];
  const { findings, truncated, error, range } = ruling;
  const open = undecided ? ruling.undecided : [];
  return [
    ...unfolded(findings).flatMap((finding) => ofFinding(finding, action)),
    ...(truncated ? [{ ...marked(head, "info"), message: truncation(truncated) }] : []),
    ...(error && error.code !== UNAVAILABLE ? [{ ...marked(range ?? head, "error"), source: error.code, message: error.message }] : []),
    ...open.map(({ rule, why }) => ({ ...marked(head, "info"), source: rule, message: why })),
  ];
}

function ofFinding(finding: ReviewedFinding, action: (fix: PatchOperation[]) => Action | undefined): Diagnostic[] {
  const { range, fix, isFixable, isChoosable = false } = finding;
  if (!range) return [];
  const fixes = fixesOf(finding).filter((one) => (one === fix ? isFixable : isChoosable));
  return [ofFound(finding, range, fixes.flatMap((one) => action(one) ?? []))];
}

/** The quick fix of a text, by one transaction, which one undo takes back. */
function fixing(edits: Checker["edits"], doc: Text, fix: PatchOperation[], document: number): Action {
  return {
    name: nameOfFix(fix),
    apply(view, from, to) {
      void applyFix(view, doc, { from, to }, () => edits(doc.toString(), document, fix));
    },
  };
}

async function applyFix(
  view: EditorView,
  doc: Text,
  { from, to }: { from: number; to: number },
  find: () => ReturnType<Checker["edits"]>,
): Promise<void> {
  // Where the text has changed since, or changes meanwhile, the next check finds what there is to fix now.
  const isSame = (): boolean => view.state.doc === doc && !view.state.readOnly;
  const changes = isSame() ? await find().catch(() => undefined) : undefined;
  if (isSame()) {
    // Where an alias would show the change elsewhere, the person is led to the place.
    const lead = { selection: { anchor: from, head: to }, scrollIntoView: true };
    view.dispatch(changes ? { changes: byLines(changes), userEvent: "input.fix" } : lead);
  }
  forceLinting(view);
}
