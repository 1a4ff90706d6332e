// What the page makes of texts and policies that are out to break it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hostileModule } from "../../web/test/hostile/module.js";
import { trappingModule } from "../../web/test/hostile/trapping.js";
import { paste, pick, replace, rulesIn, settled, textOf, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

/** The page is alive when it finds the five mistakes again. */
async function alive(page) {
  await pick(page, "five-mistakes");
  assert.equal((await rulesIn(page, "error")).length, 5);
}

const half = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata:\n  name: half\nspec:\n  provider:\n    type: alicloud\n    infrastr";
const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]", ..."bcdefghij".split("").map((key, at) => `${key}: &${key} [${`*${"abcdefghi"[at]},`.repeat(9)}]`)].join("\n");

const HOSTILE = [
  ["10 MB", `# ${"x".repeat(98)}\n`.repeat(100_000), /3 MiB|too large/],
  ["binary", String.fromCharCode(...Array.from({ length: 4096 }, (_, at) => (at * 7919) % 256)), /./],
  ["a bomb of aliases", bomb, /alias/],
  ["a deep nest", "[".repeat(100_000), /deep|nest|readable|cannot be read/i],
  ["half a document", half, /./],
  ["nothing", "", /nothing to check/],
];

test("a text that is out to break the page is said to be what it is", async (t) => {
  const page = await open(t);
  for (const [what, text, words] of HOSTILE) {
    await t.test(what, async () => {
      await paste(page, text);
      await settled(page);
      assert.match(await page.getByRole("tabpanel", { name: /Findings/ }).innerText(), words);
      await alive(page);
    });
  }
});

test("half a document has the findings of what is there", async (t) => {
  const page = await open(t);
  await paste(page, half);
  await settled(page);
  assert.ok((await page.locator("[data-part=error] .trellis-finding").count()) > 0);
});

test("10 MB are still there to be edited, and leaving them loses nothing of the page", async (t) => {
  const page = await open(t);
  const line = `# ${"x".repeat(98)}\n`;
  await paste(page, line.repeat(100_000));
  await settled(page);
  await page.keyboard.press("Control+End");
  await page.keyboard.type("end");
  await settled(page);
  await page.getByText("too long for this tab to remember").waitFor();
  assert.ok((await textOf(page)).endsWith(`${line}end`));
  await page.reload();
  await settled(page);
  await alive(page);
});

test("a policy that cannot be had is reported, and the next check has it", async (t) => {
  let isDown = true;
  const context = await ownContext(t);
  await context.route("**/*.wasm", (route) => (isDown ? route.abort() : route.continue()));
  const page = await open(t, { hash: "#example=one-zone", context, errors: [/Failed to load resource/] });
  assert.match(await page.getByRole("tabpanel", { name: /Findings/ }).innerText(), /not judged/);
  isDown = false;
  await paste(page, `${await textOf(page)}\n`);
  await settled(page);
  assert.deepEqual(await rulesIn(page, "error"), []);
  assert.match(await page.locator(".trellis-checked").innerText(), /accepted|undecided/);
});

test("a policy that traps is said to have failed, and the next check is answered", async (t) => {
  // A review asks info and rules once, then each time default and validate. The second one has Gardener's rules, too.
  const body = Buffer.from(await trappingModule(6));
  const context = await ownContext(t);
  await context.route("**/alicloud*.wasm", (route) => route.fulfill({ body, contentType: "application/wasm" }));
  const page = await open(t, { hash: "#example=one-zone", context });
  const panel = page.getByRole("tabpanel", { name: /Findings/ });
  assert.match(await panel.innerText(), /crashed|trap/i);
  assert.match(await page.locator(".trellis-checked").innerText(), /not judged/);
  await replace(page, "name: one-zone", "name: again");
  assert.match(await page.locator(".trellis-checked").innerText(), /accepted|undecided/);
});

test("a policy that is no policy is reported, and the page goes on", async (t) => {
  const bytes = Buffer.from(await hostileModule());
  let isHostile = true;
  const context = await ownContext(t);
  await context.route("**/*.wasm", (route) =>
    isHostile ? route.fulfill({ body: bytes, contentType: "application/wasm" }) : route.continue(),
  );
  const page = await open(t, { hash: "#example=one-zone", context });
  assert.match(await page.getByRole("tabpanel", { name: /Findings/ }).innerText(), /not judged/);
  isHostile = false;
  await page.reload();
  await settled(page);
  assert.match(await page.locator(".trellis-checked").innerText(), /accepted|undecided/);
});

test("a worker that dies while it fixes or plans is reported", async (t) => {
  const prepare = (page) =>
    page.addInitScript(() => {
      window.Worker = class extends Worker {
        postMessage(message) {
          if (message.task === "review" || message.task === "rules") super.postMessage(message);
          else this.dispatchEvent(new ErrorEvent("error", { message: "killed" }));
        }
      };
    });
  const page = await open(t, { hash: "#example=five-mistakes", prepare });
  await page.getByRole("button", { name: /^Fix/ }).first().click();
  await page.getByText("killed").waitFor();
  await page.getByRole("button", { name: "Check again" }).click();
  await settled(page);
  await page.getByRole("tab", { name: "Addresses" }).click();
  await page.getByLabel("Zone", { exact: true }).fill("eu-central-1c");
  await page.getByRole("button", { name: "Add zone" }).click();
  await page.getByText("killed").waitFor();
});

test("words of rules that cannot be read are an error that names the file, and the findings stay", async (t) => {
  const context = await ownContext(t);
  await context.route("**/*.rules*.json", (route) => route.abort());
  const page = await open(t, { hash: "#example=five-mistakes", context, errors: [/Failed to load resource/] });
  assert.equal((await rulesIn(page, "error")).length, 5);
  await page.locator(".trellis-rule").first().click();
  await page.getByRole("dialog").getByText(/alicloud\.rules.*\.json/).waitFor();
});
