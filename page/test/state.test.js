// What becomes of the texts when people share, leave and come back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { example, hashOf, stateIn } from "./addressing.js";
import { paste, pick, replace, rulesIn, settled, textOf, withBrowser } from "./page.js";

const { open, origin, ownContext } = withBrowser();

const locationOf = (page) => new URL(page.url()).hash;

/** Waits until the address has a text, and gives its part behind the `#`. */
async function addressed(page, text) {
  await page.waitForURL(() => stateIn(page).includes(text));
  return locationOf(page);
}

test("a shared address opens the same texts elsewhere", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await replace(page, "name: two-zones", "name: my-shoot");
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Context" }).click();
  await pick(page, "five-mistakes", "Pick a CloudProfile");
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await replace(page, "cidr: 10.250.0.0/16", "cidr: 10.248.0.0/13");
  const errors = await rulesIn(page, "error");
  const hash = await addressed(page, "cidr: 10.248.0.0/13");
  const [text, before, beside] = await Promise.all([textOf(page), hash, rulesIn(page, "undecided")]);

  const other = await open(t, { hash: before });
  assert.equal(await textOf(other), text);
  assert.deepEqual(await rulesIn(other, "error"), errors);
  assert.ok(errors.includes("ALI-INFU-001"));
  assert.deepEqual(await rulesIn(other, "undecided"), beside);
});

test("the share button copies the address", async (t) => {
  const context = await ownContext(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const page = await open(t, { hash: "#example=one-zone", context });
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("The address is copied").waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /#example=one-zone$/);
});

test("a reload keeps the text", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await replace(page, "name: one-zone", "name: kept");
  await page.getByRole("tab", { name: "Addresses" }).click();
  await page.reload();
  await settled(page);
  assert.match(await textOf(page), /name: kept/);
  assert.equal(await page.getByRole("tab", { name: "Addresses" }).getAttribute("aria-selected"), "true");
});

test("a reload that loses the state of the history keeps the text", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await replace(page, "name: one-zone", "name: kept");
  await addressed(page, "name: kept");
  // Chromium loses it where a reload meets a change of the address.
  await page.evaluate(() => history.replaceState(null, "", "#example=one-zone"));
  await page.reload();
  await settled(page);
  assert.match(await textOf(page), /name: kept/);
});

test("back returns to the text before an example was picked, and forward to the example", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await replace(page, "name: one-zone", "name: mine");
  await pick(page, "two-zones");
  await page.goBack();
  await settled(page);
  assert.match(await textOf(page), /name: mine/);
  await page.goForward();
  await settled(page);
  assert.match(await textOf(page), /name: two-zones/);
});

test("two tabs do not disturb each other", async (t) => {
  const one = await open(t, { hash: "#example=one-zone" });
  const two = await open(t, { hash: "#example=two-zones" });
  await replace(one, "name: one-zone", "name: first");
  await replace(two, "name: two-zones", "name: second");
  await Promise.all([one.reload(), two.reload()]);
  await Promise.all([settled(one), settled(two)]);
  assert.match(await textOf(one), /name: first/);
  assert.match(await textOf(two), /name: second/);
});

test("a Secret never gets into the address, and a reload keeps it", async (t) => {
  const page = await open(t);
  const secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\nstringData:\n  accessKeySecret: hunter2hunter2hunter2hunter2hunt\n";
  await paste(page, secret);
  await settled(page);
  await page.waitForFunction(() => location.hash === "");
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByText("There is no link: the text has a Secret").waitFor();
  assert.equal(locationOf(page), "");
  await page.reload();
  await settled(page);
  assert.equal(await textOf(page), secret);
});

