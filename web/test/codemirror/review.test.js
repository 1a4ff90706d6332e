// Editors whose texts a checker reviews.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.js";
import { findings, hover, text } from "./looking.js";

let chromium;
before(async () => {
  chromium = await open();
});
after(() => chromium?.close());

/** An editor with the example. What is reviewed is in `reviewed`, what comes of it in `reviews`. */
const reviewing = ({ doc, readOnly = false, separator, undecided, delay } = {}) => {
  const { editor, reviewLinter, startChecker, example, EditorState } = window.page;
  const checker = startChecker();
  window.checker = checker;
  window.reviewed = [];
  window.reviews = [];
  const extension = reviewLinter({
    review: (text, options) => {
      window.reviewed.push(text);
      return checker.review({ text }, options);
    },
    edits: (...given) => window.edits?.(...given) ?? checker.edits(...given),
    onReview: (review) => window.reviews.push(review),
    undecided,
    delay,
  });
  const extensions = [extension, EditorState.readOnly.of(readOnly), separator ? EditorState.lineSeparator.of(separator) : []];
  window.view = editor({ parent: "whole", doc: doc ?? example, extensions });
};

test("a review is shown as a policy's own findings are", async () => {
  const page = await chromium.editorPage(reviewing);
  const found = await findings(page, 5);
  assert.equal(await page.evaluate(() => window.reviews[0].documents.length), 2);
  const own = await chromium.editorPage(() => {
    const { editor, trellis, load, example } = window.page;
    window.view = editor({ parent: "whole", doc: example, extensions: [trellis({ policy: load({ provider: "alicloud" }) })] });
  });
  assert.deepEqual(found, await findings(own, 5));
});

test("a fix of a review fixes the text by one transaction, and undo brings it back", async () => {
  const page = await chromium.editorPage(reviewing);
  await findings(page, 5);
  const original = await text(page);
  const tooltip = await hover(page, "10.250.1.0/19");
  assert.match(await tooltip.innerText(), /Write the first address of the range/);
  await page.getByRole("button", { name: "Set workers to 10.250.0.0/19" }).click();
  await findings(page, 4);
  assert.equal(await text(page), original.replace("10.250.1.0/19", "10.250.0.0/19"));
  await page.evaluate(() => window.view.focus());
  await page.keyboard.press("Control+z");
  assert.equal(await text(page), original);
  await findings(page, 5);
});

test("a fix makes lines where the editor has a line separator of its own", async () => {
  const doc = "kind: Shoot\r\nmetadata:\r\n  name: a\r\n  namespace: garden-dev\r\nspec: {}\r\n";
  const page = await chromium.editorPage(reviewing, { doc, separator: "\r\n" });
  await page.waitForFunction(() => window.reviews.at(-1)?.documents[0].ruling?.findings.some(({ rule }) => rule === "DEC-13"));
  const fix = await page.evaluate(() => window.reviews.at(-1).documents[0].ruling.findings.find(({ rule }) => rule === "DEC-13").fix);
  assert.deepEqual(fix.map(({ path }) => path), ["/apiVersion"]);
  await hover(page, "kind");
  await page.getByRole("button", { name: /Set apiVersion/ }).click();
  await page.waitForFunction(() => window.view.state.doc.toString().includes("apiVersion"));
  const lines = await page.evaluate(() => Array.from(window.view.state.doc.iterLines()));
  assert.equal(lines.length, 7);
  assert.ok(lines.every((line) => !line.includes("\n")), JSON.stringify(lines));
});

test("a fix whose text changes meanwhile is not made", async () => {
  const page = await chromium.editorPage(reviewing);
  await findings(page, 5);
  const original = await text(page);
  await page.evaluate(() => {
    const { promise, resolve } = Promise.withResolvers();
    window.edits = () => promise;
    window.page.fixFirst(window.view);
    window.view.dispatch({ changes: { from: 0, insert: "# new\n" } });
    resolve([{ from: 0, to: 1, insert: "wrong" }]);
    return window.page.settled();
  });
  assert.equal(await text(page), `# new\n${original}`);
});

test("an editor that cannot be written to shows findings without fixes", async () => {
  const page = await chromium.editorPage(reviewing, { readOnly: true });
  const found = await findings(page, 5);
  assert.ok(found.every(({ actions }) => actions.length === 0));
});

