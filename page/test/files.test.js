// A person's own texts: files that are opened, dropped, downloaded and copied, lists, and all fixes at once.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { paste, settled, textOf, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

const verdict = (page) => page.locator(".verdict");

const SHOOT = "apiVersion: core.gardener.cloud/v1beta1\r\nkind: Shoot\r\nmetadata: {name: mine, namespace: garden-mine}\r\nspec:\r\n  provider: {type: alicloud}\r\n";
const AS_SHOWN = SHOOT.replaceAll("\r\n", "\n");

/** Drops files onto an editor. */
async function drop(page, files, editor = "manifest") {
  await page.locator(`#text-${editor} .cm-content`).evaluate((element, files) => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of files) dataTransfer.items.add(new File([text], name));
    const line = element.querySelectorAll(".cm-line")[3] ?? element;
    line.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, files);
}

async function pick(page, item) {
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

test("a file that is dropped takes the place of the text, and one step brings that back", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  const before = await textOf(page);
  await drop(page, [["mine.yaml", SHOOT]]);
  await page.getByText("mine.yaml took the place of the text.").waitFor();
  assert.equal(await textOf(page), AS_SHOWN);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await textOf(page), before);
  await drop(page, [["picture.png", "\u0089PNG\0"]]);
  await page.getByText("picture.png is no text").waitFor();
  await drop(page, [["a.yaml", SHOOT], ["b.yaml", SHOOT]]);
  await page.getByText("Several files were dropped, and the page takes one at a time.").waitFor();
  assert.equal(await textOf(page), before);
});

test("a file of more than 3 MiB leaves the text as it is, and the page says why, and which command takes the file", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  const before = await textOf(page);
  const line = `# ${"x".repeat(61)}\n`;
  const most = line.repeat((3 * 1024 * 1024) / line.length);
  const sentence =
    "has 3.1 MiB. The page checks texts of up to 3 MiB, because each key that you type checks the whole text, so it leaves your text as it is. " +
    "The command line takes files of up to 64 MiB: trellis validate ";
  await drop(page, [["my garden.yaml", `${most}#`]]);
  await page.getByText(`my garden.yaml ${sentence}'my garden.yaml'`).waitFor();
  assert.equal(await textOf(page), before);
  await page.getByRole("button", { name: "Close" }).click();
  const chooser = page.waitForEvent("filechooser");
  await pick(page, "Open a file");
  await (await chooser).setFiles({ name: "garden.yaml", mimeType: "application/yaml", buffer: Buffer.from(`${most}#`) });
  await page.getByText(`garden.yaml ${sentence}garden.yaml`, { exact: true }).waitFor();
  assert.equal(await textOf(page), before);
  await drop(page, [["most.yaml", most]]);
  await page.getByText("most.yaml took the place of the text.").waitFor();
});

test("a file goes to the text that is open, by the menu too, and a Secret in it stays in the tab", async (t) => {
  const page = await open(t, { hash: "#example=two-zones", context: await ownContext(t) });
  await page.getByRole("tab", { name: "Context" }).click();
  await drop(page, [["profile.yaml", "kind: CloudProfile\n"]], "context");
  assert.equal(await textOf(page, "context"), "kind: CloudProfile\n");
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  const chooser = page.waitForEvent("filechooser");
  await pick(page, "Open a file");
  const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {a: b}\n";
  await (await chooser).setFiles({ name: "secret.yaml", mimeType: "application/yaml", buffer: Buffer.from(secret) });
  await page.getByText("secret.yaml took the place of the text.").waitFor();
  await page.waitForFunction(() => location.hash === "");
});

test("a text is downloaded and copied as it is", async (t) => {
  const context = await ownContext(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const page = await open(t, { hash: "#example=two-zones", context });
  const text = await textOf(page);
  const download = page.waitForEvent("download");
  await pick(page, "Download");
  const file = await download;
  assert.equal(file.suggestedFilename(), "manifest.yaml");
  const saved = join(await mkdtemp(join(tmpdir(), "trellis-")), "saved.yaml");
  t.after(() => rm(dirname(saved), { recursive: true }));
  await file.saveAs(saved);
  assert.equal(await readFile(saved, "utf8"), text);
  await pick(page, "Copy the text");
  await page.getByText("The text is copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
  await page.getByRole("tab", { name: "Context" }).click();
  await paste(page, "{}", "context");
  await page.getByRole("button", { name: /^Version of your Gardener/ }).click();
  await page.getByRole("menuitemradio", { name: "1.147", exact: true }).click();
  await pick(page, "Copy as a command");
  await page.getByText("The command is copied.").waitFor();
  const command = "trellis validate manifest.yaml --with context.json --gardener-version 1.147";
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), command);
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await paste(page, "{}");
  const json = page.waitForEvent("download");
  await pick(page, "Download");
  assert.equal((await json).suggestedFilename(), "manifest.json");
});

