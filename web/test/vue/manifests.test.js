import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { manifestsDiff, manifestsOf } from "trellis-policy/manifests";
import { assertAccessible, open } from "./browser.js";

let browser;
before(async () => {
  browser = await open();
});
after(() => browser?.close());

const show = (props, options) => browser.show("ManifestsView", props, options);

const deployment = (name, image, spec = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name, namespace: "shoot--dev--a" },
  spec: { replicas: 1, template: { spec: { containers: [{ name: "main", image, command: Array.from({ length: 12 }, (_, at) => `--option-${at}=value`) }] } }, ...spec },
});
const secret = (value) => ({ apiVersion: "v1", kind: "Secret", metadata: { name: "credentials" }, stringData: { key: value } });
const map = (name) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { markup: "<img src=x onerror=alert(1)>", hidden: "a\u202eb" } });
const answerOf = (seed, shoot) => ({
  managedResources: [
    { name: "controlplane-seed", spec: { class: "seed", secretRefs: [] }, objects: seed },
    { name: "controlplane-shoot", spec: { secretRefs: [] }, objects: shoot },
  ],
});
const earlier = answerOf([deployment("manager", "a:1"), deployment("scaler", "a:1"), secret("hunter22")], [map("same"), map("gone")]);
const later = answerOf([deployment("manager", "a:2"), deployment("scaler", "a:1", { replicas: 2 }), secret("hunter23")], [map("same"), map("new")]);
const preview = { manifests: manifestsOf(later) };
const edit = { ...preview, changes: manifestsDiff(earlier, later) };
const unchanged = { ...preview, changes: [] };

const objects = (page) => page.getByRole("option").evaluateAll((all) => all.map(({ dataset }) => `${dataset.state} ${dataset.object}`));
const shown = (page) => page.locator("[data-shown]").getAttribute("data-shown");

test("objects are listed by managed resource, each with how many, and the first is shown", async () => {
  const page = await show(preview);
  const groups = await page.getByRole("group").evaluateAll((all) => all.map((group) => document.getElementById(group.getAttribute("aria-labelledby")).innerText.replaceAll(/\s+/g, " ")));
  assert.deepEqual(groups, ["controlplane-seed in the seed · 3 objects", "controlplane-shoot in the shoot · 2 objects"]);
  assert.equal(await shown(page), "Deployment/manager");
  const text = await page.locator("pre").evaluate((element) => element.textContent);
  assert.equal(text, preview.manifests[0].objects[0].text);
});

test("a search looks at kind, name and text, and prefers names", async () => {
  const page = await show(preview);
  const search = page.getByRole("searchbox", { name: "Search" });
  await search.fill("CONFIGMAP new");
  assert.deepEqual(await objects(page), ["same ConfigMap/new"]);
  await search.fill("a:2");
  assert.equal(await page.locator(".trellis-manifests-counted").innerText(), "1 of 5 objects");
  assert.equal(await page.locator("mark").innerText(), "a:2");
  await search.fill(".*");
  assert.equal(await page.locator(".trellis-manifests-none").innerText(), "No object has .*.");
});

test("of an edit, what differs is shown first, and the rest by a switch", async () => {
  const page = await show(edit);
  assert.equal(await page.locator("[data-summary]").innerText(), "Objects: 3 changed, 1 added, 1 removed. The pods of 1 workload start again.");
  const differing = ["changed Deployment/manager", "changed Deployment/scaler", "changed Secret/credentials", "added ConfigMap/new", "removed ConfigMap/gone"];
  assert.deepEqual(await objects(page), differing);
  await page.getByRole("checkbox", { name: "Show unchanged objects too" }).check();
  assert.deepEqual(await objects(page), [...differing.slice(0, 3), "same ConfigMap/same", ...differing.slice(3)]);
});

test("whose pods start again is said in words, and of no other", async () => {
  const page = await show(edit);
  assert.equal(await page.locator("[data-restart]").innerText(), "Its pods start again: the pod template changes.");
  assert.equal(await page.getByRole("option", { name: "restarts" }).count(), 1);
  await page.getByRole("option", { name: "scaler" }).click();
  assert.equal(await page.locator("[data-restart]").count(), 0);
});

test("lines that differ have a sign, words, and those around them; others unfold", async () => {
  const page = await show(edit);
  const lines = await page.locator("[data-row]").allTextContents();
  assert.deepEqual(lines.filter((line) => /^[+−]/.test(line)).map((line) => line.replace(/\s+/g, " ")), ["−Removed: image: a:1", "+Added: image: a:2"]);
  await page.getByRole("button", { name: /^Show \d+ unchanged lines$/ }).first().click();
  assert.match(await page.evaluate(() => document.activeElement.textContent), /apiVersion/);
});

test("a Secret that differs says so, and no value is in the page", async () => {
  const page = await show(edit);
  await page.getByRole("option", { name: "credentials" }).click();
  assert.match(await page.locator("[data-shown]").innerText(), /<masked: 8 bytes>[^]*<masked: 8 bytes, another value>/);
  assert.doesNotMatch(await page.content(), /hunter2/);
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(window.page.props)), /hunter2/);
});

test("that nothing changes is said, and all objects are there", async () => {
  const page = await show(unchanged);
  assert.equal(await page.locator("[data-summary]").innerText(), "No object changes.");
  assert.equal((await objects(page)).length, 5);
  assert.equal(await page.getByRole("checkbox").count(), 0);
});

test("that there are no objects is said", async () => {
  const page = await show({ manifests: [] });
  assert.equal(await page.locator(".trellis-manifests").innerText(), "There are no objects.");
});

