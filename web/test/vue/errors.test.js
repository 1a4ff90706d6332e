// An answer may be an error: components show its words, and never throw.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.js";

let browser;
before(async () => {
  browser = await open();
});
after(() => browser?.close());

const answer = { error: { code: "UnsupportedKind", message: "no addresses of a `Secret`" } };
const WORDS = "The policy answered with the error UnsupportedKind: no addresses of a Secret";

for (const [component, props] of Object.entries({
  AddressMap: { answer },
  ZonePlanner: { choice: answer },
  PlanGraph: { plan: answer },
  PlanChanges: { plan: answer },
})) {
  test(`${component} shows the error of a policy in the place of its answer`, async () => {
    const page = await browser.show(component, props);
    const thrown = [];
    page.on("pageerror", (error) => thrown.push(String(error)));
    assert.equal(await page.getByRole("alert").innerText(), WORDS);
    assert.deepEqual(thrown, []);
  });
}

test("ZonePlanner shows why a plan of zones is an error", async () => {
  const choice = { longest: 28, names: ["a"], prefixLength: 19, shortest: 17 };
  const page = await browser.show("ZonePlanner", { choice, planned: answer });
  assert.equal(await page.getByRole("alert").innerText(), WORDS);
});

test("VerdictBadge says of an answer without a verdict that nothing was judged", async () => {
  const page = await browser.show("VerdictBadge", { verdict: undefined });
  assert.match(await page.locator(".trellis-verdict").innerText(), /not judged/);
});
