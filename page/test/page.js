// The page in a real browser, as people have it before them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before } from "node:test";
import { launch, PATIENCE } from "../../web/browser/chromium.js";
import { startServer } from "./program.js";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * A server and a browser for the tests of a file, or those that all files share; `open` gives a page of its own to each test. What
 * is applied is there for everybody who has the server: tests that apply give the URL of a server of their own.
 *
 * The pages of a file are of one context, whose process stays warm: a new process takes longer than all that a page does in it.
 * Tests that change what the pages of a context share, as routes, permissions and kept colours are, have one of their own.
 */
export function withBrowser() {
  const shared = {};
  const servers = [];
  const ownServer = async () => {
    const server = await startServer();
    servers.push(server);
    return server.url;
  };
  before(async () => {
    shared.url = process.env.TEST_SERVER ?? (await ownServer());
    shared.browser = await launch();
    shared.context = await shared.browser.newContext();
    // The process ends with its last page.
    const page = await shared.context.newPage();
    await page.goto(new URL("icon.svg", shared.url).href);
  });
  after(async () => {
    await shared.browser?.close();
    for (const server of servers) await server.stop();
  });
  return {
    /** Opens the page; what it says to the console as an error fails the test at `close`. */
    async open(t, { url = shared.url, hash = "", context = shared.context, width = 1280, height = 900, colorScheme = "light", prepare, errors = [] } = {}) {
      const page = await context.newPage();
      page.setDefaultTimeout(PATIENCE);
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      const said = [];
      page.on("pageerror", (error) => said.push(String(error)));
      page.on("console", (message) => message.type() === "error" && said.push(message.text()));
      t.after(async () => {
        if (context === shared.context) {
          assert.deepEqual(await page.evaluate(() => Object.keys(localStorage)), [], "other tests have this, too");
          await page.close();
        }
        assert.deepEqual(said.filter((text) => !errors.some((known) => known.test(text))), []);
      });
      await prepare?.(page);
      await page.goto(`${url}${hash}`);
      await settled(page);
      return page;
    },
    /** The URL of a server with a cloud that no other test sees. */
    ownServer,
    origin: () => new URL(shared.url).origin,
    /** A context that a test has for itself. */
    async ownContext(t, options) {
      const context = await shared.browser.newContext(options);
      t.after(() => context.close());
      return context;
    },
  };
}

/** Waits until what is in the editor was checked, by all rules that there are. */
export async function settled(page) {
  await page.waitForSelector("[data-state=reviewed][data-whole=true]");
}

/** Waits until nothing moves any more; what blinks for ever may. What was shown just now begins to move within two frames. */
export function still(page) {
  return page.evaluate(async () => {
    const moves = ({ playState, effect }) => playState === "running" && effect.getTiming().iterations !== Infinity;
    for (let frames = 0; frames < 3; frames += 1) {
      await new Promise(requestAnimationFrame);
      if (document.getAnimations().some(moves)) frames = 0;
    }
  });
}

/** What axe finds at WCAG AA, once nothing moves. */
export async function violations(page) {
  await still(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const { violations } = await page.evaluate((tags) => window.axe.run(document, { runOnly: tags }), AA);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`);
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

/** Leads the page to another part behind the `#`, as a link does. */
export async function follow(page, hash) {
  await page.evaluate(async (hash) => {
    if (location.hash === hash) return;
    // The page has heard of it before: its own event comes first.
    const heard = new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
    location.hash = hash;
    await heard;
  }, hash);
  await settled(page);
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
