// What a first visit loads, and what comes later.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test as anyTest } from "node:test";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { PATIENCE } from "../../web/browser/chromium.js";
import { paste, settled, still, textOf, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

const DIST = new URL("../dist/", import.meta.url);

/** A test that ends where a request never comes that it waits for. */
const test = (name, run) => anyTest(name, { timeout: 4 * PATIENCE }, run);

/** Most bytes of a first visit until its first review, with brotli; Gardener's module comes after it. */
const BUDGET = 500_000;

const TABS = { Defaults: ["DefaultsPane", ".trellis-diff"], Addresses: ["AddressesPane", ".trellis-strip"], Plan: ["CloudPane", ".trellis-graph"], Manifests: ["ManifestsPane", ".trellis-manifests"] };
const OTHERS = ["ExampleList", "VersionList", "FileList", "NoteBar", "AboutDialog", "KeysDialog", "RuleDialog", "NewShootDialog", "DestroyDialog", "DiffPane", "examples"];
const PARTS = [...Object.values(TABS).map(([part]) => part), ...OTHERS];

/** Waits until the page has tried parts by itself, which it does once, so that only a person's tries are left. */
function triedBySelf(context, parts) {
  const tried = new Set();
  return new Promise((resolve) => {
    const note = (request) => {
      tried.add(partOf(request.url()));
      if (parts.every((part) => tried.has(part))) resolve();
    };
    context.on("requestfinished", note);
    context.on("requestfailed", note);
  });
}

const partOf = (url) => PARTS.find((part) => new URL(url).pathname.includes(`/assets/${part}-`));

test("the first review waits for no other tab, menu or dialog, and keeps to its budget; then they come by themselves", async (t) => {
  const context = await ownContext(t);
  const files = [];
  context.on("request", (request) => files.push(request.url()));
  const held = [];
  let isHeld = true;
  await context.route((url) => partOf(url) !== undefined, (route) => (isHeld ? void held.push(route) : route.continue()));
  const page = await open(t, { context });
  assert.equal(await page.locator("[data-part=error] .trellis-finding").count(), 5);

  const needed = files.map((url) => new URL(url).pathname.slice(1) || "index.html").filter((name) => /^(assets|index)/.test(name) && partOf(`http://page/${name}`) === undefined);
  const first = needed.filter((name) => !name.includes("/gardener_bg"));
  for (const name of ["index.html", "assets/page-", "assets/checker-thread-", "assets/alicloud_bg-"]) assert.ok(first.some((file) => file.startsWith(name)), name);
  const sizes = await Promise.all(first.map(async (name) => (await promisify(brotliCompress)(await readFile(new URL(name, DIST)))).length));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(bytes <= BUDGET, `${bytes} bytes: ${first.map((name, index) => `${name} ${sizes[index]}`).join(", ")}`);

  const come = new Set();
  const all = new Promise((resolve) => context.on("requestfinished", (request) => {
    come.add(partOf(request.url()));
    if (PARTS.every((part) => come.has(part))) resolve();
  }));
  isHeld = false;
  for (const route of held) await route.continue();
  await all;
});

for (const [tab, [part, shown]] of Object.entries(TABS)) {
  test(`where the tab ${tab} cannot be loaded, it says so, and tries again`, async (t) => {
    let isLost = true;
    const context = await ownContext(t);
    await context.route((url) => partOf(url) === part, (route) => (isLost ? route.fulfill({ status: 404 }) : route.continue()));
    const tried = triedBySelf(context, [part]);
    const page = await open(t, { hash: "#example=two-zones", context, errors: [/404/, /MIME type/] });
    await tried;
    await page.getByRole("tab", { name: tab }).click();
    const panel = page.getByRole("tabpanel", { name: tab });
    const alert = panel.getByRole("alert");
    await alert.getByText("This part of the page could not be loaded.").waitFor();
    await alert.getByRole("button", { name: "Try again" }).click();
    await alert.getByText("This part of the page could not be loaded.").waitFor();
    isLost = false;
    await alert.getByRole("button", { name: "Try again" }).click();
    await panel.locator(shown).first().waitFor();
    assert.equal(await alert.count(), 0);
  });
}

test("a part that is loaded at the second try has its styles", async (t) => {
  let isLost = true;
  const context = await ownContext(t);
  await context.route((url) => partOf(url) === "CloudPane", (route) => (isLost ? route.abort() : route.continue()));
  const tried = triedBySelf(context, ["CloudPane"]);
  const page = await open(t, { hash: "#example=two-zones", context, errors: [/ERR_FAILED/] });
  await tried;
  await page.getByRole("tab", { name: "Plan" }).click();
  const retry = page.getByRole("button", { name: "Try again" });
  await retry.waitFor();
  isLost = false;
  await retry.click();
  await page.locator("[data-networks]").waitFor();
  assert.equal(await page.locator("[data-networks]").evaluate((element) => getComputedStyle(element).borderTopStyle), "solid");
});

test("a menu or a dialog that cannot be loaded says so above the page, and opens after another try", async (t) => {
  let isLost = true;
  const context = await ownContext(t);
  await context.route((url) => ["ExampleList", "AboutDialog"].includes(partOf(url)), (route) => (isLost ? route.abort() : route.continue()));
  const tried = triedBySelf(context, ["ExampleList", "AboutDialog"]);
  const page = await open(t, { context, errors: [/ERR_FAILED/] });
  await tried;
  for (const [button, shown] of [["Examples", page.getByRole("menu")], ["About: version, policies and documentation", page.getByRole("dialog")]]) {
    isLost = true;
    await page.getByRole("button", { name: button }).click();
    await page.getByRole("alert").filter({ hasText: "could not be loaded" }).waitFor();
    isLost = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await shown.waitFor();
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "hidden" });
  }
});

