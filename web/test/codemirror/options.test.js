// Options of extensions that are misspelt.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldHover, hiddenValues, policyCompletion, policyCompletionSource, policyHover, policyLinter, reviewLinter, trellis } from "trellis-policy/codemirror";

const policy = {};
const schemas = () => ({});
const review = async () => undefined;

for (const [extension, given, known] of [
  [reviewLinter, { review, onreview: () => {} }, "review, edits, delay, undecided, onFailure, onReview"],
  [policyCompletion, { schemas, contexts: [] }, "schemas, provider, context, onto, choices"],
  [policyCompletionSource, { schemas, contexts: [] }, "schemas, provider, context, onto, choices"],
  [fieldHover, { schemas, hovertime: 1 }, "schemas, provider, context, onto, choices, hoverTime"],
  [hiddenValues, { reveal: true }, "revealed, label"],
  [policyLinter, { policy, oncheck: () => {} }, "policy, fragment, request, create, defaults, delay, undecided, onCheck"],
  [policyHover, { policy, schema: {} }, "policy, fragment, schemas, hoverTime"],
  [trellis, { policy, fragments: {} }, "policy, fragment, request, create, defaults, delay, undecided, onCheck, schemas, hoverTime"],
]) {
  test(`${extension.name} refuses an option that it does not have, and names those that it has`, () => {
    const wrong = Object.keys(given).at(-1);
    assert.throws(() => extension(given), new TypeError(`\`${extension.name}\` has no option \`${wrong}\`; there are ${known}`));
  });
}

test("an extension takes all options that it has", () => {
  assert.ok(trellis({ policy, schemas: {}, delay: 1, undecided: true, hoverTime: 1, onCheck: () => {} }));
  assert.ok(hiddenValues());
});
