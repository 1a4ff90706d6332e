// Editors as a dashboard has them, for the tests to look at.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { forEachDiagnostic } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { load } from "trellis-policy";
import { startChecker } from "trellis-policy/checker";
import { fieldHover, hiddenValues, hideValues, policyCompletion, recheck, revealValues, reviewLinter, trellis } from "trellis-policy/codemirror";
import { schemas } from "trellis-policy/schema";
import { startWorker } from "trellis-policy/worker";
import { parse } from "trellis-policy/yaml";
import example from "../../../../examples/five-mistakes.yaml?raw";
import secret from "../../../../examples/secret.yaml?raw";

/** An editor with what dashboards give it before the policy comes. */
function editor({ parent, doc = "", extensions = [] }) {
  return new EditorView({
    doc,
    parent: document.getElementById(parent),
    extensions: [lineNumbers(), yaml(), history(), keymap.of(historyKeymap), ...extensions],
  });
}

/** What is underlined, as the tests compare it. */
function diagnostics({ state }) {
  const found = [];
  forEachDiagnostic(state, ({ source = "", severity, message, actions = [] }, from, to) => {
    found.push({
      source,
      severity,
      message,
      line: state.doc.lineAt(from).number,
      text: state.doc.sliceString(from, to),
      actions: actions.map(({ name }) => name),
    });
  });
  return found;
}

/** The Shoot of the example, whose workers are shown alone. */
const shoot = JSON.parse(parse(example)[1].json);
const workers = example.slice(example.indexOf("    - name: worker-xoluy"), example.indexOf("  networking:\n")).replace(/^ {4}/gm, "");

/** A policy about things, which finds what it is given. */
function policyOf(...findings) {
  const finding = { rule: "THING-1", severity: "error", type: "FieldValueInvalid", field: "", detail: "wrong", remedy: "fix" };
  const rule = { id: "THING-1", kinds: ["Thing"], effect: "validate", operation: "both", summary: "", why: "", fix: "" };
  return {
    info: () => ({ provider: "things", kinds: [], parity: "", reads: {}, version: "" }),
    rules: () => ({ rules: [rule] }),
    call: (name) => JSON.stringify(name === "rules" ? { rules: [rule] } : {}),
    validate: () => ({
      verdict: findings.length > 0 ? "reject" : "accept",
      findings: findings.map((given) => ({ ...finding, pointer: "", ...given })),
      undecided: [],
    }),
    default: () => ({ error: { code: "Malformed", message: "there are no defaults" } }),
  };
}

/** A policy whose answers come when the test lets them, by their number; `calls` has what it is asked. */
function slow(policy) {
  const calls = [];
  const validate = (request, { signal } = {}) =>
    new Promise((resolve) => calls.push({ request, signal, release: () => resolve(policy.validate(request)) }));
  return { ...policy, validate, calls };
}

/** Waits until what has been answered has come to wherever it goes. */
function settled() {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Makes the first quick fix that a diagnostic offers. */
function fixFirst(view) {
  const offers = [];
  forEachDiagnostic(view.state, ({ actions = [] }, from, to) => offers.push(...actions.map((action) => ({ action, from, to }))));
  const [{ action, from, to }] = offers;
  action.apply(view, from, to);
}

/** Completion as editors have it. */
const completing = [autocompletion({ interactionDelay: 0 }), keymap.of(completionKeymap), policyCompletion({ schemas })];

/** What fields mean, as editors have it that ask a checker. */
const telling = [fieldHover({ schemas, hoverTime: 50 })];

window.page = {
  Compartment,
  EditorState,
  completing,
  diagnostics,
  editor,
  example,
  fieldHover,
  fixFirst,
  hiddenValues,
  hideValues,
  keys: keymap.of(defaultKeymap),
  load,
  policyOf,
  recheck,
  revealValues,
  reviewLinter,
  schemas,
  secret,
  settled,
  shoot,
  slow,
  startChecker,
  startWorker,
  telling,
  trellis,
  workers,
};
