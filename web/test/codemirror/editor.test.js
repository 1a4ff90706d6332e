import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open } from "./browser.js";
import { findings, hover, text } from "./looking.js";

let chromium;
before(async () => {
  chromium = await open();
});
after(() => chromium?.close());

/** The README's ten lines. */
const whole = async () => {
  const { editor, trellis, load, example } = window.page;
  const policy = await load({ provider: "alicloud" });
  window.view = editor({ parent: "whole", doc: example, extensions: [trellis({ policy })] });
};

test("five mistakes are underlined where they are, and said with what to do", async () => {
  const page = await chromium.editorPage(whole);
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
  const page = await chromium.editorPage(whole);
  await findings(page, 5);
  const tooltip = await hover(page, "10.250.1.0/19");
  await page.locator(".cm-trellis-rule").waitFor();
  const shown = await tooltip.innerText();
  assert.match(shown, /ALI-INF-003/);
  assert.match(shown, /must be valid canonical CIDR/);
  assert.match(shown, /Write the first address of the range: 10\.250\.0\.0\/19\./);
  assert.equal(await tooltip.locator(".cm-trellis-why").count(), 1);
});

test("the pointer on a finding shows why the words of its rule are missing, unless the package has none", async () => {
  const shown = async (code) => {
    const page = await chromium.editorPage((code) => {
      const { editor, trellis, policyOf } = window.page;
      const rules = async () => {
        window.asked = true;
        return { error: { code, message: "no words" } };
      };
      const policy = { ...policyOf({ pointer: "/a" }), rules };
      window.view = editor({ parent: "whole", doc: "kind: Thing\na: wrong\n", extensions: [trellis({ policy })] });
    }, code);
    await findings(page, 1);
    const tooltip = await hover(page, "wrong");
    await page.waitForFunction(() => window.asked);
    if (code === "WordsUnavailable") await tooltip.locator(".cm-trellis-rule").waitFor();
    else await page.evaluate(() => window.page.settled());
    return [await tooltip.locator(".cm-trellis-finding").count(), await tooltip.locator(".cm-trellis-rule").allInnerTexts()];
  };
  assert.deepEqual(await shown("WordsUnavailable"), [1, ["no words"]]);
  assert.deepEqual(await shown("NotPackaged"), [1, []]);
});

