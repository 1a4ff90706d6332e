// What people do with the page that one does not think of at first.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { paste, pick, replace, rulesIn, settled, textOf, withBrowser } from "./page.js";

const { open } = withBrowser();

const example = (name) => readFile(new URL(`../../examples/${name}.yaml`, import.meta.url), "utf8");
const hashOf = (shared) => `#state=${deflateRawSync(JSON.stringify(shared)).toString("base64url")}`;

/** What the address holds. */
function addressOf(page) {
  const { hash } = new URL(page.url());
  return hash.startsWith("#state=") ? inflateRawSync(Buffer.from(hash.slice(7), "base64url")).toString() : hash;
}

const VALUE = "hunter2hunter2hunter2hunter2hunter2";
const secret = (kind) => `apiVersion: v1\n${kind}\nmetadata:\n  name: a\nstringData:\n  accessKeySecret: ${VALUE}\n`;

test("a text with line breaks of Windows is checked, mended and shared", async (t) => {
  const text = (await example("five-mistakes")).replaceAll("\n", "\r\n");
  const page = await open(t, { hash: hashOf({ text, context: "# nothing\r\n" }) });
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  await page.waitForFunction(() => document.querySelectorAll("[data-part=error] .trellis-finding").length === 4);
  assert.match(addressOf(page), /# nothing/);
});

for (const [name, kind] of [["a tag", "kind: !!str Secret"], ["an anchor", "kind: &k Secret"], ["a line of its own", "kind:\n  Secret"], ["nothing special", "kind: Secret"]]) {
  for (const editor of ["Before", "Context"]) {
    test(`a Secret in ${editor} whose kind has ${name} is hidden and in no address`, async (t) => {
      const page = await open(t, { hash: "#example=one-zone" });
      await page.getByRole("tab", { name: editor }).click();
      await paste(page, secret(kind), editor.toLowerCase());
      await page.waitForFunction((value) => !document.body.innerHTML.includes(value), VALUE);
      await settled(page);
      await page.waitForFunction(() => location.hash === "");
      await page.getByRole("button", { name: "Show values" }).click();
      await page.waitForFunction((value) => document.body.innerText.includes(value), VALUE);
    });
  }
}

test("a value that is written into a Secret of the context is hidden once it is checked", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await page.getByRole("tab", { name: "Context" }).click();
  await paste(page, secret("kind: Secret").replace(VALUE, ""), "context");
  await page.locator("#text-context .cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(VALUE);
  await page.waitForFunction((value) => !document.body.innerHTML.includes(value), VALUE);
});

test("a Secret whose kind is typed last is in no address before", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await paste(page, "apiVersion: v1\n");
  await settled(page);
  await page.waitForFunction(() => location.hash.startsWith("#state="));
  const seen = [];
  for (const text of ["data:\n", "  accessKeySecret: ", VALUE]) {
    await page.keyboard.type(text);
    await settled(page);
    await page.waitForTimeout(100);
    seen.push(addressOf(page));
  }
  assert.deepEqual(seen, ["", "", ""]);
});

test("another text hides values again, and the button says so", async (t) => {
  const page = await open(t, { hash: "#example=secret" });
  await page.getByRole("button", { name: "Show values" }).click();
  assert.equal(await page.locator(".cm-trellis-hidden").count(), 0);
  await pick(page, "one-zone");
  await pick(page, "secret");
  await page.getByRole("button", { name: "Show values" }).waitFor();
  assert.ok((await page.locator(".cm-trellis-hidden").count()) > 0);
});

test("what was typed just before going back is there after going forward", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await pick(page, "two-zones");
  await paste(page, "kind: Quick\n");
  await page.goBack();
  await settled(page);
  await page.goForward();
  await settled(page);
  assert.equal(await textOf(page), "kind: Quick\n");
});