test("an example that cannot be loaded is reported, and the first one is shown", async (t) => {
  let isLost = true;
  const context = await ownContext(t);
  await context.route((url) => partOf(url) === "examples", (route) => (isLost ? route.abort() : route.continue()));
  const page = await open(t, { hash: "#example=two-zones", context, errors: [/ERR_FAILED/] });
  await page.getByText("The example two-zones could not be loaded. This is another one: reload the page to try again.").waitFor();
  assert.equal(await page.locator("[data-part=error] .trellis-finding").count(), 5);
  // What the tab remembers and the address says is the example that was asked for.
  await page.getByRole("tab", { name: "Defaults" }).click();
  await page.getByRole("tabpanel", { name: "Defaults" }).waitFor();
  isLost = false;
  await page.reload();
  await settled(page);
  assert.match(await textOf(page), /name: two-zones/);
  assert.equal(new URL(page.url()).hash, "#example=two-zones");
});

test("a text that is written in the place of an example that could not be loaded is kept", async (t) => {
  const context = await ownContext(t);
  await context.route((url) => partOf(url) === "examples", (route) => route.abort());
  const page = await open(t, { hash: "#example=two-zones", context, errors: [/ERR_FAILED/] });
  await paste(page, "kind: Shoot\nmetadata: {name: mine}\n");
  await settled(page);
  await page.reload();
  await settled(page);
  assert.match(await textOf(page), /name: mine/);
});

test("a dialog and a menu that cannot be loaded can be closed, and are tried again when they are opened again", async (t) => {
  let isLost = true;
  const context = await ownContext(t);
  await context.route((url) => ["ExampleList", "AboutDialog"].includes(partOf(url)), (route) => (isLost ? route.abort() : route.continue()));
  const tried = triedBySelf(context, ["ExampleList", "AboutDialog"]);
  const page = await open(t, { context, errors: [/ERR_FAILED/] });
  await tried;
  const alert = page.getByRole("alert").filter({ hasText: "could not be loaded" });
  for (const [name, shown] of [["Examples", page.getByRole("menu")], ["About: version, policies and documentation", page.getByRole("dialog")]]) {
    isLost = true;
    const button = page.getByRole("button", { name });
    await button.click();
    await alert.waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await alert.waitFor({ state: "hidden" });
    await page.waitForFunction((name) => document.activeElement?.getAttribute("aria-label")?.startsWith(name), name.split(":")[0]);
    isLost = false;
    await button.click();
    await shown.waitFor();
    await page.keyboard.press("Escape");
    await shown.waitFor({ state: "hidden" });
  }
});

test("a note that stays comes back when the note that took its place is closed", async (t) => {
  const page = await open(t, { hash: "#example=nothing-of-this-name" });
  const stays = page.getByText("There is no example called nothing-of-this-name");
  await stays.waitFor();
  await page.getByRole("button", { name: "File" }).click();
  await page.getByText("Copy as a command").click();
  await stays.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Close" }).click();
  await stays.waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await stays.waitFor({ state: "hidden" });
});

/** Closes the note that is there, and waits until the page shows what it shows then. */
async function closeNote(page) {
  const close = page.getByRole("button", { name: "Close" });
  await close.click();
  await close.waitFor({ state: "hidden" });
  await still(page);
}

async function copyCommand(page) {
  await page.getByRole("button", { name: "File" }).click();
  await page.getByText("Copy as a command").click();
}

test("a note that stays and is said again is closed at once", async (t) => {
  const page = await open(t);
  const note = page.getByText("large.yaml has 3.1 MiB");
  const openLarge = async () => {
    await page.locator("input[accept*=yaml]").setInputFiles({ name: "large.yaml", mimeType: "application/yaml", buffer: Buffer.alloc(3_200_000, "a") });
    await note.waitFor();
  };
  await openLarge();
  for (let times = 0; times < 2; times += 1) {
    await copyCommand(page);
    await note.waitFor({ state: "hidden" });
    await openLarge();
  }
  await closeNote(page);
  assert.equal(await note.count(), 0);
});

