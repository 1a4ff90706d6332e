// What a checker said before of the same input.
import assert from "node:assert/strict";
import { test } from "node:test";
import { FRESH } from "trellis-policy/checker";
import { LastJudged } from "../../dist/checker/last.js";

test("what was said of an input is said again with the time of its first judgement, until it is too old: versions expire", async () => {
  const last = new LastJudged();
  let judged = 0;
  const said = async (now) => {
    const judgedAt = last.begin({ text: "a" }, [], now);
    await last.of(0, async () => ({ ruling: {}, number: (judged += 1) }));
    return [judged, judgedAt];
  };
  const found = [];
  for (const now of [0, FRESH - 1, FRESH, FRESH + 1]) found.push(await said(now));
  assert.deepEqual(found, [[1, 0], [1, 0], [2, FRESH], [2, FRESH]]);
});