test("a browser that keeps nothing shows the page all the same", async (t) => {
  const prepare = (page) =>
    page.addInitScript(() =>
      Object.defineProperty(window, "sessionStorage", {
        get() {
          throw new DOMException("denied", "SecurityError");
        },
      }),
    );
  const page = await open(t, { hash: "#example=five-mistakes", prepare });
  assert.equal((await rulesIn(page, "error")).length, 5);
  await replace(page, "five-mistakes", "mine");
  await page.getByText("a reload would lose it").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByText("a reload would lose it").waitFor({ state: "detached" });
  await replace(page, "mine", "other");
  await page.waitForTimeout(800);
  assert.equal(await page.getByText("a reload would lose it").count(), 0);
});

test("a zone that is asked for twice at once is added once, and its undo undoes nothing else", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await page.getByRole("tab", { name: "Addresses" }).click();
  await page.getByLabel("Zone", { exact: true }).fill("eu-central-1b");
  const said = await page.evaluate(async () => {
    const said = [];
    const error = document.querySelector(".trellis-zones-error");
    new MutationObserver(() => said.push(error.textContent)).observe(error, { childList: true, subtree: true, characterData: true });
    const button = document.querySelector(".trellis-zones-add");
    button.click();
    button.click();
    await new Promise((done) => setTimeout(done, 1000));
    return said.filter((text) => text !== "");
  });
  assert.deepEqual(said, []);
  assert.equal((await textOf(page)).match(/workers: 10/g).length, 2);
  const undo = page.getByRole("button", { name: "Undo" });
  assert.equal(await undo.count(), 1);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# more ");
  assert.equal(await undo.count(), 0);
});

test("a worker that dies while it mends or plans is told of", async (t) => {
  const prepare = (page) =>
    page.addInitScript(() => {
      window.Worker = class extends Worker {
        postMessage(message) {
          if (message.task === "review" || message.task === "rules") super.postMessage(message);
          else this.dispatchEvent(new ErrorEvent("error", { message: "killed" }));
        }
      };
    });
  const page = await open(t, { hash: "#example=five-mistakes", prepare });
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  await page.getByText("killed").waitFor();
  await page.getByRole("button", { name: "Check again" }).click();
  await settled(page);
  await page.getByRole("tab", { name: "Addresses" }).click();
  await page.getByLabel("Zone", { exact: true }).fill("eu-central-1c");
  await page.getByRole("button", { name: "Add zone" }).click();
  await page.getByText("killed").waitFor();
});

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

for (const [tab, begin, end] of [["Before", "Take the manifest as it is now", "End the comparison"], ["Context", undefined, "Clear"]]) {
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

test("an old text that is that of no object shows at its tab", async (t) => {
  const page = await open(t, { hash: hashOf({ text: await example("one-zone"), old: await example("two-zones") }) });
  await page.getByRole("tab", { name: "Before 1 problem" }).waitFor();
});

test("on a screen of 320 by 256, editor and results have room of their own", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes", width: 320, height: 256 });
  const heights = await page.locator(".cm-scroller, .panel").evaluateAll((all) => all.map(({ clientHeight }) => clientHeight).filter((height) => height > 0));
  assert.ok(heights.every((height) => height >= 200), String(heights));
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  await page.waitForFunction(() => document.querySelectorAll("[data-part=error] .trellis-finding").length === 4);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
});

test("another text is shown from its first object on, wherever the cursor was", async (t) => {
  const [one, two] = [await example("one-zone"), await example("two-zones")];
  const page = await open(t, { hash: hashOf({ text: `${one}---\n${two}` }) });
  await page.getByRole("tab", { name: "Addresses" }).click();
  await page.locator("#text-manifest .cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.waitForFunction(() => document.querySelector("label select").selectedOptions[0].textContent.includes("two-zones"));
  const next = hashOf({ text: `${one.replace("name: one-zone", "name: next-and-longer")}---\n${two}` });
  await page.evaluate((next) => (location.hash = next), next);
  await page.waitForFunction(() => document.querySelector("label select").selectedOptions[0].textContent.includes("next"));
});

test("headings lead from the page to the parts of a panel, without a gap", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  for (const tab of ["Findings", "Addresses"]) {
    await page.getByRole("tab", { name: tab }).click();
    const levels = await page.locator("h1, h2, h3, h4").evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
    assert.deepEqual(levels.filter((level, at) => level > (levels[at - 1] ?? 0) + 1), [], `${tab}: ${levels}`);
  }
});
