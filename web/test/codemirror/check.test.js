// When a text is checked, which checks count, and what is reported of them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.js";
import { findings } from "./looking.js";

let chromium;
before(async () => {
  chromium = await open();
});
after(() => chromium?.close());

/** An editor whose policy answers when it is asked to. What it gets to know of checks is in `checks`. */
const slowEditor = (doc) => {
  const { Compartment, editor, trellis, policyOf, slow } = window.page;
  window.checks = [];
  window.policy = slow(policyOf({ pointer: "/a" }));
  window.swap = new Compartment();
  const onCheck = (judgements) => window.checks.push(judgements);
  const extension = trellis({ policy: window.policy, delay: 20, onCheck });
  window.view = editor({ parent: "whole", doc, extensions: [window.swap.of(extension)] });
};
const asked = (page, count) => page.waitForFunction((count) => window.policy.calls.length >= count, count);
const release = (page, number) =>
  page.evaluate((number) => (window.policy.calls[number].release(), window.page.settled()), number);
const checks = (page) => page.evaluate(() => window.checks.length);

test("what was asked of an older text is dropped, and nothing more is asked of it", async () => {
  const page = await chromium.editorPage(slowEditor, "kind: Thing\na: old\n---\nkind: Thing\na: old\n");
  await asked(page, 1);
  await page.evaluate(() => {
    window.view.dispatch({ changes: { from: 0, to: window.view.state.doc.length, insert: "kind: Thing\na: new\n" } });
  });
  assert.equal(await page.evaluate(() => window.policy.calls[0].signal.aborted), true);
  await asked(page, 2);
  await release(page, 1);
  await findings(page, 1);
  await release(page, 0);
  await findings(page, 1);
  assert.equal(await checks(page), 1);
  const requests = await page.evaluate(() => window.policy.calls.map(({ request }) => JSON.parse(request).object.a));
  assert.deepEqual(requests, ["old", "new"]);
});

test("what a linter finds that was replaced is dropped", async () => {
  const page = await chromium.editorPage(slowEditor, "kind: Thing\na: 1\nb: 2\n");
  await asked(page, 1);
  await page.evaluate(() => {
    const { policyOf, trellis } = window.page;
    const policy = policyOf({ rule: "NEW-1", pointer: "/b" });
    window.view.dispatch({ effects: window.swap.reconfigure(trellis({ policy, delay: 20 })) });
  });
  const [found] = await findings(page, 1);
  assert.equal(found.source, "NEW-1");
  await release(page, 0);
  assert.deepEqual(await findings(page, 1), [found]);
  assert.equal(await checks(page), 0);
});

test("nothing is reported of an editor that is gone", async () => {
  const page = await chromium.editorPage(slowEditor, "kind: Thing\na: 1\n");
  await asked(page, 1);
  await page.evaluate(() => window.view.destroy());
  await release(page, 0);
  assert.equal(await checks(page), 0);
});

/** What `onCheck` is given for a text, once it has been called. `setup` gives further options as `window.options`. */
async function judgements(doc, setup = () => (window.options = {})) {
  const page = await chromium.editorPage(setup);
  await page.evaluate((doc) => {
    const { editor, trellis, policyOf } = window.page;
    const onCheck = (judgements) => (window.judgements = judgements);
    const extension = trellis({ policy: policyOf(), onCheck, ...window.options });
    window.view = editor({ parent: "whole", doc, extensions: [extension] });
  }, doc);
  await page.waitForFunction(() => window.judgements);
  const reported = await page.evaluate(() => window.judgements);
  return reported.map(({ document, verdict, error }) => [document, verdict, error && `${error.code}: ${error.message}`]);
}

test("a document that cannot be read has no verdict, and the others have theirs", async () => {
  const [first, second, ...more] = await judgements("a: b: c\n---\nkind: Thing\n");
  assert.deepEqual(first.slice(0, 2), [0, undefined]);
  assert.match(first[2], /^Malformed: this is not valid YAML/);
  assert.deepEqual([second, ...more], [[1, "accept", undefined]]);
});

test("an empty fragment is judged as null", async () => {
  const setup = () => {
    const policy = window.page.policyOf();
    const isThere = ({ object }) => object.spec.workers !== null;
    policy.validate = (request) => ({ verdict: isThere(JSON.parse(request)) ? "accept" : "reject", findings: [], undecided: [] });
    window.options = { policy, fragment: { at: "/spec/workers", object: () => ({ kind: "Thing", spec: { workers: [] } }) } };
  };
  assert.deepEqual(await judgements("# none\n", setup), [[0, "reject", undefined]]);
  assert.deepEqual(await judgements("[1]", setup), [[0, "accept", undefined]]);
});

