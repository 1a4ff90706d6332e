// One scale of type for everything, a colour and a mark of the page's own.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { settled, still, violations, withBrowser } from "./page.js";

const { open, origin } = withBrowser();

/** The sizes of `web/src/vue/tokens.css`, in pixels. */
const SIZES = ["12px", "13px", "14px", "16px", "18px"];

/** How words that are seen are set: which sizes beyond the scale, and whether letters are spaced or turned into capitals. */
function strays(page) {
  return page.evaluate((sizes) => {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const { parentElement: element, data } = walker.currentNode;
      if (data.trim() === "" || !element.checkVisibility({ checkOpacity: true }) || element.closest(".trellis-heard, .skip, noscript")) continue;
      const { fontSize, letterSpacing, textTransform } = getComputedStyle(element);
      if (sizes.includes(fontSize) && letterSpacing === "normal" && textTransform === "none") continue;
      found.add(`${element.className || element.tagName}: ${fontSize} ${letterSpacing} ${textTransform} (${data.trim().slice(0, 30)})`);
    }
    return [...found];
  }, SIZES);
}

test("words have the sizes of the scale in panels, menus and dialogs, without spaced letters", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  for (const tab of ["Findings", "Defaults", "Addresses", "Plan", "Manifests", "Before", "Context"]) {
    await page.getByRole("tab", { name: tab }).click();
    await settled(page);
    assert.deepEqual(await strays(page), [], tab);
  }
  for (const menu of ["Examples", "Upgrade", "Gardener", "File"]) {
    await page.getByRole("button", { name: menu }).first().click();
    await page.locator(".v-overlay--active .v-list-item").first().waitFor();
    await still(page);
    assert.deepEqual(await strays(page), [], menu);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("tab", { name: "Findings" }).click();
  await page.getByRole("button", { name: "About the rule ALI-INF-016" }).click();
  await page.getByRole("dialog").getByText("Why").waitFor();
  assert.deepEqual(await strays(page), [], "dialog");
});

test("words of a plan and of manifests have the sizes of the scale", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.locator(".trellis-graph").waitFor();
  assert.deepEqual(await strays(page), [], "plan");
  await page.getByRole("tab", { name: "Manifests" }).click();
  await page.locator(".trellis-manifests-text").waitFor();
  assert.deepEqual(await strays(page), [], "manifests");
});

for (const colorScheme of ["light", "dark"]) {
  test(`the editor's search looks like the page around it, and axe finds nothing in ${colorScheme} colours`, async (t) => {
    const page = await open(t, { colorScheme });
    await page.locator("#text-manifest .cm-content").focus();
    await page.keyboard.press("Control+f");
    await page.locator(".cm-search").waitFor();
    assert.deepEqual(await violations(page), []);
    const fonts = await page.locator(".cm-search :is(input, button, label)").evaluateAll((all) => [...new Set(all.map((part) => getComputedStyle(part).fontFamily))]);
    assert.deepEqual(fonts, [await page.evaluate(() => getComputedStyle(document.body).fontFamily)]);
    assert.deepEqual(await strays(page), []);
    await page.setViewportSize({ width: 390, height: 844 });
    assert.ok(await page.locator(".cm-search").evaluate((panel) => panel.scrollWidth <= panel.clientWidth));
  });
}

test("the page and its tab in the browser have the same mark, which is part of the page", async (t) => {
  const page = await open(t);
  const [icon] = await page.locator("link[rel=icon]").evaluateAll((links) => links.map(({ href }) => href));
  assert.ok(icon.startsWith(origin()), icon);
  const paths = (svg) => [...svg.matchAll(/\sd="([^"]*)"/g)].map(([, d]) => d);
  const file = paths(await readFile(new URL("../public/icon.svg", import.meta.url), "utf8"));
  assert.deepEqual(paths(await page.locator("header svg").first().evaluate((svg) => svg.outerHTML)), file);
  assert.equal(file.length, 2);
});
