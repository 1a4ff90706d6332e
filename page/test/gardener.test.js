// Gardener's own rules next to the provider's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withProfile } from "./addressing.js";
import { paste, replace, settled, textOf, violations, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

/** A CloudProfile and a Shoot, both in good order. */
const good = await withProfile("two-zones");
const verdict = (page) => page.locator("[data-verdict]");
/** Whose rules were asked, and what nobody checked, which is folded. */
const scope = (page) => page.locator("[data-scope]").textContent();

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
  assert.match(await verdict(page).innerText(), /^✓\s+No errors found\s+What was checked, and what not$/);
  assert.match(await scope(page), /Checked by Gardener's rules \(v1\.150, structure, values, profile\) and alicloud's \(v1\.72\)\.Not checked: .*what needs other objects/);
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
  assert.match(await verdict(page).innerText(), /^–\s+No errors found\s+Gardener's rules are not checked yet\./);
  assert.match(await scope(page), /Checked by alicloud's rules \(v1\.72\)\./);
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
  assert.match(words, /^–\s+No errors found/);
  assert.match(await scope(page), /Checked by Gardener's rules \(v1\.150.*Not checked: ironcore's rules, /);
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
  await page.getByRole("dialog").getByText("How to fix it").waitFor();
});

test("a person says which version of Gardener the garden has, and the page keeps it", async (t) => {
  const context = await ownContext(t);
  const page = await open(t, { hash: "#example=two-zones", context });
  const limit = "      machineControllerManager:\n        autoPreserveFailedMachineMax: -1\n";
  const wrong = good.replace("      maximum: 4\n", `      maximum: 4\n${limit}`);
  assert.notEqual(wrong, good);
  await paste(page, wrong);
  await settled(page);
  const rules = () => page.locator(".trellis-finding .trellis-rule").allInnerTexts();
  assert.deepEqual(await rules(), ["GDN-WRK-082"]);
  await page.getByText("Gardener 1.147 and newer say so.").waitFor();
  const menu = () => page.getByRole("button", { name: /^Version of your Gardener/ });
  const choose = async (name) => {
    await menu().click();
    await page.getByRole("menuitemradio", { name, exact: true }).click();
    await settled(page);
  };
  await choose("1.149");
  assert.deepEqual([await rules(), await page.getByText("and newer say so").count()], [["GDN-WRK-082"], 0]);
  await choose("1.146");
  assert.deepEqual(await rules(), ["DEC-2"]);
  assert.match(await verdict(page).innerText(), /Rejected/);
  await page.reload();
  await settled(page);
  assert.deepEqual(await rules(), ["DEC-2"]);
  await choose("The newest");
  assert.deepEqual(await rules(), ["GDN-WRK-082"]);
});

test("the versions of the menu are those that the policy knows", async (t) => {
  const page = await open(t, { hash: "#example=two-zones", context: await ownContext(t) });
  await paste(page, good);
  await settled(page);
  const menu = page.getByRole("button", { name: /^Version of your Gardener/ });
  await menu.click();
  const versions = (await page.getByRole("menuitemradio").allInnerTexts()).slice(1);
  assert.match(await scope(page), new RegExp(`\\(v${versions[0].replace(".", "\\.")},`));
  assert.equal(versions.at(-1), "1.143");
  for (const version of [versions[0], versions.at(-1)]) {
    await page.getByRole("menuitemradio", { name: version, exact: true }).click();
    await settled(page);
    const words = await scope(page);
    assert.match(words, new RegExp(`\\(v${version.replace(".", "\\.")},`));
    assert.doesNotMatch(words, /what Gardener (had|changed)/);
    await menu.click();
  }
});

test("a person asks what must change before an upgrade, and sees by what way and which nodes roll", async (t) => {
  const page = await open(t, { hash: "#example=two-zones", context: await ownContext(t) });
  const server = "    version: 1.32.8\n    kubeAPIServer:\n      enableAnonymousAuthentication: false\n";
  await paste(page, (await textOf(page)).replace("    version: 1.33.2\n", server));
  await settled(page);
  const choose = async (name) => {
    await page.getByRole("button", { name: /^What must change before an upgrade/ }).click();
    await page.getByRole("menuitemradio", { name, exact: true }).click();
    await settled(page);
  };
  await choose("1.35");
  const words = await verdict(page).innerText();
  assert.match(words, /Rejected · 1 error · 1 can be fixed/);
  assert.match(words, /Judged as an upgrade from Kubernetes 1\.32\.8 to 1\.35\.0; Gardener goes by 1\.33 and 1\.34, one minor version after the other\./);
  assert.deepEqual(await page.locator(".trellis-part-error .trellis-rule").allInnerTexts(), ["GDN-API-001"]);
  await page.getByRole("button", { name: /^Fix GDN-API-001/ }).click();
  await settled(page);
  assert.ok(!(await textOf(page)).includes("enableAnonymousAuthentication"));
  assert.match(await textOf(page), /version: 1\.32\.8/, "the text keeps its version");
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.getByText(/roll, 2 at a time, because/).first().waitFor();
  await page.getByText("What the upgrade does to the nodes.").waitFor();
  await paste(page, (await textOf(page)).replace("version: 1.32.8", "version: 1.35.1"));
  await choose("1.34");
  assert.match(await verdict(page).innerText(), /Judged as a downgrade from Kubernetes 1\.35\.1 to 1\.34\.0, which Gardener refuses\./);
  await choose("No upgrade");
  assert.doesNotMatch(await verdict(page).innerText(), /upgrade/);
});

test("the menu of upgrades marks the versions that the CloudProfile of the texts does not list", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  const menu = page.getByRole("button", { name: /^What must change before an upgrade/ });
  await menu.click();
  const marked = page.getByRole("menuitemradio", { name: "1.36 not listed in the CloudProfile" });
  await marked.waitFor();
  assert.equal(await page.getByRole("menuitemradio", { name: "1.33", exact: true }).count(), 1);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Escape");
  await marked.waitFor({ state: "hidden" });
  const [, shoot] = (await textOf(page)).split(/^---\n/m);
  await paste(page, shoot);
  await settled(page);
  await menu.click();
  await page.getByRole("menuitemradio", { name: "1.36", exact: true }).waitFor();
});

test("the menu of upgrades marks a version of which all patches have expired, and a version that is no text is said to keep the Shoot from being upgraded", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes", context: await ownContext(t) });
  const expired = (await textOf(page)).replace(/^( +)- version: (?=1\.33\.\d+$)/gm, (_, indent) => `${indent}- expirationDate: "2020-01-01T00:00:00Z"\n${indent}  version: `);
  await paste(page, expired.replace(/^ {4}version: 1\.33\.2$/m, "    version: 1.32"));
  await settled(page);
  await page.getByRole("button", { name: /^What must change before an upgrade/ }).click();
  await page.getByRole("menuitemradio", { name: "1.33 expired in the CloudProfile" }).click();
  await page.getByText("Not judged as an upgrade to 1.33: the version of Kubernetes that the Shoot has is no text. Put it into quotes first.").waitFor();
});
