// The editor's YAML, in Node.
import assert from "node:assert/strict";
import { test } from "node:test";
import { yamlLanguage } from "@codemirror/lang-yaml";
import { yaml } from "../../dist/codemirror/language.js";

const deep = "[".repeat(100_000);

/** Runs something where that many calls are already open. */
const below = (calls, run) => (calls === 0 ? run() : below(calls - 1, run));

/** How many calls can be open. */
function room() {
  let calls = 0;
  const open = () => {
    calls += 1;
    open();
  };
  assert.throws(open, RangeError);
  return calls;
}

test("a text too deep for the parser is read as nothing, and as long as it is", () => {
  const calls = Math.floor(room() * 0.6);
  assert.throws(() => below(calls, () => yamlLanguage.parser.parse(deep)), RangeError);
  const tree = below(calls, () => yaml().language.parser.parse(deep));
  assert.equal(tree.length, deep.length);
  assert.equal(tree.type, yamlLanguage.parser.topNode);
  assert.equal(tree.topNode.firstChild, null);
});

test("a text that is not too deep is read as CodeMirror reads it", () => {
  const text = "a: [1, {b: c}]\nd:\n  - e\n";
  assert.equal(String(yaml().language.parser.parse(text)), String(yamlLanguage.parser.parse(text)));
});
