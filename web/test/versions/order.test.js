import assert from "node:assert/strict";
import { test } from "node:test";
import { compareVersions, nearest } from "../../dist/versions/order.js";

test("versions are ordered by their numbers, and what comes before a release before it", () => {
  const ordered = ["0.2.0-dev", "0.2.0-rc.2", "0.2.0-rc.10", "0.2.0", "0.9.1", "0.10.0", "1.0.0-rc.1", "1.0.0", "10.0.0"];
  assert.deepEqual([...ordered].reverse().sort(compareVersions), ordered);
  assert.equal(compareVersions("0.2.0+one", "0.2.0+other"), 0);
});

test("the nearest version is the newest that is no newer, else the oldest", () => {
  const all = ["0.3.0", "0.1.0", "0.2.0"].map((version) => ({ version }));
  const of = (wanted) => nearest(wanted, all)?.version;
  assert.deepEqual(["0.2.5", "0.2.0", "0.3.0-rc.1", "7.0.0", "0.0.1"].map(of), ["0.2.0", "0.2.0", "0.2.0", "0.3.0", "0.1.0"]);
  assert.equal(nearest("0.1.0", []), undefined);
});
