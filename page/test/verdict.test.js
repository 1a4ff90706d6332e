// What is said first of a text, and what is said of a text that holds nothing yet.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hashOf, withProfile } from "./addressing.js";
import { paste, settled, still, textOf, withBrowser } from "./page.js";

const { open } = withBrowser();

/** A CloudProfile and a Shoot, both in good order. */
const good = await withProfile("two-zones");
const verdict = (page) => page.locator("[data-verdict]");
/** Whose rules were asked, and what nobody checked, which is folded. */
const scope = (page) => page.locator("[data-scope]").textContent();

test("the verdict, its errors and what can be fixed come first, and the editor opens at the first error", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  assert.match(await verdict(page).innerText(), /Rejected · 5 errors · 1 can be fixed/);
  const line = page.locator("#text-manifest .cm-activeLine").filter({ hasText: "workers: 10.250.1.0/19" });
  await line.waitFor();
  assert.ok(await line.isVisible());
  assert.equal(await page.evaluate(() => document.activeElement.closest(".cm-content")), null, "the focus stays");
});

test("an accepted text has no errors, and says once, folded, whose rules were asked and what nobody checked", async (t) => {
  const page = await open(t, { hash: hashOf({ text: good }) });
  assert.match(await verdict(page).innerText(), /^✓\s+No errors found\s+What was checked, and what not$/);
  assert.doesNotMatch(await page.locator("#results").innerText(), /Not checked|rules \(v|No errors and no warnings/);
  await page.getByText("What was checked, and what not").click();
  const words = await page.locator("#results").innerText();
  assert.equal(words.match(/Checked by Gardener's rules \(v1\.150, structure, values, profile\) and alicloud's \(v1\.72\)\./g).length, 1);
  assert.equal(words.match(/Not checked: .*what needs other objects/g).length, 1);
});

test("objects of a seed are not judged, alone and next to a Shoot, and nothing is accepted for them", async (t) => {
  const seeds = ["BackupBucket", "BackupEntry", "DNSRecord"].map(
    (kind) => `apiVersion: extensions.gardener.cloud/v1alpha1\nkind: ${kind}\nmetadata: {name: a}\nspec: {type: alicloud, region: eu-central-1}\n`,
  );
  const page = await open(t, { hash: hashOf({ text: seeds.join("---\n") }) });
  assert.match(await verdict(page).innerText(), /^– Not judged/);
  for (const kind of ["BackupBucket", "BackupEntry", "DNSRecord"]) {
    assert.ok((await page.locator("#results").innerText()).includes(`No policy here judges a ${kind} of extensions.gardener.cloud/v1alpha1.`), kind);
  }
  await paste(page, [good, ...seeds].join("\n---\n"));
  await settled(page);
  assert.match(await verdict(page).innerText(), /No errors found in \d of \d objects[^]*3 objects not judged: see Findings\./);
  assert.equal(await verdict(page).getAttribute("data-verdict"), "none");
});

test("a provider without a policy is named, and is never accepted", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, (await textOf(page)).replace("type: alicloud", "type: ironcore"));
  await settled(page);
  assert.match(await verdict(page).innerText(), /ironcore is not supported yet\./);
  assert.notEqual(await verdict(page).getAttribute("data-verdict"), "accept");
  assert.equal(await page.locator(".trellis-verdict-accept").count(), 0);
  assert.equal(await page.getByText("No errors and no warnings").count(), 0);
  for (const name of ["Addresses", "Plan"]) assert.equal(await page.getByRole("tab", { name }).count(), 0);
});

test("what the rules leave out of an accepted object is named", async (t) => {
  const small = good
    .replace(/    infrastructureConfig:\n(?:      .*\n)+    controlPlaneConfig:\n(?:      .*\n)+    workers:\n(?:    [- ].*\n)+  networking:\n(?:    .*\n)+/, "")
    .replace(/  credentialsBindingName: .*\n/, "")
    .replace(/      machineImageVersion: true\n/, "");
  const page = await open(t, { hash: hashOf({ text: small }) });
  assert.match(await scope(page), /Not checked: .*a Shoot without workers, /);
});

test("no badge says accepted next to a problem of the text", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, (await textOf(page)).replace("region: eu-central-1", "region: eu-central-1\n  region: eu-central-1"));
  await settled(page);
  assert.match(await verdict(page).innerText(), /1 error/);
  assert.equal(await page.locator(".trellis-verdict-accept").count(), 0);
});

