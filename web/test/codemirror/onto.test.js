// Editors that show but a part of a Shoot; `|` is the cursor.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { CompletionContext } from "@codemirror/autocomplete";
import { yaml } from "@codemirror/lang-yaml";
import { EditorState } from "@codemirror/state";
import { startChecker } from "trellis-policy/checker";
import { policyCompletionSource } from "trellis-policy/codemirror";
import { schemas } from "trellis-policy/schema";
import { stringify } from "yaml";
import { example } from "../examples.js";
import { open } from "./browser.js";
import { findings, text } from "./looking.js";

const [cloudProfile, shoot] = await example("five-mistakes.yaml");
const checker = startChecker();
let chromium;
before(async () => {
  chromium = await open();
});
after(() => chromium?.close());
after(() => checker.close());

/** The labels that are offered at the cursor of a part. */
async function offered(marked, onto, options = {}) {
  const pos = marked.indexOf("|");
  const doc = marked.slice(0, pos) + marked.slice(pos + 1);
  const source = policyCompletionSource({ schemas, onto: () => onto, context: () => cloudProfile, ...options });
  const result = await source(new CompletionContext(EditorState.create({ doc, extensions: [yaml()] }), pos, true));
  return (result?.options ?? []).map(({ label }) => label);
}

const worker = (rest) => `spec:\n  provider:\n    workers:\n    - name: a\n${rest}`;
const machineTypes = cloudProfile.spec.machineTypes.map(({ name }) => name);
const zones = cloudProfile.spec.regions.find(({ name }) => name === shoot.spec.region).zones.map(({ name }) => name);

test("what the Shoot's profile and region offer is offered in a part of it, by the page's thread and by a checker", async () => {
  assert.ok(machineTypes.length > 0 && zones.length > 0);
  const choices = (text, place, options) => checker.choices({ text, context: JSON.stringify(cloudProfile) }, place, options);
  for (const options of [{}, { choices, context: undefined }]) {
    const at = (text) => offered(text, shoot, options);
    assert.deepEqual(await at(worker("      machine:\n        type: |")), machineTypes);
    assert.deepEqual(await at(worker("      zones:\n      - |")), zones);
    assert.deepEqual(await at("spec:\n  provider:\n    infrastructureConfig:\n      networks:\n        zones:\n        - name: |"), zones);
    assert.deepEqual(await offered(worker("      machine:\n        type: |"), undefined, options), []);
    assert.deepEqual(await at("spec:\n  cloudProfile:\n    name: |"), ["alicloud"]);
  }
});

test("keys are those of a Shoot of the provider, and what would make the part an object is not offered", async () => {
  const top = await offered("|", shoot);
  assert.ok(top.includes("spec") && !top.includes("kind") && !top.includes("apiVersion"), top.join());
  assert.ok((await offered(worker("      |"), shoot)).includes("machine"));
  const networks = "spec:\n  provider:\n    infrastructureConfig:\n      networks:\n        |";
  assert.ok((await offered(networks, shoot)).includes("vpc"));
  assert.deepEqual(await offered(networks, undefined), []);
  assert.deepEqual(await offered(worker("      |"), Promise.reject(new Error("it is not there"))), []);
  assert.ok((await offered("|", undefined)).includes("kind"));
});

test("a value of the Shoot that the part does not have counts, and one that it has goes first", async () => {
  const other = structuredClone(shoot);
  other.spec.region = "mars-1";
  assert.deepEqual(await offered(worker("      zones:\n      - |"), other), []);
  assert.deepEqual(await offered(`spec:\n  region: ${shoot.spec.region}\n  provider:\n    workers:\n    - zones:\n      - |`, other), zones);
});

const { workers, infrastructureConfig } = shoot.spec.provider;
const doc = stringify({ spec: { provider: { workers, infrastructureConfig: { networks: { zones: infrastructureConfig.networks.zones } } } } });
/** An editor with the workers of the example's Shoot. */
const editing = ({ doc, shoot, cloudProfile }) => {
  const { editor, fieldHover, reviewLinter, schemas, startChecker } = window.page;
  const checker = startChecker();
  const context = JSON.stringify(cloudProfile);
  const linter = reviewLinter({ review: (text, options) => checker.review({ text, onto: shoot, context }, options), edits: checker.edits });
  window.view = editor({ parent: "whole", doc, extensions: [linter, fieldHover({ schemas, onto: () => shoot, context: () => cloudProfile })] });
};

test("an editor of a part shows all findings, and a fix changes the part", async () => {
  const page = await chromium.editorPage(editing, { doc, shoot, cloudProfile });
  const found = await findings(page, 5);
  assert.deepEqual(found.filter(({ message }) => message.includes("is not in this text")).map(({ text }) => text).sort(), ["name", "spec"]);
  const original = await text(page);
  await page.evaluate(() => window.page.fixFirst(window.view));
  await findings(page, 4);
  assert.equal(await text(page), original.replace("10.250.1.0/19", "10.250.0.0/19"));
});

test("the field under the pointer is one of the Shoot, and a value of its profile says what it is", async () => {
  const page = await chromium.editorPage(editing, { doc, shoot, cloudProfile });
  const over = async (word) => {
    const at = await page.evaluate((word) => {
      const found = window.view.state.doc.toString().indexOf(word);
      window.view.dispatch({ selection: { anchor: found }, scrollIntoView: true });
      const { left, top } = window.view.coordsAtPos(found + 2);
      return { left, top };
    }, word);
    await page.mouse.move(0, 0);
    await page.mouse.move(at.left, at.top + 4, { steps: 3 });
    const tooltip = page.locator(".cm-tooltip-hover .cm-trellis-field");
    await tooltip.waitFor();
    return page.locator(".cm-tooltip-hover").innerText();
  };
  assert.match(await over("minimum"), /minimum/);
  assert.match(await over(shoot.spec.provider.workers[0].machine.type), /CPU/);
});
