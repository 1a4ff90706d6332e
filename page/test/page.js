// The page in a real browser, as people have it before them.
import assert from "node:assert/strict";
import { after, before } from "node:test";
import { launch } from "../../web/browser/chromium.js";
import { startServer } from "./program.js";

/** A server and a browser for the tests of a file; `open` gives a page of its own to each test. */
export function withBrowser() {
  const shared = {};
  before(async () => {
    shared.server = await startServer();
    shared.browser = await launch();
  });
  after(async () => {
    await shared.browser?.close();
    await shared.server?.stop();
  });
  return {
    /** Opens the page; what it says to the console as an error fails the test at `close`. */
    async open(t, { hash = "", context, width = 1280, height = 900, colorScheme = "light", prepare, errors = [] } = {}) {
      const own = context ?? (await shared.browser.newContext({ viewport: { width, height }, colorScheme }));
      if (!context) t.after(() => own.close());
      const page = await own.newPage();
      const said = [];
      page.on("pageerror", (error) => said.push(String(error)));
      page.on("console", (message) => message.type() === "error" && said.push(message.text()));
      t.after(() => assert.deepEqual(said.filter((text) => !errors.some((known) => known.test(text))), []));
      await prepare?.(page);
      await page.goto(`${shared.server.url}${hash}`);
      await settled(page);
      return page;
    },
    origin: () => new URL(shared.server.url).origin,
    context: (options) => shared.browser.newContext(options),
  };
}

/** Waits until what is in the editor was checked, by all rules that there are. */
export async function settled(page) {
  await page.waitForSelector("[data-state=reviewed][data-whole=true]");
}

/** Waits until nothing moves any more; what blinks for ever may. */
export async function still(page) {
  await page.waitForTimeout(100);
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState, effect }) => playState !== "running" || effect.getTiming().iterations === Infinity),
  );
}

/** The text of an editor, as who copies all of it gets it. */
export async function textOf(page, editor = "manifest") {
  const content = page.locator(`#text-${editor} .cm-content`);
  await content.focus();
  await page.keyboard.press("Control+a");
  return content.evaluate((element) => {
    const clipboardData = new DataTransfer();
    element.dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
    return clipboardData.getData("text/plain");
  });
}

/** Puts a text into one of the editors, as a paste does. */
export async function paste(page, text, editor = "manifest") {
  const content = page.locator(`#text-${editor} .cm-content`);
  await content.click();
  await page.keyboard.press("Control+a");
  await content.evaluate((element, text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}

/** Ids of the rules in the panel of findings, by severity. */
export function rulesIn(page, severity) {
  return page.locator(`[data-part=${severity}] .trellis-rule`).allTextContents().then((ids) => ids.map((id) => id.trim()));
}

/** Replaces the first occurrence of a text in the manifest, by hand. */
export async function replace(page, from, to) {
  await paste(page, (await textOf(page)).replace(from, to));
  await settled(page);
}

/** Opens a menu of examples and picks one. */
export async function pick(page, name, menu = "Examples") {
  await page.getByRole("button", { name: menu }).click();
  await page.locator(".v-list-item-title").getByText(name, { exact: true }).click();
  await settled(page);
}