test("an object that is there already is asked about as an update of itself, unless it is to be created", async () => {
  const asked = async (doc, options = {}) => {
    const page = await chromium.editorPage(() => {
      const policy = window.page.policyOf();
      const validate = (request) => ((window.asked = JSON.parse(request)), policy.validate(request));
      window.policy = { ...policy, validate };
    });
    await page.evaluate(({ doc, options: { given, ...options } }) => {
      const { editor, trellis } = window.page;
      const onCheck = ([{ isOfItself }]) => (window.reported = { isOfItself });
      const request = () => given;
      window.view = editor({ parent: "whole", doc, extensions: [trellis({ policy: window.policy, onCheck, request, ...options })] });
    }, { doc, options });
    await page.waitForFunction(() => window.reported);
    const { oldObject, ratchet, isOfItself } = await page.evaluate(() => ({ ...window.asked, ...window.reported }));
    return [oldObject, ratchet, isOfItself];
  };
  const there = { kind: "Thing", metadata: { uid: "a" } };
  const doc = JSON.stringify(there);
  assert.deepEqual(await asked(doc), [there, undefined, true]);
  assert.deepEqual(await asked(doc, { given: { ratchet: true, facts: [] } }), [there, undefined, true]);
  assert.deepEqual(await asked(doc, { create: true }), [undefined, undefined, undefined]);
  const old = { kind: "Thing" };
  assert.deepEqual(await asked(doc, { given: { oldObject: old, ratchet: true } }), [old, true, undefined]);
  assert.deepEqual(await asked("kind: Thing\n"), [undefined, undefined, undefined]);
});

test("an answer that lacks findings is shown to lack them", async () => {
  const page = await chromium.editorPage(() => {
    const { editor, trellis, policyOf } = window.page;
    const policy = policyOf({ pointer: "/a" });
    const validate = (request) => ({ ...policy.validate(request), truncated: ["error"] });
    window.view = editor({ parent: "whole", doc: "kind: Thing\na: 1\n", extensions: [trellis({ policy: { ...policy, validate } })] });
  });
  const found = await findings(page, 2);
  assert.match(found.find(({ severity }) => severity === "info").message, /^there are more errors than are shown/);
});

test("a check that fails is reported, and says what failed", async () => {
  const failures = [
    ["no request", () => (window.options = { request: () => Promise.reject(new Error("no request")) })],
    ["no policy", () => void (window.options = { get policy() { return Promise.reject(new Error("no policy")); } })],
    [
      "no answer",
      () => (window.options = { policy: { ...window.page.policyOf(), validate: () => Promise.reject(new Error("no answer")) } }),
    ],
    [
      "the object of the fragment is given as a text that is no JSON",
      () => (window.options = { fragment: { at: "/spec", object: () => "kind: Thing" } }),
    ],
    [
      "the object has no place for a fragment at `/spec/0`",
      () => (window.options = { fragment: { at: "/spec/0", object: () => ({ spec: 1 }) } }),
    ],
  ];
  for (const [why, setup] of failures) {
    const expected = [[0, undefined, `CheckFailed: the text cannot be checked: ${why}`]];
    assert.deepEqual(await judgements("kind: Thing\n", setup), expected);
  }
});

test("a fragment whose object is not there yet has no findings and no verdict", async () => {
  const page = await chromium.editorPage(() => {
    const { editor, trellis, policyOf } = window.page;
    window.checks = [];
    const fragment = { at: "/spec", object: () => window.object };
    const onCheck = (judgements) => window.checks.push(judgements);
    const extension = trellis({ policy: policyOf({ pointer: "/spec/a" }), fragment, onCheck, delay: 20 });
    window.view = editor({ parent: "whole", doc: "a: 1\n", extensions: [extension] });
  });
  await page.waitForFunction(() => window.checks.length > 0);
  await findings(page, 0);
  assert.deepEqual(
    await page.evaluate(() => window.checks[0].map(({ verdict, error }) => [verdict, error])),
    [[undefined, undefined]],
  );
  await page.evaluate(() => {
    window.object = { kind: "Thing" };
    window.page.recheck(window.view);
  });
  await findings(page, 1);
});

test("two policies report what is wrong with the YAML once, and leave texts without a kind alone", async () => {
  const page = await chromium.editorPage(() => {
    const { editor, trellis, policyOf } = window.page;
    window.checks = [];
    const extensions = [1, 2].map(() =>
      trellis({ policy: policyOf({ pointer: "/a" }), onCheck: (judgements) => window.checks.push(judgements) }),
    );
    window.view = editor({ parent: "whole", doc: "a: 1\na: 2\n", extensions });
  });
  await page.waitForFunction(() => window.checks.length === 2);
  const [{ source }] = await findings(page, 1);
  assert.equal(source, "YAML");
  const reported = await page.evaluate(() => window.checks.map((judgements) => judgements.map(({ verdict, isOther }) => [verdict, isOther])));
  assert.deepEqual(reported, [[[undefined, true]], [[undefined, true]]]);
});

test("a policy that cannot be had is said, and the YAML is still looked after", async () => {
  const page = await chromium.editorPage(async () => {
    const { editor, trellis, load } = window.page;
    const extension = trellis({ policy: load({ provider: "nobody" }) });
    window.view = editor({ parent: "whole", doc: "a: 1\nb: .inf\n", extensions: [extension] });
  });
  const found = await findings(page, 2);
  assert.match(found.find(({ severity }) => severity === "info").message, /cannot be checked: nobody is not supported yet/);
  assert.equal(found.find(({ severity }) => severity === "error").text, ".inf");
});

test("no page broke its Content-Security-Policy or threw", () => {
  assert.deepEqual(chromium.complaints, []);
});