test("Fix all makes one fix after the other, says what is left, and one step takes all back", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  const before = await textOf(page);
  const broken = before.replace("  region: eu-central-1\n", "  regoin: eu-central-1\n");
  assert.notEqual(broken, before);
  await paste(page, broken);
  await settled(page);
  await page.getByRole("button", { name: /^Fix all \(\d+\)$/ }).click();
  await page.getByText(/\d+ findings fixed\. \d+ findings have no certain fix: look at them yourself\./).waitFor();
  await settled(page);
  const fixed = await textOf(page);
  assert.ok(fixed.includes("  region: eu-central-1\n") && fixed.includes("workers: 10.250.0.0/19"), fixed);
  assert.equal(await page.getByRole("button", { name: /^Fix all/ }).count(), 0);
  assert.equal(await page.getByRole("button", { name: /^Fix / }).count(), 0);
  assert.match(await verdict(page).innerText(), /Rejected · \d+ errors/);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await textOf(page), broken);
});

test("what was pasted shows its first error, and the cursor stays", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const padding = "# a comment\n".repeat(200);
  const text = await textOf(page);
  await paste(page, `${text.replace("10.250.0.0/19", "10.250.1.0/19")}${padding}`);
  await settled(page);
  await page.locator("#text-manifest .cm-line", { hasText: "10.250.1.0/19" }).waitFor();
  await page.keyboard.type("# typed on");
  await page.locator("#text-manifest .cm-line", { hasText: "# typed on" }).waitFor();
  assert.ok((await textOf(page)).endsWith("# typed on"));
});

test("an undecided rule leads to the place for the object that it needs, once for each object", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, AS_SHOWN.replace("spec:\n", "spec:\n  cloudProfile: {kind: CloudProfile, name: alicloud}\n  kubernetes: {version: 1.33.2}\n"));
  await settled(page);
  const add = page.getByRole("button", { name: "Add CloudProfile alicloud" });
  assert.equal(await add.count(), 1);
  await page.getByText("To decide it here, give the CloudProfile alicloud.").first().waitFor();
  await add.click();
  await page.getByText("Paste the CloudProfile here, under Context. In your garden: kubectl get cloudprofile alicloud --output yaml").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.closest("#text-context") !== null), true);
  await page.getByRole("button", { name: "Pick a CloudProfile" }).first().click();
  const items = await page.getByRole("menuitem").allInnerTexts();
  assert.ok(items.length > 0 && items.every((item) => !/^(aws|azure|gcp|openstack)-/.test(item)), items.join("\n"));
});

test("each object of a list is judged, and a profile in the list is found", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  const documents = (await textOf(page)).split(/^---$/m).map((text) => text.trim().split("\n").filter((line) => !line.startsWith("#")));
  const items = documents.map((lines) => lines.map((line, index) => (index === 0 ? "- " : "  ") + line).join("\n"));
  const alone = await verdict(page).innerText();
  await paste(page, `apiVersion: v1\nkind: List\nitems:\n${items.join("\n")}\n`);
  await settled(page);
  assert.equal(await verdict(page).innerText(), alone);
  await page.getByRole("button", { name: /^Fix ALI-INF-003/ }).click();
  await settled(page);
  assert.match(await textOf(page), /^ +workers: 10\.250\.0\.0\/19$/m);
});

test("examples stand by provider, and are searched by words", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("menu").getByRole("group").first().waitFor();
  const groups = () => page.getByRole("menu").getByRole("group").evaluateAll((found) => found.map((group) => group.getAttribute("aria-label")));
  assert.deepEqual(await groups(), ["Alibaba Cloud", "AWS", "Azure", "Equinix Metal", "Google Cloud", "OpenStack"]);
  await page.getByRole("searchbox", { name: "Search the examples" }).fill("azure seed");
  await page.getByRole("menuitem", { name: /^two-zones/ }).waitFor({ state: "hidden" });
  assert.deepEqual(await groups(), ["Azure"]);
  await page.getByRole("searchbox").fill("nothing has this");
  await page.getByText("No example has these words.").waitFor();
  await page.getByRole("searchbox").fill("azure seed");
  await page.keyboard.press("ArrowDown");
  assert.match(await page.evaluate(() => document.activeElement?.textContent ?? ""), /^azure-seed/);
  await page.getByRole("searchbox").press("Enter");
  await settled(page);
  assert.match(await textOf(page), /kind: Seed/);
});