test("Gardener's findings appear without a key pressed, and F8 goes to the next one", async () => {
  const page = await chromium.editorPage(reviewing);
  await page.waitForFunction(() => window.reviews.length === 2);
  const sources = await page.evaluate(() => window.reviews.map(({ documents }) => documents[1].isPreliminary === true));
  assert.deepEqual(sources, [true, false]);
  await page.evaluate(() => window.view.focus());
  await page.keyboard.press("F8");
  const line = await page.evaluate(() => window.view.state.doc.lineAt(window.view.state.selection.main.head).number);
  assert.ok(line > 1);
});

test("the first review, and the one with Gardener's rules, do not wait until nobody types", async () => {
  const page = await chromium.editorPage(reviewing, { delay: 3_600_000 });
  await page.waitForFunction(() => window.reviews.length === 2);
  await findings(page, 5);
});

test("rules that cannot be loaded are one note in words for people, and no error", async () => {
  const page = await chromium.editorPage(() => {
    const { editor, reviewLinter, example } = window.page;
    window.failures = [];
    const lost = (text, line) => ({
      from: 0, to: text.length, line, head: { from: 0, to: 4 }, isUpdate: false, problems: [], secrets: [],
      ruling: { findings: [], undecided: [], changes: [], error: { code: "PolicyUnavailable", message: "aws_bg.wasm was answered with status 404" } },
      gardenerError: "gardener_bg.wasm was answered with status 404",
    });
    const review = async (text) => ({ documents: [lost(text, 1), lost(text, 2)], old: [], context: [], oldSecrets: [], contextSecrets: [] });
    window.view = editor({ parent: "whole", doc: example, extensions: [reviewLinter({ review, onFailure: (message) => window.failures.push(message) })] });
  });
  const [only] = await findings(page, 1);
  assert.deepEqual([only.message, only.severity], ["Not all rules could be loaded, so there may be more to find. Reload the page to try again.", "info"]);
  assert.deepEqual(await page.evaluate(() => window.failures), ["aws_bg.wasm was answered with status 404", "gardener_bg.wasm was answered with status 404"]);
});

test("a text besides that is too large to be read is a note with the limit and what to do", async () => {
  const page = await chromium.editorPage(() => {
    const { editor, reviewLinter, startChecker, example } = window.page;
    const checker = startChecker();
    const context = `kind: List\nitems: [${"1, ".repeat(60_000)}1]\n`;
    window.failures = [];
    window.view = editor({ parent: "whole", doc: example, extensions: [reviewLinter({ review: (text) => checker.review({ text, context, wait: true }), onFailure: (message) => window.failures.push(message) })] });
  });
  const notes = (await findings(page, 6)).filter(({ severity }) => severity === "info");
  assert.deepEqual(notes.map(({ line, message }) => [line, message]), [[
    1,
    "Not all of the objects that the text refers to are read: the text has more than 50,000 values, counting those that aliases repeat: this document and those behind it are not read.\n" +
      "give only the objects that the manifest names, because each change of the manifest checks all of them",
  ]]);
  assert.equal(await page.evaluate(() => window.failures.length), 1);
});

test("a misspelt provider is a note at its place, with the fix", async () => {
  const page = await chromium.editorPage(reviewing, { doc: "apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nmetadata: {name: a}\nspec:\n  type: alicoud\n" });
  await page.waitForFunction(() => window.page.diagnostics(window.view).some(({ message }) => message.includes("did you mean alicloud?")));
  await hover(page, "alicoud");
  await page.getByRole("button", { name: "Set type to alicloud" }).click();
  await page.waitForFunction(() => window.view.state.doc.toString().includes("type: alicloud\n"));
});

test("a Shoot of a provider without a policy has no mark that stays", async () => {
  const page = await chromium.editorPage(() => {
    const { editor, reviewLinter } = window.page;
    const review = async (text) => ({
      documents: [{ from: 0, to: text.length, line: 1, head: { from: 0, to: 4 }, isUpdate: false, problems: [], secrets: [], unsupported: "ironcore" }],
      old: [], context: [], oldSecrets: [], contextSecrets: [],
    });
    window.reviews = [];
    window.view = editor({ parent: "whole", doc: "kind: Shoot\n", extensions: [reviewLinter({ review, onReview: (found) => window.reviews.push(found) })] });
  });
  await page.waitForFunction(() => window.reviews.length === 1);
  await page.evaluate(() => window.page.settled());
  await findings(page, 0);
});

test("while one types nothing is reviewed, and afterwards the last text alone", async () => {
  const page = await chromium.editorPage(reviewing, { doc: "a: 1\n", delay: 400 });
  await page.waitForFunction(() => window.reviews.length === 1);
  await page.evaluate(() => {
    const { view } = window;
    for (const letter of "bcd") view.dispatch({ changes: { from: view.state.doc.length, insert: letter } });
  });
  await page.waitForFunction(() => window.reviews.length === 2);
  assert.deepEqual(await page.evaluate(() => window.reviewed), ["a: 1\n", "a: 1\nbcd"]);
});

