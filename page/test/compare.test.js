// Before and Manifest as a difference.
import assert from "node:assert/strict";
import { test } from "node:test";
import { paste, settled, still, textOf, violations, withBrowser } from "./page.js";

const { open } = withBrowser();

const diff = (page) => page.getByRole("region", { name: "Before and Manifest compared" });
const compare = (page) => page.getByRole("button", { name: "Compare", exact: true });

/** Takes the manifest as the one before, and changes the manifest. */
async function edit(page, from, to) {
  const text = await textOf(page);
  assert.ok(text.includes(from));
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await paste(page, text.replace(from, to));
  await settled(page);
}

test("with a text under Before, the two stand side by side, and every way leads back to the texts", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  assert.equal(await compare(page).count(), 0);
  await edit(page, "maximum: 4", "maximum: 9");
  await compare(page).focus();
  await page.keyboard.press("Enter");
  await diff(page).locator(".cm-merge-a .cm-changedLine").waitFor();
  assert.deepEqual(await diff(page).locator(".cm-merge-a .cm-changedLine").allInnerTexts(), ["      maximum: 4"]);
  assert.deepEqual(await diff(page).locator(".cm-merge-b .cm-changedLine").allInnerTexts(), ["      maximum: 9"]);
  assert.equal(await compare(page).getAttribute("aria-pressed"), "true");
  assert.deepEqual(await violations(page), []);
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await diff(page).waitFor({ state: "hidden" });
  assert.match(await textOf(page), /maximum: 9/);
  await compare(page).click();
  await page.getByRole("tab", { name: "Context" }).click();
  assert.deepEqual([await diff(page).count(), await compare(page).count()], [0, 0]);
  await page.getByRole("tab", { name: "Before" }).click();
  await compare(page).click();
  await page.getByRole("link", { name: "Skip to the editor" }).focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.activeElement?.closest("#text-manifest") !== null);
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Clear" }).click();
  await compare(page).waitFor({ state: "hidden" });
});

test("both sides mark their lines and what changes in them alike, and the button shows that it is pressed", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await edit(page, "maximum: 4", "maximum: 9");
  const look = () => compare(page).evaluate((button) => getComputedStyle(button).backgroundColor);
  const released = await look();
  await compare(page).click();
  await diff(page).locator(".cm-merge-b .cm-changedLine").waitFor();
  await page.mouse.move(0, 0);
  await still(page);
  assert.notEqual(await look(), released);
  // How many layers of colour each piece of text has around it, within its line.
  const layers = (side) =>
    diff(page).locator(`${side} .cm-changedLine`).first().evaluate((line) => {
      const found = [];
      const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
      while (walk.nextNode()) {
        let count = 0;
        for (let element = walk.currentNode.parentElement; line.contains(element); element = element.parentElement) {
          const { backgroundColor, backgroundImage } = getComputedStyle(element);
          if (backgroundColor !== "rgba(0, 0, 0, 0)" || backgroundImage !== "none") count += 1;
        }
        found.push(count);
      }
      return found;
    });
  const before = await layers(".cm-merge-a");
  assert.deepEqual(await layers(".cm-merge-b"), before);
  assert.deepEqual([...new Set(before)], [1, 2]);
});

test("a finding leads from the difference to its line", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await edit(page, "10.250.32.0/19", "10.250.33.0/19");
  await compare(page).click();
  await diff(page).waitFor();
  await page.locator("[data-part=error] .trellis-place").first().click();
  await page.waitForFunction(() => document.activeElement?.closest("#text-manifest") !== null);
  assert.equal(await diff(page).count(), 0);
});

for (const width of [1280, 390]) {
  test(`values of Secrets stay hidden in the difference, at ${width} pixels, and say whether they differ`, async (t) => {
    const page = await open(t, { hash: "#example=two-zones", width });
    const secret = (id) => `apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b, labels: {provider.shoot.gardener.cloud/alicloud: "true"}}\ntype: Opaque\nstringData:\n  accessKeyID: ${id}\n  accessKeySecret: same-as-before-value-30-letters\n`;
    await paste(page, secret("LTAI5tAAAAAAAAAAAAAAAAAA"));
    await settled(page);
    await edit(page, "LTAI5tAAAAAAAAAAAAAAAAAA", "LTAI5tBBBBBBBBBBBBBBBBBB");
    await compare(page).click();
    await diff(page).locator(".cm-changedLine").first().waitFor();
    const words = await diff(page).evaluate((element) => element.textContent);
    assert.match(words, /accessKeyID: •••••• 1/);
    assert.match(words, /accessKeyID: •••••• 3/);
    assert.match(words, /Values of Secrets are hidden; the same number stands for the same value\./);
    assert.doesNotMatch(await page.locator("#texts").evaluate((element) => element.textContent), /LTAI5t|same-as-before/);
    await page.getByRole("button", { name: "Show values of Secrets" }).click();
    await diff(page).getByText("LTAI5tBBBBBBBBBBBBBBBBBB").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  });
}

test("on a small screen the difference is one column", async (t) => {
  const page = await open(t, { hash: "#example=two-zones", width: 390, colorScheme: "dark" });
  await edit(page, "maximum: 4", "maximum: 9");
  await compare(page).click();
  await diff(page).locator(".cm-deletedChunk").waitFor();
  assert.equal(await diff(page).locator(".cm-editor").count(), 1);
  assert.equal((await diff(page).locator(".cm-deletedChunk").innerText()).trim(), "maximum: 4");
  assert.deepEqual(await violations(page), []);
});
