// Values of Secrets: what shows them, and what has them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stateOf } from "./addressing.js";
import { paste, pick, replace, settled, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

const VALUE = "hunter2hunter2hunter2hunter2hunter2";
const secret = (kind) => `apiVersion: v1\n${kind}\nmetadata:\n  name: a\nstringData:\n  accessKeySecret: ${VALUE}\n`;

for (const editor of ["Before", "Context"]) {
  test(`a Secret in ${editor} is hidden and in no address, however its kind is written`, async (t) => {
    const page = await open(t);
    for (const [name, kind] of [["a tag", "kind: !!str Secret"], ["an anchor", "kind: &k Secret"], ["a line of its own", "kind:\n  Secret"], ["nothing special", "kind: Secret"]]) {
      await t.test(`with ${name}`, async () => {
        await pick(page, "one-zone");
        await page.getByRole("tab", { name: editor }).click();
        await paste(page, secret(kind), editor.toLowerCase());
        await page.waitForFunction((value) => !document.body.innerHTML.includes(value), VALUE);
        await settled(page);
        await page.waitForFunction(() => location.hash === "");
        await page.getByRole("button", { name: "Show values" }).click();
        await page.waitForFunction((value) => document.body.innerText.includes(value), VALUE);
      });
    }
  });
}

test("a value that is written into a Secret of the context is hidden once it is checked", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await page.getByRole("tab", { name: "Context" }).click();
  await paste(page, secret("kind: Secret").replace(VALUE, ""), "context");
  await page.locator("#text-context .cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(VALUE);
  await page.waitForFunction((value) => !document.body.innerHTML.includes(value), VALUE);
});

test("a Secret whose kind is typed last is in no address before", async (t) => {
  const prepare = (page) =>
    page.addInitScript(() => {
      window.addresses = [];
      const { replaceState } = history;
      history.replaceState = (...given) => {
        replaceState.apply(history, given);
        addresses.push(location.hash);
      };
    });
  const page = await open(t, { hash: "#example=one-zone", prepare });
  await paste(page, "apiVersion: v1\n");
  await settled(page);
  await page.waitForFunction(() => location.hash.startsWith("#state="));
  for (const text of ["data:\n", "  accessKeySecret: ", VALUE]) {
    await page.keyboard.type(text);
    await settled(page);
    await page.waitForFunction(() => location.hash === "");
  }
  // Addresses are written in turn: that of a text without values comes after all that the values could be in.
  await paste(page, "apiVersion: v2\n");
  await page.waitForFunction(() => location.hash.startsWith("#state="));
  const written = await page.evaluate(() => addresses.filter((hash) => hash.startsWith("#state=")));
  assert.deepEqual(written.map((hash) => JSON.parse(stateOf(hash)).text), ["apiVersion: v1\n", "apiVersion: v2\n"]);
});

test("another text hides values again, and the button says so", async (t) => {
  const page = await open(t, { hash: "#example=secret" });
  await page.getByRole("button", { name: "Show values" }).click();
  assert.equal(await page.locator(".cm-trellis-hidden").count(), 0);
  await pick(page, "one-zone");
  await pick(page, "secret");
  await page.getByRole("button", { name: "Show values" }).waitFor();
  assert.ok((await page.locator(".cm-trellis-hidden").count()) > 0);
});

test("an example with a Secret is shared by its name", async (t) => {
  const context = await ownContext(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const page = await open(t, { hash: "#example=secret", context });
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("The address is copied").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#example=secret$/);
});
