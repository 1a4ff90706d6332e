// Quick fixes: which are offered, how they are named, and what they do.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.js";
import { findings, text } from "./looking.js";

let chromium;
before(async () => {
  chromium = await open();
});
after(() => chromium?.close());

/** An editor with a text in which a policy finds these. */
const fixEditor = ({ doc, found, options = {} }) => {
  const { Compartment, EditorState, editor, trellis, policyOf } = window.page;
  const readOnly = new Compartment();
  window.setReadOnly = (is) => window.view.dispatch({ effects: readOnly.reconfigure(EditorState.readOnly.of(is)) });
  const extensions = [trellis({ policy: policyOf(...found), delay: 20, ...options }), readOnly.of([])];
  window.view = editor({ parent: "whole", doc, extensions });
};
const add = (path, value) => ({ op: "add", path, value });
const replace = (path, value) => ({ op: "replace", path, value });
const remove = (path) => ({ op: "remove", path });
const fixFirst = (page) => page.evaluate(() => window.page.fixFirst(window.view));

test("a read-only editor offers no fix, and makes none", async () => {
  const doc = "kind: Thing\na: 1\n";
  const page = await chromium.editorPage(fixEditor, { doc, found: [{ pointer: "/a", fix: [replace("/a", 2)] }] });
  await findings(page, 1);
  const offered = (count) =>
    page.waitForFunction((count) => window.page.diagnostics(window.view)[0]?.actions.length === count, count);
  await offered(1);
  // Until it is checked again, what was offered before is still there.
  await page.evaluate(() => (window.setReadOnly(true), window.page.fixFirst(window.view)));
  assert.equal(await text(page), doc);
  await offered(0);
  await page.evaluate(() => window.setReadOnly(false));
  await offered(1);
  await fixFirst(page);
  assert.equal(await text(page), "kind: Thing\na: 2\n");
});

test("no edit is made before a fix is asked for", async () => {
  const items = Array.from({ length: 400 }, (_, item) => item);
  const doc = `kind: Thing\nitems:\n${items.map((item) => `- name: item-${item}\n`).join("")}`;
  const found = items.map((item) => ({ pointer: `/items/${item}/name`, fix: [replace(`/items/${item}/name`, "x")] }));
  const page = await chromium.editorPage(() => {
    // Each reading of a text measures its bytes.
    window.readings = 0;
    const { encode } = TextEncoder.prototype;
    TextEncoder.prototype.encode = function (text) {
      window.readings += 1;
      return encode.call(this, text);
    };
  });
  await page.evaluate(fixEditor, { doc, found });
  await findings(page, 400);
  assert.equal(await page.evaluate(() => window.readings), 1);
  await fixFirst(page);
  assert.equal(await text(page), doc.replace("item-0", "x"));
});

test("what a fix changes must be in the text", async () => {
  const doc = "kind: Thing\nspec:\n  a: 1\n  list: []\n";
  const fixes = [
    [[replace("/spec/a", 2)], ["Set a to 2"]],
    [[replace("/spec/b", 2)], []],
    [[remove("/spec/b")], []],
    [[add("/spec/b", 2)], ["Set b to 2"]],
    [[add("/spec/b/c", 2)], []],
    [[add("/spec/b", {}), add("/spec/b/c", 2)], ["Fix"]],
    [[add("/spec/list/-", 2)], ["Add 2 to list"]],
  ];
  const found = fixes.map(([fix]) => ({ pointer: "/spec/a", fix }));
  const page = await chromium.editorPage(fixEditor, { doc, found });
  const shown = await findings(page, fixes.length);
  assert.deepEqual(shown.map(({ actions }) => actions), fixes.map(([, actions]) => actions));
});

test("a fix names the entry of a list by the list", async () => {
  const doc = "kind: Thing\nworkers:\n- zones: [a, b]\n- zones: []\n";
  const fixes = [
    [remove("/workers/1"), "Remove workers[1]"],
    [replace("/workers/0/zones/1", "c"), "Set zones[1] to c"],
    [replace("/workers/0/zones", []), "Set zones"],
    [add("/workers/0/zones/0", "c"), "Add c to zones"],
    [add("/workers/-", { zones: [] }), "Add to workers"],
    [add("/workers/1/a~1b", "c"), "Set a/b to c"],
  ];
  const found = fixes.map(([operation]) => ({ pointer: "/workers", fix: [operation] }));
  const page = await chromium.editorPage(fixEditor, { doc, found });
  const shown = await findings(page, fixes.length);
  assert.deepEqual(shown.map(({ actions }) => actions), fixes.map(([, name]) => [name]));
});

test("a misspelt key is renamed where it stands", async () => {
  const doc = "kind: Thing\nspec: # all\n  'workrs': [a] # two\n  other: 1\n";
  const fix = [{ op: "move", from: "/spec/workrs", path: "/spec/workers" }];
  const page = await chromium.editorPage(fixEditor, { doc, found: [{ pointer: "/spec/workrs", atKey: true, fix }] });
  const [shown] = await findings(page, 1);
  assert.deepEqual([shown.text, shown.actions], ["'workrs'", ["Rename workrs to workers"]]);
  await fixFirst(page);
  assert.equal(await text(page), doc.replace("workrs", "workers"));
});

test("a right name that the text has already is not given again", async () => {
  const doc = "kind: Thing\nworkrs: 1\nworkers: 2\n";
  const fix = [{ op: "move", from: "/workrs", path: "/workers" }];
  const page = await chromium.editorPage(fixEditor, { doc, found: [{ pointer: "/workrs", atKey: true, fix }] });
  assert.deepEqual((await findings(page, 1))[0].actions, []);
});

test("each value to choose from is a fix, and the certain one stands first", async () => {
  const doc = "kind: Thing\na: 'x1' # why\nl: [y1]\nb:\n";
  const found = [
    { pointer: "/a", badValue: "x1", choices: ["x2", "x3"] },
    { pointer: "/l/0", badValue: "y1", choices: ["y2", "y3"], fix: [replace("/l/0", "y2")] },
    { pointer: "/b", badValue: null, choices: ["z"] },
    { pointer: "/elsewhere/c", badValue: "z1", choices: ["z2"] },
  ];
  const page = await chromium.editorPage(fixEditor, { doc, found });
  const shown = await findings(page, 4);
  const actions = [["Set a to x2", "Set a to x3"], ["Set l[0] to y2", "Set l[0] to y3"], ["Set b to z"], []];
  assert.deepEqual(shown.map(({ actions }) => actions).sort(), actions.sort());
  await fixFirst(page);
  assert.match(await text(page), /z2|^kind: Thing\na: 'x2' # why\n/);
});

test("a fix that an alias would show elsewhere leads to its place", async () => {
  const doc = "kind: Thing\na: &x {p: 1}\nb: *x\n";
  const page = await chromium.editorPage(fixEditor, { doc, found: [{ pointer: "/a/p", fix: [replace("/a/p", 2)] }] });
  await findings(page, 1);
  await fixFirst(page);
  assert.equal(await text(page), doc);
  const { from, to } = await page.evaluate(() => ({ from: window.view.state.selection.main.from, to: window.view.state.selection.main.to }));
  assert.deepEqual([from, to], [doc.indexOf("1"), doc.indexOf("1") + 1]);
});

test("no page broke its Content-Security-Policy or threw", () => {
  assert.deepEqual(chromium.complaints, []);
});
