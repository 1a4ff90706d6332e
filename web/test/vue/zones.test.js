import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, emitted, open } from "./browser.js";
import { zones, zonesFull, zonesPlanned, zonesWrong } from "./documents.js";

let browser;
before(async () => {
  browser = await open();
});
after(() => browser?.close());

const show = (props, options) => browser.show("ZonePlanner", props, options);
const update = (page, props) => page.evaluate((props) => window.page.update(props), props);

test("the first free zone, in the size of the others, is proposed", async () => {
  const page = await show(zones);
  await page.getByRole("button", { name: "Add zone" }).click();
  assert.deepEqual(await emitted(page), [["add", { name: "eu-central-1b", prefixLength: 19 }]]);
});

test("sizes go from the largest that has room to the smallest, with their number of addresses", async () => {
  const page = await show(zones);
  const sizes = (await page.locator("option:not(datalist *)").allTextContents()).map((text) => text.trim());
  assert.equal(sizes.length, 12);
  assert.equal(sizes[0], "/17 · 32,768 addresses");
  assert.equal(sizes[2], "/19 · 8,192 addresses");
  assert.equal(sizes[11], "/28 · 16 addresses");
});

test("a zone may be any, of any size, by keyboard alone", async () => {
  const page = await show(zones);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("cn-beijing-k");
  await page.getByLabel("Size").selectOption("24");
  await page.getByLabel("Zone", { exact: true }).press("Enter");
  assert.deepEqual(await emitted(page), [["add", { name: "cn-beijing-k", prefixLength: 24 }]]);
});

test("a zone without a name is not added", async () => {
  const page = await show(zones);
  await page.getByLabel("Zone", { exact: true }).fill("");
  await page.getByRole("button", { name: "Add zone" }).click();
  assert.deepEqual(await emitted(page), []);
});

test("when the zone has been added, the next free one is proposed, and what somebody typed stays", async () => {
  const page = await show(zones);
  await update(page, { choice: { ...zones.choice, names: ["eu-central-1c"] } });
  assert.equal(await page.getByLabel("Zone", { exact: true }).inputValue(), "eu-central-1c");
  await page.getByLabel("Zone", { exact: true }).fill("cn-beijing-k");
  await update(page, { choice: { ...zones.choice, names: [] } });
  assert.equal(await page.getByLabel("Zone", { exact: true }).inputValue(), "cn-beijing-k");
});

test("a size that has no more room is replaced", async () => {
  const page = await show(zones);
  await update(page, { choice: { ...zones.choice, shortest: 21 } });
  assert.equal(await page.getByLabel("Size").inputValue(), "21");
});

test("why a plan failed is said where it is asked", async () => {
  const page = await show(zonesWrong);
  const name = page.getByLabel("Zone", { exact: true });
  assert.equal(await name.getAttribute("aria-invalid"), "true");
  const ids = (await name.getAttribute("aria-describedby")).split(" ");
  assert.equal(await page.locator(`[id="${ids[0]}"]`).innerText(), "the zone eu-central-1b is not one of the region's");
});

test("what a plan gave is said", async () => {
  const page = await show(zonesPlanned);
  assert.equal(await page.getByRole("status").innerText(), "eu-central-1b gets 10.250.32.0/19: 10.250.32.0 – 10.250.63.255");
});

test("where there is no room, nothing can be asked and the reason is said", async () => {
  const page = await show(zonesFull);
  assert.ok(await page.getByRole("button", { name: "Add zone" }).isDisabled());
  assert.ok(await page.getByLabel("Zone", { exact: true }).isDisabled());
  assert.match(await page.getByRole("alert").innerText(), /no room for another zone/);
});

test("while a plan is made, no other is asked for", async () => {
  const page = await show({ ...zones, busy: true });
  await page.getByLabel("Zone", { exact: true }).press("Enter");
  assert.deepEqual(await emitted(page), []);
});

for (const [name, props] of Object.entries({ zones, zonesFull, zonesPlanned, zonesWrong })) {
  test(`${name}: axe finds nothing, light and dark, and nothing is wider than the page`, async () => {
    const page = await show(props);
    await assertAccessible(page);
  });
}

test("the page has no errors", () => assert.deepEqual(browser.complaints, []));
