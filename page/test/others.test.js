// What is said of the texts under Before and Context, next to the verdict.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withProfile } from "./addressing.js";
import { paste, settled, still, textOf, violations, withBrowser } from "./page.js";

const { open } = withBrowser();

/** A CloudProfile and a Shoot, both in good order. */
const good = await withProfile("two-zones");
const others = (page) => page.locator("[data-other]");

/** Puts a text under Before or Context, and goes back to the manifest. */
async function put(page, tab, text) {
  await page.getByRole("tab", { name: tab }).click();
  await paste(page, text, tab.toLowerCase());
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await settled(page);
}

/** Waits until an editor has the focus. */
const focused = (page, editor) => page.waitForFunction((id) => document.activeElement?.closest(`#text-${id}`), editor);

test("a problem of Context is said with its line, and a button leads to it, however far it is", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, good);
  const comments = "# nothing\n".repeat(1499);
  await put(page, "Context", `${comments}kind: [Shoot\nname: x\n`);
  const first = others(page).first();
  assert.match(await first.innerText(), /^Context, line 1,50\d: /);
  assert.deepEqual(await violations(page), []);
  await first.getByRole("button", { name: "Show the place under Context" }).focus();
  await page.keyboard.press("Enter");
  await focused(page, "context");
  await page.locator("#text-context .cm-line", { hasText: /kind: \[Shoot|name: x/ }).first().waitFor();
});

test("a problem of Before is said, and more problems than three are counted", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const other = (name) => `apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: ${name}, namespace: garden-dev}\n`;
  await put(page, "Before", ["a", "b", "c", "d", "e"].map(other).join("---\n"));
  const said = await others(page).allInnerTexts();
  assert.match(said[0], /^Before, line 3: the text has no new version of Shoot garden-dev\/a\. Check API group, kind, namespace and name: /);
  assert.equal(said.length, 4);
  assert.match(said[3], /^Before has 2 more problems\./);
  await others(page).nth(1).getByRole("button").click();
  await focused(page, "before");
  assert.equal(await page.locator("#text-before .cm-activeLine").innerText(), "metadata: {name: b, namespace: garden-dev}");
});

test("a profile under Context that the Shoot does not name is named where a rule lacks the one that the Shoot names", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const [profile] = good.split(/^---\n/m);
  await put(page, "Context", profile.replace("name: alicloud\n", "name: other\n"));
  assert.match(await others(page).innerText(), /^Context has CloudProfile other; the Shoot names CloudProfile alicloud\./);
  await others(page).getByRole("button").click();
  await focused(page, "context");
  assert.equal((await page.locator("#text-context .cm-activeLine").innerText()).trim(), "name: other");
  await put(page, "Context", profile);
  assert.equal(await others(page).count(), 0);
  assert.ok((await textOf(page)).includes("name: alicloud"));
});

const findings = (page) => page.locator("#panel-findings");

test("a misspelt key of a profile under Context is reported next to the verdict, with a fix, and what follows from it says so", async (t) => {
  const [profile, shoot] = good.split(/^---\n/m);
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, shoot);
  await put(page, "Context", profile.replace("machineTypes:", "machineTypess:"));
  assert.match(await others(page).innerText(), /^Context, line 22: unknown field "spec\.machineTypess"\. Did you mean machineTypes\?/);
  assert.match(await findings(page).innerText(), /Rename machineTypess to machineTypes in line 22 of the context: this follows from it\./);
  assert.match(await page.locator("[data-verdict]").innerText(), /The text under Context has a problem, and the verdict is with the text as it is\./);
  assert.deepEqual(await violations(page), []);
  await others(page).getByRole("button", { name: "Show the place under Context" }).click();
  await focused(page, "context");
  assert.match(await page.locator("#text-context .cm-activeLine").innerText(), /machineTypess:/);
  await others(page).getByRole("button", { name: "Fix the place under Context" }).click();
  await page.locator("[data-verdict=accept]").waitFor();
  assert.equal(await others(page).count(), 0);
  assert.equal(await textOf(page, "context"), profile);
});

