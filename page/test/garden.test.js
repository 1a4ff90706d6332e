// What a person says of the garden: a version that is typed, and the fields of its API server.
import assert from "node:assert/strict";
import { test } from "node:test";
import { withProfile } from "./addressing.js";
import { paste, settled, violations, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

/** A CloudProfile and a Shoot, both in good order. */
const good = await withProfile("two-zones");
const verdict = (page) => page.locator("[data-verdict]");
const menu = (page) => page.getByRole("button", { name: /^Version of your Gardener/ });
const rules = (page) => page.locator(".trellis-finding .trellis-rule").allInnerTexts();

/** What `kubectl get --raw /openapi/v3/…` prints of a garden whose Shoots have these fields of the spec. */
function openapi(fields) {
  const properties = Object.fromEntries(fields.map((field) => [field, { type: "object" }]));
  const shoot = { apiVersion: {}, kind: {}, metadata: { type: "object" }, spec: { type: "object", properties } };
  const schemas = { "com.github.gardener.gardener.pkg.apis.core.v1beta1.Shoot": { properties: shoot } };
  return Buffer.from(JSON.stringify({ openapi: "3.0.0", components: { schemas } }));
}

async function type(page, version) {
  await menu(page).click();
  await page.getByLabel("Another version").fill(version);
  await page.keyboard.press("Enter");
}

async function openFields(page, name, buffer) {
  await menu(page).click();
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Open the garden's OpenAPI document" }).click();
  await (await chooser).setFiles({ name, mimeType: "application/json", buffer });
}

for (const [version, words] of [
  ["1.1470", "Gardener 1.1470 is newer than 1.150, the newest whose rules Trellis knows: the rules of 1.150 count."],
  ["1.100", "Gardener 1.100 is older than 1.143, the oldest whose rules Trellis knows: the rules of 1.143 count."],
]) {
  test(`of ${version}, whose rules are not known, the page says which count: at the field, next to the verdict, and at the button`, async (t) => {
    const page = await open(t, { hash: "#example=two-zones", context: await ownContext(t) });
    await menu(page).click();
    const field = page.getByLabel("Another version");
    await field.fill(version);
    await page.getByRole("status").getByText(words).waitFor();
    const described = await field.evaluate((input) => input.getAttribute("aria-describedby").split(" ").map((id) => document.getElementById(id).textContent).join(""));
    assert.equal(described, words);
    assert.deepEqual(await violations(page), []);
    await field.fill("1.147");
    assert.equal(await page.locator("[data-strange]").textContent(), "");
    await field.fill(version);
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: `Version of your Gardener: ${version} ${words}`, exact: true }).waitFor();
    await verdict(page).getByText(words).waitFor();
  });
}

test("a version is typed as the command line takes it, and what is none is said", async (t) => {
  const page = await open(t, { hash: "#example=two-zones", context: await ownContext(t) });
  await paste(page, good);
  await settled(page);
  for (const wrong of ["1.x", "2.1", "newest", "1"]) {
    await type(page, wrong);
    await page.getByText(`“${wrong}” is no version of Gardener: write one such as 1.147 or 1.147.2.`).waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Another version").waitFor({ state: "hidden" });
  }
  await menu(page).click();
  await page.getByLabel("Another version").fill("x");
  await page.keyboard.press("Enter");
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press("Escape");
  await page.getByLabel("Another version").waitFor({ state: "hidden" });
  for (const [typed, kept, judged] of [["1.147", "1.147", "1.147"], ["1.146.3", "1.146.3", "1.146"], ["v1.145.0", "1.145.0", "1.145"]]) {
    await type(page, typed);
    await page.getByRole("button", { name: `Version of your Gardener: ${kept}`, exact: true }).waitFor();
    await settled(page);
    // What was checked is folded below the verdict.
    assert.match(await verdict(page).textContent(), new RegExp(`\\(v${judged.replace(".", "\\.")},`));
  }
  await page.reload();
  await settled(page);
  await menu(page).click();
  assert.equal(await page.getByRole("menuitemradio", { name: "1.145.0" }).getAttribute("aria-checked"), "true");
});

test("the fields of the garden's API server count while a person wants them to, and the page says what they change", async (t) => {
  const context = await ownContext(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const page = await open(t, { hash: "#example=two-zones", context });
  await paste(page, good.replace("  region: eu-central-1\n  cred", "  brandNewField: {}\n  region: eu-central-1\n  cred"));
  await settled(page);
  const before = await rules(page);
  assert.equal(before.length, 1);
  await openFields(page, "no.json", Buffer.from("kind: Shoot"));
  await page.getByText("no.json is no JSON, so the fields stay as they are.").waitFor();
  await openFields(page, "pods.json", Buffer.from("{}"));
  await page.getByText("pods.json describes no kind of core.gardener.cloud/v1beta1").waitFor();
  assert.equal(await page.locator("[data-fields]").count(), 0);
  await openFields(page, "my garden.json", openapi(["brandNewField", "cloudProfile", "region", "provider", "networking", "kubernetes", "maintenance"]));
  await page.locator("[data-fields]").getByText("Fields come from my garden.json: 1 finding more, 1 finding less.").waitFor();
  await settled(page);
  assert.match(await page.locator("[data-part=error]").innerText(), /credentialsBindingName/);
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: "Copy as a command" }).click();
  await page.getByText("The command is copied.").waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "trellis validate manifest.yaml --openapi 'my garden.json'");
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.hash]));
  assert.doesNotMatch(kept, /my garden|openapi/);
  await page.locator("[data-fields]").getByRole("button", { name: "Leave my garden.json" }).click();
  await page.locator("[data-fields]").waitFor({ state: "hidden" });
  await settled(page);
  assert.deepEqual(await rules(page), before);
});