test("what is no YAML, what is undecided and errors of a policy have their places", async () => {
  const head = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\n";
  const doc = `a: b: c\n---\n${head}spec:\n  provider: {type: alicloud, workers: 5}\n`;
  const broken = await findings(await chromium.editorPage(reviewing, { doc }), 2);
  assert.deepEqual(broken.map(({ line, severity }) => [line, severity]), [[1, "error"], [6, "error"]]);
  assert.equal(broken[0].source, "YAML");
  const page = await chromium.editorPage(reviewing, { doc: `${head}metadata: {name: a}\nspec:\n  provider: {type: alicloud}\n`, undecided: true });
  await page.waitForFunction(() => window.reviews.length === 2);
  const [, { documents }] = await page.evaluate(() => window.reviews);
  const shown = await findings(page, documents[0].ruling.undecided.length + documents[0].ruling.findings.length);
  assert.deepEqual(
    shown.filter(({ severity }) => severity === "info").map(({ source, line }) => [source, line]),
    documents[0].ruling.undecided.map(({ rule }) => [rule, 1]),
  );
});

test("a review that fails is said, and the next one is shown", async () => {
  const page = await chromium.editorPage(() => {
    const { editor, reviewLinter, startChecker, example } = window.page;
    const checker = startChecker();
    let broken = true;
    const review = (text) => {
      if (!broken) return checker.review({ text });
      broken = false;
      return Promise.reject(new Error("the worker is gone"));
    };
    window.failures = [];
    const onFailure = (message) => window.failures.push(message);
    window.view = editor({ parent: "whole", doc: example, extensions: [reviewLinter({ review, onFailure })] });
  });
  const [{ message, severity }] = await findings(page, 1);
  assert.deepEqual([message, severity], ["The text could not be checked. Reload the page to try again.", "info"]);
  assert.deepEqual(await page.evaluate(() => window.failures), ["the worker is gone"]);
  await page.evaluate(() => window.page.recheck(window.view));
  await findings(page, 5);
});

test("a checker in a page reviews, ends checks that take too long, and leaves the page free", async () => {
  const page = await chromium.editorPage(() => undefined);
  const { first, slow, after, turns } = await page.evaluate(async () => {
    const { startChecker, example } = window.page;
    const checker = startChecker({ timeout: 1 });
    const pool = "    - name: worker-xoluy\n";
    const pools = example.slice(example.indexOf(pool), example.indexOf("  networking:"));
    const large = example.replace(pools, pools.repeat(600));
    let turns = 0;
    const timer = setInterval(() => (turns += 1));
    const slow = await checker.review({ text: large }).catch(({ code }) => code);
    clearInterval(timer);
    const patient = startChecker();
    const first = await patient.review({ text: example });
    patient.close();
    const after = await patient.review({ text: example }).catch(({ code }) => code);
    return { slow, first, after, turns };
  });
  assert.equal(slow, "DeadlineExceeded");
  assert.ok(turns > 0);
  assert.equal(first.documents[1].ruling.findings.length, 5);
  assert.equal(after, "WorkerFailed");
});

test("a module that is not there is an error of its objects, and is had as soon as it is", async () => {
  const page = await chromium.editorPage(() => undefined);
  await page.context().route("**/*.wasm", (route) => route.fulfill({ status: 404 }));
  const verdicts = () =>
    page.evaluate(async () => {
      window.checker ??= window.page.startChecker();
      const { documents } = await window.checker.review({ text: window.page.example });
      return documents.map(({ ruling }) => ruling.verdict ?? ruling.error);
    });
  for (const { code, message } of await verdicts()) {
    assert.equal(code, "PolicyUnavailable");
    assert.match(message, /alicloud.*\.wasm was answered with status 404/);
  }
  await page.context().unroute("**/*.wasm");
  assert.deepEqual(await verdicts(), ["accept", "reject"]);
});

test("a worker whose code cannot be had fails the check", async () => {
  const page = await chromium.editorPage(() => undefined);
  const code = await page.evaluate(() => {
    const checker = window.page.startChecker({ worker: () => new Worker("/nowhere.js", { type: "module" }) });
    return checker.review({ text: "a: 1" }).catch(({ code }) => code);
  });
  assert.equal(code, "WorkerFailed");
});

test("no page broke its Content-Security-Policy or threw", () => {
  assert.deepEqual(chromium.complaints.filter((complaint) => !/nowhere|404/.test(complaint)), []);
});
