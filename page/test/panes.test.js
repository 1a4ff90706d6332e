// The line between the texts and the results.
import assert from "node:assert/strict";
import { test } from "node:test";
import { settled, violations, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

const line = (page) => page.getByRole("separator", { name: "Width of the texts" });
const share = async (page) => Number(await line(page).getAttribute("aria-valuenow"));
/** What the texts have of the width, as it is drawn, in percent. */
const drawn = (page) => page.locator("#texts").evaluate((texts) => Math.round((texts.getBoundingClientRect().width / innerWidth) * 100));

test("arrow keys, Home, End and Enter move the line, within bounds", async (t) => {
  const page = await open(t, { context: await ownContext(t) });
  assert.deepEqual([await share(page), await drawn(page)], [50, 50]);
  await line(page).focus();
  for (const [key, expected] of [["ArrowLeft", 48], ["ArrowRight", 50], ["ArrowRight", 52], ["Home", 20], ["ArrowLeft", 20], ["End", 80], ["ArrowRight", 80], ["Enter", 50]]) {
    await page.keyboard.press(key);
    await page.waitForFunction((expected) => document.querySelector("[role=separator]").getAttribute("aria-valuenow") === String(expected), expected);
    assert.equal(await drawn(page), expected, key);
  }
});

test("the line is dragged, is where it was at the next visit, and a double click puts it into the middle", async (t) => {
  const context = await ownContext(t);
  const page = await open(t, { context });
  const { x, y, width } = await line(page).boundingBox();
  await page.mouse.move(x + width / 2, y + 200);
  await page.mouse.down();
  await page.mouse.move(1280 * 0.35, y + 200, { steps: 4 });
  await page.mouse.up();
  assert.equal(await share(page), 35);
  assert.equal(await drawn(page), 35);
  await page.reload();
  await settled(page);
  assert.equal(await share(page), 35);
  await line(page).dblclick();
  assert.equal(await share(page), 50);
  assert.equal(await page.evaluate(() => localStorage.getItem("trellis:panes")), null);
});

test("axe finds nothing with narrow results, and nothing scrolls sideways", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes", context: await ownContext(t), width: 1024 });
  await line(page).focus();
  for (const key of ["End", "Home"]) {
    await page.keyboard.press(key);
    for (const tab of ["Findings", "Addresses"]) {
      await page.getByRole("tab", { name: tab }).click();
      await line(page).focus();
      assert.deepEqual(await violations(page), [], `${key} ${tab}`);
      const wide = await page.evaluate(() => [document.documentElement, document.querySelector(".results [role=tabpanel]")].filter((element) => element.scrollWidth > element.clientWidth + 1).length);
      assert.equal(wide, 0, `${key} ${tab}`);
    }
  }
});

test("on a small screen there is no such line", async (t) => {
  const page = await open(t, { width: 390, height: 844 });
  assert.equal(await line(page).count(), 0);
  await page.setViewportSize({ width: 1280, height: 900 });
  await line(page).waitFor();
});