test("a lone backtick in a value makes no code of what follows", async () => {
  const page = await chromium.editorPage(() => {
    const { editor, trellis, policyOf } = window.page;
    const policy = policyOf({ pointer: "/a", detail: "must not be a`b, `, or `c, but one of `d`, `e f`" });
    window.view = editor({ parent: "whole", doc: "kind: Thing\na: wrong\n", extensions: [trellis({ policy })] });
  });
  await findings(page, 1);
  const tooltip = await hover(page, "wrong");
  assert.match(await tooltip.innerText(), /must not be a`b, `, or `c, but one of d, e f/);
  assert.deepEqual(await tooltip.locator("code").allInnerTexts(), ["d", "e f"]);
});

test("the quick fix fixes one finding by one transaction, and undo brings it back", async () => {
  const page = await chromium.editorPage(whole);
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
  const page = await chromium.editorPage(whole);
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
  const page = await chromium.editorPage(whole);
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
  const page = await chromium.editorPage(whole);
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

/** The workers of the Shoot alone; its other mistakes are elsewhere. */
const fragment = async (options) => {
  const { editor, trellis, load, schemas, shoot, workers } = window.page;
  const policy = await load({ provider: "alicloud" });
  window.checks = [];
  window.shoot = shoot;
  const extension = trellis({
    policy,
    fragment: { at: "/spec/provider/workers", object: () => window.shoot },
    schemas: schemas("alicloud"),
    onCheck: (judgements) => window.checks.push(judgements),
    ...options,
  });
  window.view = editor({ parent: "workers", doc: workers, extensions: [extension] });
};

test("a fragment has the findings that are in it, and all are reported", async () => {
  const page = await chromium.editorPage(fragment);
  const found = await findings(page, 2);
  assert.deepEqual(found.map(({ source, line, text }) => [source, line, text]), [
    ["ALI-WRK-008", 14, "name"],
    ["ALI-WRK-010", 18, "eu-central-1c"],
  ]);
  const [judgement] = await page.evaluate(() => window.checks.at(-1));
  assert.equal(judgement.verdict, "reject");
  assert.equal(judgement.object.metadata.name, "five-mistakes");
  assert.deepEqual(judgement.findings.map(({ rule, range }) => [rule, range !== undefined]), [
    ["ALI-INF-003", false],
    ["ALI-INF-007", false],
    ["ALI-WRK-008", true],
    ["ALI-WRK-010", true],
    ["ALI-INF-016", false],
  ]);
});

test("what a fragment belongs to may change, and the text is checked again", async () => {
  const page = await chromium.editorPage(fragment);
  await findings(page, 2);
  await page.evaluate(() => {
    window.shoot.spec.provider.infrastructureConfig.networks.zones.push({ name: "eu-central-1c", workers: "10.250.64.0/19" });
    window.page.recheck(window.view);
  });
  const found = await findings(page, 1);
  assert.equal(found[0].source, "ALI-WRK-008");
});

test("a fix is made in the fragment", async () => {
  const page = await chromium.editorPage(async () => {
    const { editor, trellis, load, shoot } = window.page;
    const fragment = { at: "/spec/provider/infrastructureConfig", object: () => shoot };
    const doc = JSON.stringify(shoot.spec.provider.infrastructureConfig, null, 2);
    const extension = trellis({ policy: load({ provider: "alicloud" }), fragment });
    window.view = editor({ parent: "workers", doc, extensions: [extension] });
  });
  await findings(page, 2);
  const before = await text(page);
  await hover(page, "10.250.1.0/19");
  await page.getByRole("button", { name: "Set workers" }).click();
  assert.equal(await text(page), before.replace("10.250.1.0/19", "10.250.0.0/19"));
});

test("a worker's policy answers as the page's own does", async () => {
  const page = await chromium.editorPage(async () => {
    const { editor, trellis, startWorker, example } = window.page;
    const policy = startWorker({ provider: "alicloud" });
    window.view = editor({ parent: "whole", doc: example, extensions: [trellis({ policy })] });
  });
  await findings(page, 5);
});

test("the pointer on a field shows what a schema says of it", async () => {
  const page = await chromium.editorPage(async () => {
    const { editor, trellis, load, schemas, example } = window.page;
    const extension = trellis({ policy: load({ provider: "alicloud" }), schemas: schemas("alicloud") });
    window.view = editor({ parent: "whole", doc: example, extensions: [extension] });
  });
  await findings(page, 5);
  const line = page.locator(".cm-line", { hasText: "cidr: 10.250.0.0/16" });
  const box = await line.boundingBox();
  const width = (await page.evaluate(() => window.view.defaultCharacterWidth)) * "          ci".length;
  await page.mouse.move(0, 0);
  await page.mouse.move(box.x + 6 + width, box.y + box.height / 2, { steps: 3 });
  const field = page.locator(".cm-trellis-field");
  await field.waitFor();
  const shown = await field.innerText();
  assert.match(shown, /^cidr string/);
  assert.ok(shown.length > 20, shown);
});

test("while one types, keys of the configuration are offered with what they mean, and written out", async () => {
  const page = await chromium.editorPage(() => {
    const { editor, completing } = window.page;
    const doc = "kind: Shoot\nspec:\n  provider:\n    type: alicloud\n    infrastructureConfig:\n      networks:\n        \n  region: x\n";
    window.view = editor({ parent: "whole", doc, extensions: completing });
    window.view.dispatch({ selection: { anchor: doc.indexOf("\n  region") } });
    window.view.focus();
  });
  await page.keyboard.type("z");
  const info = page.locator(".cm-completionInfo");
  await info.waitFor();
  assert.match(await info.innerText(), /^zones list of object\n+One entry per availability zone/);
  await page.keyboard.press("Enter");
  await page.keyboard.type("nam");
  await page.locator(".cm-tooltip-autocomplete").getByRole("option", { name: /^name/ }).waitFor();
  await page.keyboard.press("Enter");
  assert.match(await text(page), /networks:\n {8}zones:\n {10}- name: \n {2}region: x\n$/);
});

/** A Shoot of a provider that there is no policy for, next to its CloudProfile. */
const OTHER = `kind: CloudProfile
metadata: {name: clouds}
spec:
  kubernetes:
    versions:
    - {version: 1.33.1, expirationDate: "2001-02-03T00:00:00Z"}
---
kind: Shoot
spec:
  cloudProfile: {name: clouds, kind: CloudProfile}
  secretBindingName: old
  provider: {type: ironcore}
  kubernetes:
    version: 1.33.1
`;

test("any provider's Shoot shows its fields, what is deprecated, and what the CloudProfile says of a value", async () => {
  const page = await chromium.editorPage((doc) => {
    const { editor, telling } = window.page;
    window.view = editor({ parent: "whole", doc, extensions: telling });
  }, OTHER);
  const reported = async (part) => {
    await page.mouse.move(0, 0);
    await page.locator(".cm-tooltip-hover").waitFor({ state: "detached" });
    const { x, y } = await page.evaluate((part) => {
      const { left, bottom, top } = window.view.coordsAtPos(window.view.state.doc.toString().lastIndexOf(part) + 2);
      return { x: left, y: (top + bottom) / 2 };
    }, part);
    await page.mouse.move(x, y, { steps: 3 });
    const tooltip = page.locator(".cm-tooltip-hover");
    await tooltip.waitFor();
    return tooltip;
  };
  const old = await reported("secretBindingName");
  assert.match(await old.innerText(), /^secretBindingName string, deprecated\n[^]*Deprecated: Use CredentialsBindingName instead\./);
  const line = (locator) => locator.evaluate((element) => getComputedStyle(element).textDecorationLine);
  assert.equal(await line(old.locator(".cm-trellis-name")), "line-through");
  // The kind of a reference is not the kind of an object.
  assert.match(await (await reported("name: clouds, kind")).innerText(), /^name string, required\n+name contains the name of the referenced/);
  assert.match(await (await reported("1.33.1")).innerText(), /^1\.33\.1 expired 2001-02-03\nversion string/);
});

test("deprecated fields are struck where they are offered", async () => {
  const page = await chromium.editorPage(() => {
    const { editor, completing } = window.page;
    const doc = "kind: Shoot\nspec:\n  \n";
    window.view = editor({ parent: "whole", doc, extensions: completing });
    window.view.dispatch({ selection: { anchor: doc.length - 1 } });
    window.view.focus();
  });
  await page.keyboard.type("BindingName");
  const offered = (name) => page.locator(".cm-tooltip-autocomplete").getByRole("option", { name });
  const struck = (option) => option.locator(".cm-completionLabel").evaluate((element) => getComputedStyle(element).textDecorationLine);
  await offered(/^credentialsBindingName/).waitFor();
  assert.deepEqual([await struck(offered(/^credentialsBindingName/)), await struck(offered(/^secretBindingName/))], ["none", "line-through"]);
});

test("what the policy cannot judge is said at its place", async () => {
  const page = await chromium.editorPage(async () => {
    const { editor, trellis, load, shoot } = window.page;
    const doc = JSON.stringify({ ...shoot, spec: 5 }, null, 2);
    window.view = editor({ parent: "whole", doc, extensions: [trellis({ policy: load({ provider: "alicloud" }) })] });
  });
  const [error] = await findings(page, 1);
  assert.deepEqual([error.source, error.severity, error.text], ["Malformed", "error", "5"]);
});

test("what is checked on submit is shown on demand, and other objects of the text are asked first", async () => {
  const page = await chromium.editorPage(async () => {
    const { editor, trellis, load } = window.page;
    const doc = `\
apiVersion: core.gardener.cloud/v1beta1
kind: SecretBinding
metadata: {name: demo, namespace: garden-dev}
provider: {type: alicloud}
secretRef: {name: demo, namespace: garden-dev}
`;
    const extension = trellis({ policy: load({ provider: "alicloud" }), undecided: true });
    window.view = editor({ parent: "whole", doc, extensions: [extension] });
  });
  const [open] = await findings(page, 1);
  assert.deepEqual([open.source, open.severity, open.text], ["ALI-CRED-003", "info", "apiVersion"]);
  assert.match(open.message, /checked on submit/);
  await page.evaluate(() => {
    const secret = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: demo, namespace: garden-dev}\n";
    const data = `stringData: {accessKeyID: LTAI${"a".repeat(20)}, accessKeySecret: ${"b".repeat(30)}}\n`;
    window.view.dispatch({ changes: { from: window.view.state.doc.length, insert: secret + data } });
  });
  await page.waitForFunction(() => window.page.diagnostics(window.view).every(({ source }) => source !== "ALI-CRED-003"));
});

test("what the editor does not show comes with the request", async () => {
  const page = await chromium.editorPage(async () => {
    const { editor, trellis, load, shoot } = window.page;
    const oldObject = structuredClone(shoot);
    oldObject.spec.provider.infrastructureConfig.networks.vpc.cidr = "10.251.0.0/16";
    const request = (object) => (object.kind === "Shoot" ? { oldObject } : undefined);
    const extension = trellis({ policy: load({ provider: "alicloud" }), request });
    window.view = editor({ parent: "whole", doc: JSON.stringify(shoot, null, 2), extensions: [extension] });
  });
  await page.waitForFunction(() => window.page.diagnostics(window.view).length > 0);
  const found = await page.evaluate(() => window.page.diagnostics(window.view));
  assert.ok(found.some(({ message }) => /immutable/.test(message)), JSON.stringify(found));
});

test("other objects than the policy's own are left alone, and named as such", async () => {
  const page = await chromium.editorPage(async () => {
    const { editor, trellis, load, example } = window.page;
    const objects = [
      "kind: ConfigMap\nmetadata: {name: a}",
      "kind: Secret\napiVersion: v1\nmetadata: {name: a}\ndata: {}",
      example.slice(example.indexOf("kind: Shoot")).replace("type: alicloud", "type: ironcore"),
    ];
    window.checks = [];
    const extension = trellis({ policy: load({ provider: "alicloud" }), onCheck: (checks) => window.checks.push(checks) });
    window.view = editor({ parent: "whole", doc: objects.join("\n---\n"), extensions: [extension] });
  });
  await page.waitForFunction(() => window.checks.length > 0);
  const reported = await page.evaluate(() => window.checks.at(-1).map(({ verdict, isOther }) => [verdict, isOther]));
  assert.deepEqual(reported, Array(3).fill([undefined, true]));
  await findings(page, 0);
});

test("a key that is there twice keeps an object from being accepted", async () => {
  const page = await chromium.editorPage(async () => {
    const { editor, trellis, load } = window.page;
    window.checks = [];
    const extension = trellis({ policy: load({ provider: "alicloud" }), onCheck: (checks) => window.checks.push(checks) });
    const doc = "kind: Shoot\nkind: Shoot\nspec: {provider: {type: alicloud}}\n";
    window.view = editor({ parent: "whole", doc, extensions: [extension] });
  });
  await page.waitForFunction(() => window.checks.length > 0);
  const [{ verdict, error }] = await page.evaluate(() => window.checks.at(-1));
  assert.deepEqual([verdict, error.code], [undefined, "Malformed"]);
});

test("no page broke its Content-Security-Policy or threw", () => {
  assert.deepEqual(chromium.complaints, []);
});