for (const [what, hash] of [
  ["is damaged", "#state=AAAA%%%"],
  ["holds something else", "#state=q1YqSS0uUbJSKkktLlGqBQA"],
  ["names nothing that the page knows", "#stat=q1YqSS0uUbJSKkktLlGqBQA"],
  ["names no example", "#example=nothing-like-it"],
]) {
  test(`of an address that ${what}, the page says what to do, until a person closes that, and an example is there instead`, async (t) => {
    const page = await open(t, { hash, prepare: (page) => page.clock.install() });
    const note = page.getByText(/^The link cannot be read: it .* copy the whole link, or ask for the text as a file|^There is no example called nothing-like-it, .* Examples, above, has all of them/);
    await note.waitFor();
    assert.match(await textOf(page), /kind: Shoot/);
    await page.clock.fastForward(60_000);
    assert.ok(await note.isVisible());
    await page.getByRole("button", { name: "Close" }).click();
    await note.waitFor({ state: "hidden" });
  });
}

test("an address that unpacks to hundreds of megabytes is refused", async (t) => {
  const page = await open(t);
  const hash = await page.evaluate(async () => {
    const zeros = new Blob([`{"text":"${" ".repeat(200 << 20)}"}`]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    const bytes = new Uint8Array(await new Response(zeros).arrayBuffer());
    let text = "";
    for (const byte of bytes) text += String.fromCharCode(byte);
    return `#state=${btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
  });
  const other = await open(t, { hash });
  await other.getByText("The link cannot be read: it holds too much").waitFor();
});

test("nothing is asked of any other origin", async (t) => {
  const asked = [];
  const prepare = (page) => page.on("request", (request) => asked.push(request.url()));
  const page = await open(t, { hash: "#example=equinix-metal", prepare });
  for (const name of ["Defaults", "Addresses", "Before", "Context"]) await page.getByRole("tab", { name }).click();
  assert.ok(asked.length > 3);
  assert.deepEqual(asked.filter((url) => new URL(url).origin !== origin() && !url.startsWith("data:")), []);
  assert.equal(asked.filter((url) => url.includes("alicloud")).length, 0, "policies that nobody needs");
});

test("a text with line breaks of Windows is checked, fixed and shared", async (t) => {
  const text = (await example("five-mistakes")).replaceAll("\n", "\r\n");
  const page = await open(t, { hash: hashOf({ text, context: "# nothing\r\n" }) });
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  await page.waitForFunction(() => document.querySelectorAll("[data-part=error] .trellis-finding").length === 4);
  assert.match(stateIn(page), /# nothing/);
});

test("what was typed just before going back is there after going forward", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await pick(page, "two-zones");
  await paste(page, "kind: Quick\n");
  await page.goBack();
  await settled(page);
  await page.goForward();
  await settled(page);
  assert.equal(await textOf(page), "kind: Quick\n");
});

test("a browser that keeps nothing shows the page all the same", async (t) => {
  const prepare = (page) =>
    page.addInitScript(() => {
      window.denials = 0;
      Object.defineProperty(window, "sessionStorage", {
        get() {
          window.denials += 1;
          throw new DOMException("denied", "SecurityError");
        },
      });
    });
  const page = await open(t, { hash: "#example=five-mistakes", prepare });
  assert.equal((await rulesIn(page, "error")).length, 5);
  await replace(page, "five-mistakes", "mine");
  await page.getByText("a reload would lose the text").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByText("a reload would lose it").waitFor({ state: "detached" });
  const denials = await page.evaluate(() => window.denials);
  await replace(page, "mine", "other");
  await page.waitForFunction((before) => window.denials > before, denials);
  assert.equal(await page.getByText("a reload would lose it").count(), 0);
});

test("the oldest entries give way where the tab has no room for all", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  const large = (name) => `# ${name}\n${"# filler\n".repeat(220_000)}`;
  for (const name of ["first", "second", "third"]) {
    await paste(page, large(name));
    await settled(page);
    await page.waitForFunction((begin) => sessionStorage[`trellis:${history.state.entry}`]?.startsWith(begin), `{"text":"# ${name}`);
    await pick(page, "two-zones");
  }
  assert.equal(await page.getByText("too long for this tab").count(), 0);
  await page.goBack();
  await settled(page);
  assert.ok((await textOf(page)).startsWith("# third"));
});

test("colours that were chosen stay", async (t) => {
  const page = await open(t, { context: await ownContext(t) });
  await page.getByRole("button", { name: "Dark" }).click();
  await page.reload();
  await settled(page);
  await page.getByRole("button", { name: "Light" }).waitFor();
});
