// Editors as a dashboard has them, for the tests to look at.
import { history, historyKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { forEachDiagnostic } from "@codemirror/lint";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { load } from "trellis-policy";
import { recheck, trellis } from "trellis-policy/codemirror";
import { schemas } from "trellis-policy/schema";
import { startWorker } from "trellis-policy/worker";
import { parse } from "trellis-policy/yaml";
import example from "../../../../examples/five-mistakes.yaml?raw";

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

/** A policy whose answers come when the test lets them, by their number. */
function slow(policy) {
  const release = [];
  const validate = (request) => new Promise((resolve) => release.push(() => resolve(policy.validate(request))));
  return { ...policy, validate, release };
}

window.page = { editor, diagnostics, recheck, trellis, load, startWorker, schemas, example, shoot, workers, slow };
