// Values of Secrets: what shows them, and what has them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { stateIn } from "./addressing.js";
import { paste, pick, replace, settled, withBrowser } from "./page.js";

const { open } = withBrowser();

const VALUE = "hunter2hunter2hunter2hunter2hunter2";
const secret = (kind) => `apiVersion: v1\n${kind}\nmetadata:\n  name: a\nstringData:\n  accessKeySecret: ${VALUE}\n`;

for (const [name, kind] of [["a tag", "kind: !!str Secret"], ["an anchor", "kind: &k Secret"], ["a line of its own", "kind:\n  Secret"], ["nothing special", "kind: Secret"]]) {
  for (const editor of ["Before", "Context"]) {
    test(`a Secret in ${editor} whose kind has ${name} is hidden and in no address`, async (t) => {
      const page = await open(t, { hash: "#example=one-zone" });
      await page.getByRole("tab", { name: editor }).click();
      await paste(page, secret(kind), editor.toLowerCase());
      await page.waitForFunction((value) => !document.body.innerHTML.includes(value), VALUE);
      await settled(page);
      await page.waitForFunction(() => location.hash === "");
      await page.getByRole("button", { name: "Show values" }).click();
      await page.waitForFunction((value) => document.body.innerText.includes(value), VALUE);
    });
  }
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
  const page = await open(t, { hash: "#example=one-zone" });
  await paste(page, "apiVersion: v1\n");
  await settled(page);
  await page.waitForFunction(() => location.hash.startsWith("#state="));
  const seen = [];
  for (const text of ["data:\n", "  accessKeySecret: ", VALUE]) {
    await page.keyboard.type(text);
    await settled(page);
    await page.waitForTimeout(100);
    seen.push(stateIn(page));
  }
  assert.deepEqual(seen, ["", "", ""]);
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
  const page = await open(t, { hash: "#example=secret" });
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("The address is copied").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#example=secret$/);
});
