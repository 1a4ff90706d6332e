import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "trellis-policy";
import { hostileModule } from "./hostile/module.js";

const policy = await load({ provider: "alicloud", module: await hostileModule() });
const calls = () => JSON.parse(policy.call("count", "{}")).calls;

for (const [name, message] of [["trap", /unreachable/], ["recurse", /call stack/]]) {
  test(`a policy that does ${name} is answered for, and replaced`, () => {
    calls();
    const { error } = JSON.parse(policy.call(name, "{}"));
    assert.equal(error.code, "PolicyTrapped");
    assert.match(error.message, message);
    assert.equal(calls(), 1, "calls of the new instance");
  });
}

test("an instance that has grown large is replaced after it answered", () => {
  assert.equal(calls(), 2);
  assert.equal(JSON.parse(policy.call("grow", "{}")).calls, 3);
  assert.equal(calls(), 1, "calls of the new instance");
});

test("an answer that is not JSON is an error", () => {
  assert.equal(policy.default({ object: {} }).error.code, "PolicyTrapped");
  assert.equal(calls(), 3, "calls of the same instance");
});