test("one object that nobody judged keeps the text from being accepted", async (t) => {
  const page = await open(t, { hash: hashOf({ text: `${good}---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n` }) });
  const words = await verdict(page).innerText();
  assert.match(words, /^–\s+No errors found in 2 of 3 objects/);
  assert.match(words, /1 object not judged/);
  assert.equal(await verdict(page).getAttribute("data-verdict"), "none");
});

test("an undecided text says in one sentence what its open questions are", async (t) => {
  const page = await open(t, { hash: "#example=openstack-five-mistakes" });
  await paste(page, (await textOf(page)).split(/^---\n/m).at(-1).replace(/name: openstack$/m, "name: nobody-has-it"));
  await settled(page);
  await page.getByRole("heading", { name: /^Undecided here/ }).waitFor();
  const words = await page.locator("#results").innerText();
  assert.equal(words.match(/These rules need something that is not here; an undecided object is not accepted before they are decided\./g).length, 1);
  assert.doesNotMatch(words, /admit/);
});

test("every panel says that a text cannot be read, or lacks its provider", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const text = await textOf(page);
  for (const [wrong, words, tabs] of [
    [text.replace("spec:", "spec: ["), "The text cannot be read.", ["Defaults", "Addresses", "Plan"]],
    // The defaults of Gardener are those of any provider.
    [text.replace("    type: alicloud\n", ""), "The Shoot names no provider.", ["Addresses", "Plan"]],
  ]) {
    await paste(page, wrong);
    await settled(page);
    for (const tab of tabs) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("tabpanel", { name: tab }).getByText(words).first().waitFor();
    }
  }
});

test("a text under Before or Context that cannot be read keeps the text from being accepted", async (t) => {
  for (const name of ["Before", "Context"]) {
    const page = await open(t, { hash: hashOf({ text: good }) });
    await page.getByRole("tab", { name }).click();
    await paste(page, "a: [", name.toLowerCase());
    await settled(page);
    const words = await verdict(page).innerText();
    assert.match(words, /^–\s+No errors found\n/);
    assert.match(words, new RegExp(`The verdict is without what has a problem under ${name}\\.`));
  }
});

test("an empty editor offers a paste, a file and examples", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await page.locator("#text-manifest .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  const empty = page.locator("[data-empty]");
  await empty.getByRole("button", { name: "Paste" }).waitFor();
  await page.locator("input[type=file]").setInputFiles({ name: "a.yaml", mimeType: "text/yaml", buffer: Buffer.from("kind: Shoot\n") });
  await settled(page);
  assert.equal(await textOf(page), "kind: Shoot\n");
  await empty.waitFor({ state: "detached" });
  await page.locator("#text-manifest .cm-content").click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await empty.getByRole("button", { name: /^Begin with an example/ }).click();
  await page.locator(".v-list-item-title").getByText("one-zone", { exact: true }).click();
  await empty.waitFor({ state: "detached" });
});

test("characters that nobody sees, or that turn the text round, are shown in the editor and next to it", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, (await textOf(page)).replace("name: two-zones", 'name: "two\u202ezo\u200bnes\u00a0"'));
  await settled(page);
  assert.deepEqual(await page.locator(".cm-trellis-invisible").allTextContents(), ["U+202E", "U+200B", "U+00A0"]);
  assert.ok((await page.locator(".trellis-findings .trellis-invisible").allTextContents()).includes("U+202E"));
});

test("on a narrow screen no tab is cut, and a long rule has room", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes", width: 390, height: 844 });
  const boxes = await page.getByRole("tab").evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().right));
  assert.ok(boxes.every((right) => right <= 390), boxes.join());
  await page.locator(".trellis-rule").first().click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await still(page);
  const { left, right } = await dialog.locator(".v-card").evaluate((card) => card.getBoundingClientRect().toJSON());
  assert.ok(left >= 0 && right <= 390);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});

test("nothing moves for who wants no motion", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes", prepare: (page) => page.emulateMedia({ reducedMotion: "reduce" }) });
  await page.locator(".trellis-rule").first().click();
  await page.getByRole("dialog").waitFor();
  const times = await page.evaluate(() => document.getAnimations().map(({ effect }) => effect.getComputedTiming().duration));
  assert.ok(times.every((time) => time <= 1), times.join());
});