test("a misspelt key under Before is reported there, and with it right, nothing is immutable", async (t) => {
  const [profile, shoot] = good.split(/^---\n/m);
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, shoot);
  await put(page, "Context", profile);
  await put(page, "Before", shoot.replace("      networks:", "      networkz:"));
  assert.match(await others(page).innerText(), /^Before, line 20: spec\.provider\.infrastructureConfig\.networkz: unknown field\. Did you mean networks\?/);
  assert.match(await findings(page).innerText(), /Rename networkz to networks in line 20 of the old version: this follows from it\./);
  await others(page).getByRole("button", { name: "Fix the place under Before" }).click();
  await page.locator("[data-verdict=accept]").waitFor();
});

test("a Context that is too large to be read is said with the limit, the reason and what to do", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await put(page, "Context", `kind: CloudProfile\nmetadata: {name: big}\nspec: {regions: [${"a, ".repeat(60_000)}a]}\n`);
  assert.match(await others(page).innerText(), /^Context, line 3: the text has more than 50,000 values, .* Give only the objects that the manifest names, because each change of the manifest checks all of them\./);
});

test("a misspelt provider is named with the one that is meant, and a button writes that", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, good.replace("  provider:\n    type: alicloud", "  provider:\n    type: alicoud"));
  await others(page).getByText("Trellis has no rules of alicoud: did you mean alicloud?").waitFor();
  await others(page).getByRole("button", { name: "Fix the place under Manifest" }).click();
  await page.locator("[data-verdict=accept]").waitFor();
  assert.equal(await textOf(page), good);
});

test("a provider that several objects misspell is said once for each, up to three, and nowhere else", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const [, shoot] = good.split(/^---\n/m);
  const misspelt = shoot.replace("  provider:\n    type: alicloud", "  provider:\n    type: alicoud");
  const shoots = [1, 2, 3, 4].map((number) => misspelt.replace("name: two-zones", `name: number-${number}`));
  // A label says no place where a provider's type could be corrected.
  const secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: a, labels: {provider.shoot.gardener.cloud/alicoud: 'true'}}\n";
  await paste(page, [...shoots, secret].join("---\n"));
  await others(page).getByText("Manifest has 1 more problem.").waitFor();
  assert.equal(await others(page).getByText("Trellis has no rules of alicoud: did you mean alicloud?").count(), 3);
  assert.equal(await page.getByText("alicoud is not supported yet.", { exact: true }).count(), 0);
});

test("a misspelt kind is an error, and a button writes the kind that is meant", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, good.replace("kind: Shoot\n", "kind: Shot\n"));
  const card = findings(page).locator(".trellis-finding", { hasText: "Gardener has no kind Shot in the API group core.gardener.cloud" });
  assert.match(await card.innerText(), /Did you mean Shoot\?/);
  await card.getByRole("button", { name: /^Fix/ }).click();
  await page.locator("[data-verdict=accept]").waitFor();
  assert.equal(await textOf(page), good);
});

test("an object that is twice in the manifest is an error at the second one, and a copy counts once", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const [, shoot] = good.split(/^---\n/m);
  await paste(page, `${good}---\n${shoot}`);
  await page.locator("[data-verdict=accept]").waitFor();
  await paste(page, `${good}---\n${shoot.replace("purpose: ", "purpose:  ").replace("name: two-zones", "name: two-zones\n  labels: {a: b}")}`);
  await page.locator("[data-verdict=none]").waitFor();
  assert.match(await page.locator("[data-verdict]").innerText(), /2 of 3 objects judged · 1 error/);
  assert.match(await findings(page).innerText(), /the text has another Shoot garden-dev\/two-zones, in line \d+/);
  assert.match(await findings(page).innerText(), /To compare with an earlier version, put that under Before\./);
});

