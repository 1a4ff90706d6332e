import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.js";

let chromium;
before(async () => {
  chromium = await open();
});
after(() => chromium?.close());

/** A page with one editor, whose findings are awaited. `setup` makes it, in the page. */
async function editorPage(setup, argument) {
  const page = await chromium.newPage();
  await page.evaluate(setup, argument);
  return page;
}

/** The findings once there are as many. */
async function findings(page, count) {
  await page.waitForFunction((count) => window.page.diagnostics(window.view).length === count, count, { timeout: 5_000 })
    .catch(async () => {
      const found = await page.evaluate(() => window.page.diagnostics(window.view));
      assert.fail(`expected ${count} findings, there are ${JSON.stringify(found, null, 1)}`);
    });
  return page.evaluate(() => window.page.diagnostics(window.view));
}

const text = (page) => page.evaluate(() => window.view.state.doc.toString());

/** The README's ten lines. */
const whole = async () => {
  const { editor, trellis, load, example } = window.page;
  const policy = await load({ provider: "alicloud" });
  window.view = editor({ parent: "whole", doc: example, extensions: [trellis({ policy })] });
};

/** Moves the pointer onto the first underlined text that has this one. */
async function hover(page, part, selector = ".cm-lintRange") {
  const box = await page.locator(selector, { hasText: part }).first().boundingBox();
  await page.mouse.move(0, 0);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
  const tooltip = page.locator(".cm-tooltip-hover");
  await tooltip.waitFor({ timeout: 3_000 });
  return tooltip;
}

test("five mistakes are underlined where they are, and said with what to do", async () => {
  const page = await editorPage(whole);
  const found = await findings(page, 5);
  assert.deepEqual(
    found.map(({ source, severity, text, actions }) => [source, severity, text, actions]),
    [
      ["ALI-INF-003", "error", "10.250.1.0/19", ["Set workers to 10.250.0.0/19"]],
      ["ALI-INF-007", "error", "10.250.128.0/19", []],
      ["ALI-WRK-008", "error", "name", []],
      ["ALI-WRK-010", "error", "eu-central-1c", []],
      ["ALI-INF-016", "error", "10.250.192.0/18", []],
    ],
  );
  const lines = (await text(page)).split("\n");
  for (const { line, text, message } of found) {
    assert.ok(lines[line - 1].includes(text), `${line}: ${text}`);
    assert.match(message, /^[\w.[\]]+: .+\n.+/);
  }
  assert.ok((await page.locator(".cm-lintRange-error").count()) >= 5);
});

test("the pointer on a finding shows the rule, the remedy and why", async () => {
  const page = await editorPage(whole);
  await findings(page, 5);
  const tooltip = await hover(page, "10.250.1.0/19");
  await page.locator(".cm-trellis-rule").waitFor();
  const shown = await tooltip.innerText();
  assert.match(shown, /ALI-INF-003/);
  assert.match(shown, /must be valid canonical CIDR/);
  assert.match(shown, /Write the first address of the range: 10\.250\.0\.0\/19\./);
  assert.equal(await tooltip.locator(".cm-trellis-why").count(), 1);
});

test("the quick fix mends one finding by one transaction, and undo brings it back", async () => {
  const page = await editorPage(whole);
  await findings(page, 5);
  const original = await text(page);
  await hover(page, "10.250.1.0/19");
  await page.getByRole("button", { name: "Set workers to 10.250.0.0/19" }).click();
  assert.equal(await text(page), original.replace("10.250.1.0/19", "10.250.0.0/19"));
  const left = await findings(page, 4);
  assert.ok(left.every(({ source }) => source !== "ALI-INF-003"));

  await page.evaluate(() => window.view.focus());
  await page.keyboard.press("Control+z");
  assert.equal(await text(page), original);
  await findings(page, 5);
});

test("typing brings findings and takes them away", async () => {
  const page = await editorPage(whole);
  await findings(page, 5);
  const at = (await text(page)).indexOf("eu-central-1c") + "eu-central-1c".length;
  await page.evaluate((at) => (window.view.focus(), window.view.dispatch({ selection: { anchor: at } })), at);
  await page.keyboard.press("Backspace");
  await page.keyboard.type("b");
  await findings(page, 4);
  await page.keyboard.type("c");
  await findings(page, 5);
});

test("what is no YAML is underlined, too, and nothing else of that document", async () => {
  const page = await editorPage(whole);
  await findings(page, 5);
  await page.evaluate(() => {
    const at = window.view.state.doc.toString().indexOf("  region: eu-central-1\n");
    window.view.dispatch({ changes: { from: at, insert: "  note: a: b\n" } });
  });
  const [problem] = await findings(page, 1);
  assert.equal(problem.source, "YAML");
  assert.match(problem.message, /^this is not valid YAML/);
});

test("F8 goes to the next finding, and the list of findings has the keys for its fixes", async () => {
  const page = await editorPage(whole);
  const found = await findings(page, 5);
  await page.evaluate(() => window.view.focus());
  for (const { text } of found.slice(0, 2)) {
    await page.keyboard.press("F8");
    const selected = await page.evaluate(() => {
      const { main } = window.view.state.selection;
      return window.view.state.doc.sliceString(main.from, main.to);
    });
    assert.equal(selected, text);
  }
  await page.keyboard.press("Control+Shift+m");
  const panel = page.locator(".cm-panel-lint");
  await panel.waitFor();
  assert.equal(await panel.getByRole("option").count(), 5);
  assert.match(await panel.innerText(), /ALI-WRK-010/);
  await page.keyboard.press("Home");
  await page.keyboard.press("s");
  await findings(page, 4);
});

test("a fragment has the findings that are in it; the others are told", async () => {
  const page = await editorPage(async () => {
    const { editor, trellis, load, shoot, workers } = window.page;
    const policy = await load({ provider: "alicloud" });
    const { parse } = await import("/yaml.js").catch(() => ({}));
    window.checks = [];
    window.view = editor({
      parent: "workers",
      doc: workers,
      extensions: [
        trellis({
          policy,
          fragment: { at: "/spec/provider/workers", object: () => window.page.shootJson },
          onCheck: (judgements) => window.checks.push(judgements),
        }),
      ],
    });
  });
  const [finding] = await findings(page, 1);
  assert.equal(finding.source, "ALI-WRK-008");
  assert.equal(finding.text, "name");
});
