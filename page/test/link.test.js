// Links to findings.
import assert from "node:assert/strict";
import { test } from "node:test";
import { paste, settled, textOf, violations, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

const card = (page, rule) => page.locator(".trellis-finding").filter({ has: page.locator(`[data-rule="${rule}"]`) });
const clipboard = (page) => page.evaluate(() => navigator.clipboard.readText());

async function copyLink(page, rule) {
  await card(page, rule).getByRole("button", { name: /^Link: copy an address/ }).click();
  await page.getByText("The link is copied.").waitFor();
  return clipboard(page);
}

/** The finding is marked, its card in view, and the cursor at its place. */
async function isShown(page, rule, line) {
  await page.locator(".trellis-finding-shown").waitFor();
  assert.equal(await page.locator(".trellis-finding-shown .trellis-rule").first().innerText(), rule);
  await page.waitForFunction(() => {
    const { top, bottom } = document.querySelector(".trellis-finding-shown").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  });
  await page.waitForFunction(() => document.activeElement?.closest("#text-manifest") !== null);
  assert.match(await page.locator("#text-manifest .cm-activeLine").innerText(), line);
}

for (const width of [1280, 390]) {
  test(`a link to a finding shows its place and its card, at ${width} pixels`, async (t) => {
    const context = await ownContext(t, { permissions: ["clipboard-read", "clipboard-write"] });
    const page = await open(t, { hash: "#example=five-mistakes", context, width });
    assert.deepEqual(await violations(page), []);
    const address = await copyLink(page, "ALI-INF-016");
    await page.getByText("The link is copied. It opens the example at the finding, and holds no text.").waitFor();
    assert.match(address, /#example=five-mistakes&finding=1%20ALI-INF-016%20/);
    const other = await open(t, { url: address, context, width, height: 700 });
    await isShown(other, "ALI-INF-016", /pods: 10\.250\.192\.0\/18/);
  });
}

test("a link has the texts where they are no example, and a finding of Gardener's own rules", async (t) => {
  const context = await ownContext(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const page = await open(t, { hash: "#example=two-zones", context });
  await paste(page, (await textOf(page)).replace("minimum: 2", "minimum: 9"));
  await settled(page);
  const rule = (await page.locator("[data-part=error] .trellis-rule").first().innerText()).trim();
  const address = await copyLink(page, rule);
  await page.getByText("The link is copied. It holds the texts themselves").waitFor();
  assert.match(address, /#state=[\w-]+&finding=/);
  const other = await open(t, { url: address, context });
  await isShown(other, rule, /m(in|ax)imum: /);
  const gone = await open(t, { url: address.replace(/finding=.*/, "finding=0%20NO-RULE%20%2Fspec"), context });
  await gone.getByText("The text has no finding of the rule NO-RULE at the place that the link names.").waitFor();
});

test("a text with a Secret has no link", async (t) => {
  const context = await ownContext(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const page = await open(t, { hash: "#example=five-mistakes", context });
  await paste(page, `${await textOf(page)}---\napiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: b}\nstringData: {c: d}\n`);
  await settled(page);
  await card(page, "ALI-INF-016").getByRole("button", { name: /^Link/ }).click();
  await page.getByText("There is no link: the text has a Secret").waitFor();
});