for (const [what, wrong, words, note] of [
  ["a misspelt kind", ["kind: CloudProfile\n", "kind: CloudProfil\n"], "Gardener has no kind CloudProfil in the API group core.gardener.cloud. Did you mean CloudProfile?", "The verdict is without what has a problem under Context."],
  ["a wrong apiVersion", ["cloud/v1beta1\n", "cloud/v1alpha1\n"], "CloudProfile has apiVersion: core.gardener.cloud/v1alpha1, and Gardener's kind has apiVersion: core.gardener.cloud/v1beta1. Correct apiVersion, or leave the object out.", "The text under Context has a problem, and the verdict is with the text as it is."],
]) {
  test(`${what} under Context keeps the text from being accepted, is said there, and a button fixes it`, async (t) => {
    const [profile, shoot] = good.split(/^---\n/m);
    const page = await open(t, { hash: "#example=two-zones" });
    await paste(page, shoot);
    await put(page, "Context", profile.replace(...wrong));
    assert.equal(await page.locator("[data-verdict=accept]").count(), 0);
    assert.ok((await others(page).allInnerTexts()).some((said) => said.includes(words)));
    await page.getByText(note, { exact: true }).waitFor();
    await others(page).getByRole("button", { name: "Fix the place under Context" }).click();
    await page.locator("[data-verdict=accept]").waitFor();
    await page.getByRole("tab", { name: "Context" }).click();
    assert.equal(await textOf(page, "context"), profile);
  });
}

test("a key under Context that a newer Gardener may have is said, and leaves the verdict as it is", async (t) => {
  const [profile, shoot] = good.split(/^---\n/m);
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, shoot);
  await put(page, "Context", profile.replace("spec:\n", "spec:\n  somethingElse: 1\n"));
  assert.match(await others(page).innerText(), /unknown field "spec\.somethingElse" in Gardener.* Show$/);
  assert.equal((await page.getByRole("tab", { name: "Context" }).innerText()).trim(), "Context");
  assert.equal(await page.locator("[data-verdict=accept]").count(), 1);
});

test("an object under Before that is not in the manifest is no problem where every object of the manifest has its old one", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, good);
  await put(page, "Before", `${good}---\napiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: gone, namespace: garden-dev}\n`);
  await page.locator("[data-verdict=accept]").waitFor();
  assert.equal(await others(page).count(), 0);
});

test("a misspelt provider is fixed in the editor, too", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, good.replace("  provider:\n    type: alicloud", "  provider:\n    type: alicoud"));
  await settled(page);
  await others(page).getByRole("button", { name: "Show the place under Manifest" }).click();
  await page.locator("#text-manifest .cm-trellis-info", { hasText: "alicoud" }).hover();
  const note = page.locator(".cm-tooltip-lint", { hasText: "Trellis has no rules of alicoud: did you mean alicloud?" });
  await note.getByRole("button", { name: "Set type to alicloud" }).click();
  await page.locator("[data-verdict=accept]").waitFor();
});

for (const [kind, text] of [["none", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"], ["accept", good]]) {
  test(`the verdict ${kind} is as wide as its side`, async (t) => {
    const page = await open(t, { hash: "#example=two-zones", width: 1600 });
    await paste(page, text);
    await page.locator(`[data-verdict=${kind}]`).waitFor();
    await still(page);
    const widthOf = (selector) => page.locator(selector).evaluate((element) => element.getBoundingClientRect().width);
    assert.equal(await widthOf("[data-verdict]"), await widthOf("#results .pane"));
  });
}

test("Shoots of which the API server makes the name are distinguished where one is chosen", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const [profile, shoot] = good.split(/^---\n/m);
  const nameless = shoot.replace("  name: two-zones\n", "  generateName: my-\n");
  await paste(page, [profile, nameless, nameless].join("---\n"));
  await settled(page);
  await page.getByRole("tab", { name: "Addresses" }).click();
  await page.getByRole("combobox", { name: "Object" }).waitFor();
  const names = await page.getByRole("combobox", { name: "Object" }).locator("option").allInnerTexts();
  assert.equal(new Set(names).size, 2);
  assert.ok(names.every((name) => /^Shoot garden-dev\/my-… in line \d+$/.test(name.trim())), names.join());
});
