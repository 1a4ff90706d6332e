// What Trellis is here, and the keys of the page.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { textOf, violations, withBrowser } from "./page.js";

const { open } = withBrowser();

const file = async (path) => JSON.parse(await readFile(new URL(`../../web/${path}`, import.meta.url), "utf8"));

test("About says the version, the versions of Gardener and the rules of each policy, and leads to the keys", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const button = page.getByRole("button", { name: "About: version, policies and documentation" });
  await button.focus();
  await page.keyboard.press("Enter");
  const about = page.getByRole("dialog", { name: "About" });
  await about.getByText(`Trellis ${(await file("package.json")).version}`, { exact: true }).waitFor();
  const words = await about.innerText();
  assert.match(words, /Gardener 1\.143 to 1\.150/);
  for (const [name, policy] of [["Gardener", "gardener"], ["Alibaba Cloud", "alicloud"], ["Equinix Metal", "equinixmetal"]]) {
    const rules = Object.keys(await file(`dist/policies/${policy}.rules.json`)).length;
    assert.match(words, new RegExp(`${name}\\s+${rules}\\b`));
  }
  for (const [, path] of words.matchAll(/^([\w/]+\.md):/gm)) await readFile(new URL(`../../${path}`, import.meta.url));
  assert.match(words, /docs\/page\.md/);
  assert.deepEqual(await violations(page), []);
  await about.getByRole("button", { name: "Keys" }).click();
  await page.getByRole("dialog", { name: "Keys" }).getByText("goes to the next finding").waitFor();
  for (const [key, what] of [["Ctrl-F", "searches"], ["Ctrl-Z", "undoes"]]) assert.match(await page.getByRole("dialog", { name: "Keys" }).innerText(), new RegExp(`${key}\\s+${what}`));
  await about.waitFor({ state: "hidden" });
  await page.keyboard.press("Escape");
  await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-label")?.startsWith("About"));
});

test("a question mark shows the keys, and is a letter in an editor and in a field", async (t) => {
  const page = await open(t, { hash: "#example=two-zones", width: 320, colorScheme: "dark" });
  const keys = page.getByRole("dialog", { name: "Keys" });
  await page.getByRole("tab", { name: "Findings" }).focus();
  await page.keyboard.press("?");
  await keys.waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "hidden" });
  await page.waitForFunction(() => document.activeElement?.id === "tab-findings");
  await page.locator("#text-manifest .cm-content").focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# why?\n");
  assert.match(await textOf(page), /^# why\?\n/);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("searchbox").fill("");
  await page.keyboard.type("?");
  assert.equal(await page.getByRole("searchbox").inputValue(), "?");
  assert.equal(await keys.count(), 0);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
});
