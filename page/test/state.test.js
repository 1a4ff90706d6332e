// What becomes of the texts when people share, leave and come back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { paste, pick, replace, rulesIn, settled, textOf, withBrowser } from "./page.js";

const { open, origin, context } = withBrowser();

const hashOf = (page) => new URL(page.url()).hash;

/** Waits until the address says what is there. */
async function addressed(page, form) {
  await page.waitForFunction((form) => new RegExp(form).test(location.hash), form);
  return hashOf(page);
}

test("a shared address opens the same texts elsewhere", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await replace(page, "name: two-zones", "name: my-shoot");
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Context" }).click();
  await pick(page, "five-mistakes", "Pick a CloudProfile");
  await page.getByRole("tab", { name: "Manifest" }).click();
  await replace(page, "cidr: 10.250.0.0/16", "cidr: 10.248.0.0/13");
  const errors = await rulesIn(page, "error");
  const hash = await addressed(page, "^#state=");
  const [text, before, beside] = await Promise.all([textOf(page), hash, rulesIn(page, "undecided")]);

  const other = await open(t, { hash: before });
  assert.equal(await textOf(other), text);
  assert.deepEqual(await rulesIn(other, "error"), errors);
  assert.ok(errors.includes("ALI-INFU-001"));
  assert.deepEqual(await rulesIn(other, "undecided"), beside);
});

test("the share button copies the address", async (t) => {
  const own = await context({ permissions: ["clipboard-read", "clipboard-write"] });
  t.after(() => own.close());
  const page = await open(t, { hash: "#example=one-zone", context: own });
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
  const own = await context();
  t.after(() => own.close());
  const one = await open(t, { hash: "#example=one-zone", context: own });
  const two = await open(t, { hash: "#example=two-zones", context: own });
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
  await page.getByText("Values of a Secret do not go into an address").waitFor();
  assert.equal(hashOf(page), "");
  await page.reload();
  await settled(page);
  assert.equal(await textOf(page), secret);
});

for (const [what, hash] of [
  ["is damaged", "#state=AAAA%%%"],
  ["holds something else", "#state=q1YqSS0uUbJSKkktLlGqBQA"],
  ["names no example", "#example=nothing-like-it"],
]) {
  test(`an address that ${what} is told of, and an example is there instead`, async (t) => {
    const page = await open(t, { hash });
    await page.getByText(/The state in the address cannot be read|There is no example called/).waitFor();
    assert.match(await textOf(page), /kind: Shoot/);
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
  await other.getByText("The state in the address cannot be read: it holds too much").waitFor();
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