test("the list is one stop of Tab, and arrow keys, Home and End move in it", async () => {
  const page = await show(preview);
  await page.getByRole("searchbox").focus();
  await page.keyboard.press("Tab");
  const active = () => page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).dataset.object);
  assert.equal(await active(), "Deployment/manager");
  for (const [key, object] of [["ArrowDown", "Deployment/scaler"], ["End", "ConfigMap/new"], ["ArrowDown", "ConfigMap/new"], ["ArrowUp", "ConfigMap/same"], ["Home", "Deployment/manager"]]) {
    await page.keyboard.press(key);
    assert.deepEqual([await active(), await shown(page)], [object, object], key);
  }
  const labels = [];
  for (const _ of ["button", "text"]) {
    await page.keyboard.press("Tab");
    labels.push(await page.evaluate(() => document.activeElement.getAttribute("aria-label")));
  }
  assert.deepEqual(labels, ["Copy Deployment manager", "Deployment manager as YAML"]);
});

test("parts of a text have the colours that an application finds, also where words are marked and lines differ", async () => {
  const page = await show(preview);
  const coloured = () => page.locator("[class^=trellis-syntax]").evaluateAll((all) => all.map((part) => `${part.className.slice(15)} ${part.textContent}`));
  assert.deepEqual(await coloured(), []);
  const text = () => page.locator(".trellis-manifests-text").evaluate((element) => element.textContent);
  const before = await text();
  // A function is no part of what a test can give: it is made in the page.
  await page.evaluate(() => {
    const words = { Deployment: "value", kind: "key" };
    const syntax = (text) => [...text.matchAll(/\b(?:kind|Deployment)\b/g)].map(({ 0: word, index }) => ({ from: index, to: index + word.length, name: words[word] }));
    return window.page.update({ syntax });
  });
  assert.deepEqual(await coloured(), ["key kind", "value Deployment"]);
  assert.equal(await text(), before);
  await page.getByRole("searchbox").fill("Deploy");
  assert.deepEqual(await coloured(), ["key kind", "value Deploy", "value ment"]);
  assert.equal(await page.locator(".trellis-manifests-text mark").innerText(), "Deploy");
});

test("a text is copied as it will be, and the button says so", async () => {
  const page = await show(edit);
  await page.evaluate(() => {
    window.copied = [];
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => void window.copied.push(text) } });
  });
  const button = page.getByRole("button", { name: "Copy Deployment manager" });
  await button.click();
  await page.waitForFunction(() => document.querySelector(".trellis-manifests-head button").innerText === "Copied");
  assert.deepEqual(await page.evaluate(() => window.copied), [edit.manifests[0].objects[0].text]);
  await page.getByRole("option", { name: "scaler" }).click();
  assert.equal(await page.getByRole("button", { name: "Copy Deployment scaler" }).innerText(), "Copy");
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: () => Promise.reject(new Error("no")) } }));
  await page.getByRole("button", { name: "Copy Deployment scaler" }).click();
  await page.getByText("The browser did not let the page copy.").waitFor();
});

test("what was chosen stays chosen when the manifests change", async () => {
  const page = await show(preview);
  await page.getByRole("option", { name: "scaler" }).click();
  await page.evaluate((props) => window.page.update(props), edit);
  assert.equal(await shown(page), "Deployment/scaler");
});

test("markup in an object is text, and what nobody sees is a code", async () => {
  const page = await show(preview);
  await page.getByRole("option", { name: "same" }).click();
  assert.equal(await page.locator("img").count(), 0);
  assert.match(await page.locator("pre").innerText(), /<img src=x[^]*U\+202E/);
});

test("words can be an application's own", async () => {
  const page = await show(preview, { strings: { manifests: { search: "Suche" } } });
  assert.equal(await page.getByRole("searchbox", { name: "Suche" }).count(), 1);
});

for (const [name, props] of Object.entries({ preview, edit, unchanged })) {
  test(`${name}: axe finds nothing, light and dark, and nothing is wider than the page`, async () => {
    const page = await show(props);
    await assertAccessible(page);
    await page.getByRole("searchbox").fill("manager");
    await assertAccessible(page);
  });
}

test("the page has no errors", () => assert.deepEqual(browser.complaints, []));

test("where nodes change behind placeholders, and where machines are not compared, nobody reads that nothing changes", async () => {
  const nodes = { minimum: 1, maximum: 1 };
  const of = (name, change) => ({ name, change, before: nodes, after: nodes, summary: name });
  const undecided = [{ rule: "A-1", why: "only the cluster knows whether pool `open` has the old hash: `providerConfig`" }];
  const summary = async (props) => (await show({ ...unchanged, ...props })).locator("[data-summary]").innerText();
  assert.equal(await summary({ pools: [of("a", "unchanged"), of("b", "resized")] }), "No object changes.");
  assert.equal(
    await summary({ pools: [of("a", "rolled"), of("b", "rolled"), of("open", "unchanged")], undecided }),
    "No object of the preview changes. The machine classes of 2 pools get another hash, and with the hash another name. The machine classes of 1 pool may get another hash, and with the hash another name. The preview has a placeholder for the hash.",
  );
  assert.equal(await summary({ pools: [of("a", "updatedInPlace")] }), "No object of the preview changes. The nodes of 1 pool are updated in place.");
  assert.match(await summary({ changes: edit.changes, pools: [of("a", "rolled")] }), /start again\. The machine classes of 1 pool get another hash/);
  assert.equal(await summary({ uncompared: true }), "No object of the control plane changes.");
});