test("a note about a text does not come back where another one was opened", async (t) => {
  const page = await open(t, { hash: "#example=nothing-of-this-name" });
  const stays = page.getByText("There is no example called nothing-of-this-name");
  await stays.waitFor();
  await copyCommand(page);
  await stays.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Examples" }).click();
  await page.getByRole("menuitem").filter({ hasText: "two-zones" }).first().click();
  await settled(page);
  await closeNote(page);
  assert.equal(await stays.count(), 0);
});

test("a note about a text goes where another one is opened", async (t) => {
  const page = await open(t, { hash: "#example=nothing-of-this-name" });
  const stays = page.getByText("There is no example called nothing-of-this-name");
  await stays.waitFor();
  await page.evaluate(() => (location.hash = "#example=two-zones"));
  await stays.waitFor({ state: "hidden" });
});

test("a note does not cover the search of an editor", async (t) => {
  for (const [width, height] of [[1200, 800], [390, 844]]) {
    const page = await open(t, { hash: "#example=nothing-of-this-name", width, height });
    await page.getByText("There is no example called nothing-of-this-name").waitFor();
    await page.locator("#text-manifest .cm-content").press("Control+f");
    await page.locator(".cm-search").waitFor();
    await still(page);
    const boxes = await Promise.all([".cm-search", ".v-snackbar__wrapper"].map((selector) => page.locator(selector).boundingBox()));
    const [search, note] = boxes;
    assert.ok(note.x >= search.x + search.width || note.y >= search.y + search.height || note.y + note.height <= search.y, JSON.stringify(boxes));
  }
});

test("where what says the addresses cannot be loaded, the tab says so without an address of a file, and tries again", async (t) => {
  const context = await ownContext(t);
  let isThere = false;
  await context.route(/addresses_bg.*\.wasm/, (route) => (isThere ? route.continue() : route.abort()));
  const page = await open(t, { hash: "#example=two-zones", context, errors: [/Failed to load resource/] });
  await page.getByRole("tab", { name: "Addresses" }).click();
  const panel = page.locator("#panel-addresses");
  const again = panel.getByRole("button", { name: "Try again" });
  await again.waitFor();
  assert.doesNotMatch(await panel.innerText(), /http|wasm/);
  isThere = true;
  await again.press("Enter");
  await panel.getByRole("heading", { name: "Add a zone" }).waitFor();
  assert.ok(await panel.evaluate((panel) => panel === document.activeElement), "the button is gone, and the focus is on its panel");
});

/** A page whose clock goes as much later as a test says, and which counts the reviews that it asks for; and what the page does when the person comes back. */
async function idle(t) {
  const page = await open(t, {
    prepare: (page) => page.addInitScript(() => {
      window.later = 0;
      const { now } = Date;
      Date.now = () => now() + window.later;
      window.asked = 0;
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message, ...more) {
        if (message.task === "review") window.asked += 1;
        return postMessage.call(this, message, ...more);
      };
    }),
  });
  const comeBack = (later) => page.evaluate(async (later) => {
    window.later = later;
    document.dispatchEvent(new Event("visibilitychange"));
    // What changes is drawn in a microtask, and the worker answers after all of them.
    await Promise.resolve();
    return [document.querySelector("[data-state]").dataset.state, window.asked];
  }, later);
  return { page, comeBack };
}

test("a verdict of an idle text is checked again when the person comes back after some minutes", async (t) => {
  const { page, comeBack } = await idle(t);
  const [state, asked] = await comeBack(60_000);
  assert.equal(state, "reviewed", "that is not long enough");
  assert.equal((await comeBack(600_000))[0], "checking");
  await page.waitForFunction((asked) => window.asked > asked, asked);
});

test("a verdict is as old as its first judgement, however often it is asked for meanwhile", async (t) => {
  const { page, comeBack } = await idle(t);
  const [, asked] = await comeBack(200_000);
  await page.getByRole("tab", { name: "Defaults" }).click();
  await page.waitForFunction((asked) => window.asked > asked, asked);
  await settled(page);
  assert.equal((await comeBack(240_000))[0], "reviewed");
  assert.equal((await comeBack(310_000))[0], "checking");
});

test("while an example is being loaded, the page does not call the old text checked", async (t) => {
  const context = await ownContext(t);
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await context.route((url) => partOf(url) === "examples", async (route) => {
    await released;
    await route.continue();
  });
  const page = await open(t, { context });
  await page.evaluate(() => (location.hash = "#example=two-zones"));
  await page.waitForSelector("[data-state=checking]");
  release();
  await settled(page);
  assert.match(await textOf(page), /name: two-zones/);
});
