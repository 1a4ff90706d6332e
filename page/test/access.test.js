// Where the focus is, and what leads where.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pick, settled, withBrowser } from "./page.js";

const { open } = withBrowser();

test("focus stays where people work: after a fix, and after a rule was read", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  const inPanel = () => page.evaluate(() => document.activeElement.closest(".trellis-findings") !== null);
  await page.getByRole("button", { name: /^Fix/ }).first().focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("[data-part=error] .trellis-finding").length === 4);
  await settled(page);
  assert.ok(await inPanel());
  const rule = page.locator(".trellis-rule").first();
  await rule.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await page.waitForFunction(() => document.activeElement.matches(".trellis-rule"));
});

for (const [tab, begin, end] of [["Before", "Take the manifest as it is now", "Clear"], ["Context", undefined, "Clear"]]) {
  test(`focus stays at ${tab} when it is emptied`, async (t) => {
    const page = await open(t, { hash: "#example=one-zone" });
    await page.getByRole("tab", { name: tab }).click();
    if (begin) await page.getByRole("button", { name: begin }).click();
    else await pick(page, "five-mistakes", "Pick a CloudProfile");
    await page.getByRole("button", { name: end }).focus();
    await page.keyboard.press("Enter");
    await page.waitForFunction((id) => document.activeElement.matches(`#text-${id} .cm-content`), tab.toLowerCase());
  });
}

test("links lead by keyboard to the editor, whichever is open, and to the results", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("link", { name: "Skip to the editor" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches("#text-manifest .cm-content"));
  await page.getByRole("link", { name: "Skip to the results" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement.matches("section[aria-label=Results]"));
  const targets = await page.locator("a.skip").evaluateAll((links) => links.map(({ hash }) => document.querySelector(hash) !== null));
  assert.deepEqual(targets, [true, true]);
});

test("on a screen of 320 by 256, editor and results have room of their own", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes", width: 320, height: 256 });
  const heights = await page.locator(".cm-scroller, .panel").evaluateAll((all) => all.map(({ clientHeight }) => clientHeight).filter((height) => height > 0));
  assert.ok(heights.every((height) => height >= 200), String(heights));
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  await page.waitForFunction(() => document.querySelectorAll("[data-part=error] .trellis-finding").length === 4);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
});

test("headings lead from the page to the parts of a panel, without a gap", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  for (const tab of ["Findings", "Addresses"]) {
    await page.getByRole("tab", { name: tab }).click();
    const levels = await page.locator("h1, h2, h3, h4").evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
    assert.deepEqual(levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1), [], `${tab}: ${levels}`);
  }
});

for (const colorScheme of ["light", "dark"]) {
  test(`the focus is seen on every button, in ${colorScheme} colours`, async (t) => {
    const page = await open(t, { hash: "#example=two-zones", colorScheme });
    await page.getByRole("tab", { name: "Plan" }).click();
    await page.locator(".trellis-graph").waitFor();
    await page.getByRole("link", { name: "Skip to the editor" }).focus();
    for (const button of await page.locator(".v-btn:visible:enabled, .v-tab:visible").all()) {
      await page.keyboard.press("Shift");
      await button.focus();
      const [style, width] = await button.evaluate((element) => [getComputedStyle(element).outlineStyle, parseFloat(getComputedStyle(element).outlineWidth)]);
      assert.ok(style === "solid" && width >= 2, `${await button.innerText()}: ${style} ${width}`);
    }
  });
}
