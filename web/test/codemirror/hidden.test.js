// Values of Secrets in an editor.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.js";
import { text } from "./looking.js";

let chromium;
before(async () => {
  chromium = await open();
});
after(() => chromium?.close());

/** An editor whose values a checker reports, unless `alone`. What one sees at first is in `first`. */
const hiding = ({ doc, alone = false, readOnly = false } = {}) => {
  const { editor, hiddenValues, hideValues, keys, reviewLinter, startChecker, secret, EditorState } = window.page;
  const checker = startChecker();
  window.reviews = 0;
  const linter = reviewLinter({
    review: (text, options) => checker.review({ text }, options),
    onReview: ({ documents }, view) => {
      hideValues(view, documents.flatMap(({ secrets }) => secrets));
      window.reviews += 1;
    },
    delay: 50,
  });
  const extensions = [keys, hiddenValues({ label: "geheim" }), EditorState.readOnly.of(readOnly), alone ? [] : linter];
  window.view = editor({ parent: "whole", doc: doc ?? secret, extensions });
  window.first = window.view.contentDOM.innerText;
};
const seen = (page) => page.evaluate(() => window.view.contentDOM.innerText);
const reviewed = (page, count) => page.waitForFunction((count) => window.reviews >= count, count);
const value = /ZXhhbXBsZ/;

test("values are hidden at once, and after a review, with a name for who hears them", async () => {
  const page = await chromium.editorPage(hiding);
  assert.doesNotMatch(await page.evaluate(() => window.first), value);
  await reviewed(page, 1);
  assert.doesNotMatch(await seen(page), value);
  assert.match(await seen(page), /accessKeyID: ••••••\n/);
  assert.equal(await page.getByRole("img", { name: "geheim" }).count(), 2);
  assert.match(await text(page), value);
});

test("values are revealed and hidden again", async () => {
  const page = await chromium.editorPage(hiding, { readOnly: true });
  await reviewed(page, 1);
  await page.evaluate(() => window.page.revealValues(window.view, true));
  assert.match(await seen(page), value);
  await page.evaluate(() => window.page.revealValues(window.view, false));
  assert.doesNotMatch(await seen(page), value);
});

test("what is put in is hidden at once, and stays so while one types elsewhere", async () => {
  const page = await chromium.editorPage(hiding, { doc: "a: 1\n", alone: true });
  await page.evaluate(() => {
    const { view, page } = window;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: page.secret } });
  });
  assert.doesNotMatch(await seen(page), value);
  await page.evaluate(() => window.view.dispatch({ changes: { from: 0, insert: "# x\n" } }));
  assert.doesNotMatch(await seen(page), value);
});

test("a click selects a hidden value, and what is typed takes its place and is hidden in turn", async () => {
  const page = await chromium.editorPage(hiding);
  await reviewed(page, 1);
  await page.getByRole("img", { name: "geheim" }).first().click();
  await page.keyboard.type("bmV3");
  assert.match(await text(page), /accessKeyID: bmV3\n/);
  await reviewed(page, 2);
  await page.waitForFunction(() => !window.view.contentDOM.innerText.includes("bmV3"));
  assert.doesNotMatch(await seen(page), value);
});

test("the keyboard steps over a hidden value and removes it whole", async () => {
  const page = await chromium.editorPage(hiding, { alone: true });
  const line = /accessKeyID: (.*)\n/.exec(await text(page));
  await page.evaluate((at) => {
    window.view.focus();
    window.view.dispatch({ selection: { anchor: at } });
  }, line.index + line[0].length - 1);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.evaluate(() => window.view.state.selection.main.head), line.index + "accessKeyID: ".length);
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Backspace");
  assert.match(await text(page), /accessKeyID: \n/);
});

test("a value of several lines, and what is half written, are hidden", async () => {
  const doc = "kind: Secret\napiVersion: v1\nstringData:\n  a: |\n    hunter2\n    hunter2\n  b: x\n";
  const page = await chromium.editorPage(hiding, { doc });
  assert.doesNotMatch(await page.evaluate(() => window.first), /hunter2/);
  await reviewed(page, 1);
  assert.doesNotMatch(await seen(page), /hunter2/);
  await page.evaluate(() => window.view.dispatch({ changes: { from: window.view.state.doc.length, insert: '  c: "hunter2' } }));
  await reviewed(page, 2);
  assert.doesNotMatch(await seen(page), /hunter2/);
});

test("no page broke its Content-Security-Policy or threw", () => {
  assert.deepEqual(chromium.complaints, []);
});
