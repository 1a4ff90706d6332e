// What a checker said before of the same input.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FRESH, LastJudged } from "../../dist/checker/last.js";

test("what was said of an input is said again, until it is too old: versions expire", async () => {
  const last = new LastJudged();
  let judged = 0;
  const said = async (now) => {
    last.begin({ text: "a" }, [], now);
    await last.of(0, async () => ({ ruling: {}, number: (judged += 1) }));
    return judged;
  };
  const found = [];
  for (const now of [0, FRESH - 1, FRESH, FRESH + 1]) found.push(await said(now));
  assert.deepEqual(found, [1, 1, 2, 2]);
});
