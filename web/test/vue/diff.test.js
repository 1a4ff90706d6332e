import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, emitted, open } from "./browser.js";
import { defaulted, undefaulted } from "./documents.js";

let browser;
before(async () => {
  browser = await open();
});
after(() => browser?.close());

const show = (props, options) => browser.show("DefaultsDiff", props, options);
const rows = (page) => page.locator("li").allTextContents();

test("lines that are set, and those around them, are shown with numbers, and + and − as words too", async () => {
  const page = await show({ ...defaulted, context: 1 });
  assert.deepEqual(await rows(page), [
    "Show 22 unchanged lines",
    "23    type: alicloud",
    "+Added:     workersSettings:GAR-DEF-011SSH access to nodes is enabled where nothing is said of it",
    "+Added:       sshAccess:",
    "+Added:         enabled: true",
    "24−Removed:     controlPlaneConfig: {}",
    "+Added:     controlPlaneConfig:",
    "+Added:       kind: ControlPlaneConfigALI-DEF-002the provider has one kind of control plane alone",
    "25other0: a value that is rather long and goes on and on for a while",
    "Show 29 unchanged lines",
  ]);
});

test("what is folded unfolds, and the focus goes there", async () => {
  const page = await show(defaulted);
  await page.getByRole("button", { name: "Show 20 unchanged lines" }).click();
  assert.equal(await page.getByRole("button", { name: /^Show/ }).count(), 1);
  assert.match(await page.evaluate(() => document.activeElement.textContent), /apiVersion/);
});

test("stretches as long as a fold are not folded", async () => {
  const page = await show({ ...defaulted, context: 20 });
  assert.equal((await rows(page))[0], "1apiVersion: core.gardener.cloud/v1beta1");
});

test("the reason is next to its line, or below it where there is little room", async () => {
  for (const [width, isBeside] of [[1200, true], [360, false]]) {
    const page = await show(defaulted, { width });
    const [text, reason] = await Promise.all(
      [".trellis-diff-text", ".trellis-diff-reasons"].map((part) => page.locator(".trellis-diff-added").first().locator(part).boundingBox()),
    );
    assert.equal(reason.y < text.y + text.height, isBeside);
  }
});

test("a default can be chosen", async () => {
  const page = await show(defaulted);
  await page.getByRole("button", { name: "Go to the default of ALI-DEF-002" }).click();
  assert.deepEqual(await emitted(page), [["select", defaulted.lines.find(({ changes }) => changes[0]?.rule === "ALI-DEF-002")]]);
});

test("that nothing is set is said", async () => {
  const page = await show(undefaulted);
  assert.equal(await page.locator(".trellis-diff").innerText(), "No defaults are set: the text says everything itself.");
});

test("long texts are shown in parts", async () => {
  const line = (at) => ({ state: "added", text: `line ${at}`, changes: at === 0 ? defaulted.lines[23].changes : [] });
  const page = await show({ lines: Array.from({ length: 5_000 }, (_, at) => line(at)) });
  assert.equal(await page.locator("li").count(), 400);
  await page.getByRole("button", { name: "Show 400 more of 5,000 lines" }).click();
  assert.equal(await page.locator("li").count(), 800);
  assert.match(await page.evaluate(() => document.activeElement.textContent), /line 400$/);
});

for (const [name, props] of Object.entries({ defaulted, undefaulted })) {
  test(`${name}: axe finds nothing, light and dark, and nothing is wider than the page`, async () => {
    const page = await show(props);
    await assertAccessible(page);
  });
}

test("the page has no errors", () => assert.deepEqual(browser.complaints, []));
