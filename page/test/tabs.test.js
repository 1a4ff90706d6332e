// Which tabs a text has.
import assert from "node:assert/strict";
import { test } from "node:test";
import { paste, pick, settled, textOf, withBrowser } from "./page.js";

const { open } = withBrowser();

const tabs = async (page) => (await page.getByRole("tablist", { name: "Results" }).getByRole("tab").allInnerTexts()).map((text) => text.split("\n")[0]);
const selected = (page, name) => page.waitForFunction((name) => [...document.querySelectorAll("[role=tab][aria-selected=true]")].some((tab) => tab.textContent.trim().startsWith(name)), name);

test("a text has the tabs that say something of it, and Findings shows where the open one goes", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  assert.deepEqual(await tabs(page), ["Findings", "Defaults", "Addresses", "Plan", "Manifests"]);
  await page.getByRole("tab", { name: "Manifests" }).click();
  await settled(page);
  await pick(page, "aws-three-zones-dual-stack");
  assert.deepEqual(await tabs(page), ["Findings", "Defaults", "Addresses"]);
  await selected(page, "Findings");
  await page.locator("#panel-findings").waitFor();
  await page.getByRole("tab", { name: "Addresses" }).click();
  await page.getByRole("tabpanel", { name: "Addresses" }).getByText("As a table").waitFor();
  await pick(page, "seed");
  assert.deepEqual(await tabs(page), ["Findings", "Defaults"]);
  await selected(page, "Findings");
  await pick(page, "two-zones");
  assert.deepEqual(await tabs(page), ["Findings", "Defaults", "Addresses", "Plan", "Manifests"]);
});

test("a reload shows the open tab again", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.locator(".trellis-graph").first().waitFor();
  await page.waitForFunction(() => Object.values(sessionStorage).some((kept) => kept.includes('"panel":"plan"')));
  await page.reload();
  await settled(page);
  await selected(page, "Plan");
  await page.locator(".trellis-graph").first().waitFor();
});

test("while a provider or a kind is half typed, the tabs stay", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await page.evaluate(() => {
    window.seen = new Set();
    const look = () => window.seen.add([...document.querySelectorAll("#results [role=tab]")].length);
    new MutationObserver(look).observe(document.querySelector("#results"), { subtree: true, childList: true });
  });
  const line = page.locator("#text-manifest .cm-line", { hasText: /^    type: alicloud$/ });
  await line.click();
  await page.keyboard.press("End");
  for (const key of ["Backspace", "Backspace", "Backspace", "Backspace", "Backspace", "Backspace", "Backspace", "Backspace"]) {
    await page.keyboard.press(key);
    await settled(page);
  }
  assert.match(await page.locator("[data-verdict]").innerText(), /\S/);
  await page.keyboard.type("aws");
  await settled(page);
  assert.deepEqual(await tabs(page), ["Findings", "Defaults", "Addresses"]);
  assert.deepEqual(await page.evaluate(() => [...window.seen].filter((count) => count !== 5 && count !== 3)), []);
  await paste(page, (await textOf(page)).replace("type: aws", "type: ironcore"));
  await settled(page);
  assert.deepEqual(await tabs(page), ["Findings", "Defaults"]);
});
