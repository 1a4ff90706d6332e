// Gardener's own rules beside the provider's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withProfile } from "./addressing.js";
import { paste, replace, settled, textOf, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

/** A CloudProfile and a Shoot, both in good order. */
const good = await withProfile("two-zones");
const verdict = (page) => page.locator("[data-verdict]");

/** What Gardener's rules find: the line of each finding, and its remedy. */
async function found(page) {
  const lines = (await textOf(page)).split("\n");
  const all = await page.locator(".trellis-finding").evaluateAll((rows) =>
    rows.map((row) => ["origin", "line", "remedy"].map((part) => row.querySelector(`.trellis-${part}`)?.textContent.trim() ?? "")),
  );
  const at = (line) => lines[Number(/\d+/.exec(line)?.[0]) - 1]?.trim() ?? "";
  return all.filter(([origin]) => origin === "Gardener").map(([, line, remedy]) => ({ line: at(line), remedy }));
}

/** What is written instead of what, and the line that is found. */
const MISTAKES = [
  ["type: ecs.g7.large\n        image", "type: ecs.doesnotexist\n        image", "type: ecs.doesnotexist"],
  ["minimum: 2", "minimum: 9", /^(minimum: 9|maximum: 4)$/],
  ["\n  region: eu-central-1\n", "\n  region: mars-1\n", "region: mars-1"],
  ["    workers:\n    - name", "    workrs:\n    - name", "workrs:"],
  ["    version: 1.33.2\n  maintenance", "    version: 9.99\n  maintenance", "version: 9.99"],
];

test("each mistake is found at its line, with a remedy", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  for (const [from, to, wanted] of MISTAKES) {
    await t.test(to.trim().split("\n")[0], async () => {
      assert.ok(good.includes(from), from);
      await paste(page, good.replace(from, to));
      await settled(page);
      const all = await found(page);
      const isWanted = ({ line }) => (typeof wanted === "string" ? line === wanted : wanted.test(line));
      assert.ok(all.some((one) => isWanted(one) && one.remedy !== ""), JSON.stringify(all));
    });
  }
});

test("both accept a Shoot in good order, and the verdict says what that covers", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, good);
  await settled(page);
  assert.deepEqual(await found(page), []);
  assert.match(await verdict(page).innerText(), /Accepted by Gardener's rules \(v1\.143, structure, profile, workers, network\) and alicloud's \(v1\.72\)\s+Not checked: .*maintenance/);
  await page.getByText("No errors and no warnings.", { exact: true }).waitFor();
});

test("the provider's answer is there before Gardener's rules, and says so; then both are", async (t) => {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  let opened;
  const made = new Promise((resolve) => (opened = resolve));
  const context = await ownContext(t);
  await context.route(/gardener[^/]*\.wasm/, async (route) => {
    await held;
    await route.continue();
  });
  const opening = open(t, { hash: "#example=five-mistakes", context, prepare: opened });
  const page = await made;
  await page.waitForSelector("[data-state=reviewed][data-whole=false]");
  assert.match(await verdict(page).innerText(), /Rejected · 5 errors.*\s+Gardener's rules are not checked yet\./);
  await paste(page, good.replace("region: eu-central-1\n  cred", "region: mars-1\n  cred"));
  await page.waitForFunction(() => document.querySelectorAll(".trellis-verdict-partial").length === 2);
  assert.match(await verdict(page).innerText(), /^–\s+Accepted by alicloud's rules \(v1\.72\)\s+Gardener's rules are not checked yet\./);
  release();
  await opening;
  assert.match(await verdict(page).innerText(), /Rejected/);
  assert.doesNotMatch(await verdict(page).innerText(), /not checked yet/);
  assert.ok((await found(page)).some(({ line }) => line === "region: mars-1"));
});

test("a Shoot of a provider without a policy is judged by Gardener's rules alone, and is not green", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, good.replaceAll(/type: alicloud$/gm, "type: ironcore"));
  await settled(page);
  const words = await verdict(page).innerText();
  assert.match(words, /^–\s+Accepted by Gardener's rules \(v1\.143/);
  assert.match(words, /Not checked: ironcore's rules, /);
  assert.match(words, /ironcore is not supported yet\./);
  assert.equal(await page.locator(".trellis-verdict-accept").count(), 0);
  assert.equal(await page.getByText("No errors and no warnings").count(), 0);
  await replace(page, "\n  region: eu-central-1\n", "\n  region: mars-1\n");
  assert.match(await verdict(page).innerText(), /Rejected · \d+ error/);
});

test("where the module with Gardener's rules cannot be had, the page says so", async (t) => {
  let isOpen;
  const ready = new Promise((resolve) => (isOpen = resolve));
  const context = await ownContext(t);
  await context.route(/gardener[^/]*\.wasm/, (route) => (isOpen(), route.abort()));
  const page = await open(t, { hash: "#example=two-zones", errors: [/Failed to load resource/], context });
  await ready;
  await page.getByText(/Gardener's rules could not be loaded/).first().waitFor();
  assert.equal(await verdict(page).getAttribute("data-verdict"), "none");
});

test("a rule of Gardener is explained", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, good.replace("\n  region: eu-central-1\n", "\n  region: mars-1\n"));
  await settled(page);
  await page.locator("[data-part=error] .trellis-rule").first().click();
  await page.getByRole("dialog").getByText("How to mend it").waitFor();
});
