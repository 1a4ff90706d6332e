import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "../browser/chromium.js";
import { serve } from "../browser/server.js";
import { hostileModule } from "./hostile/module.js";

let server;
let browser;
let bytes;
before(async () => {
  [browser, server, bytes] = await Promise.all([
    launch(),
    serve({ "/dist/": fileURLToPath(new URL("../dist/", import.meta.url)) }),
    hostileModule().then((module) => [...module]),
  ]);
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** What a function says that runs in a fresh page, given the bytes of a module that misbehaves. */
async function inPage(task) {
  const page = await browser.newPage();
  try {
    await page.goto(server.url);
    return await page.evaluate(task, bytes);
  } finally {
    await page.close();
  }
}

test("a policy that traps is replaced", async () => {
  const answers = await inPage(async (bytes) => {
    const { load } = await import("/dist/index.js");
    const policy = await load({ provider: "alicloud", module: new Uint8Array(bytes) });
    return ["count", "trap", "recurse", "grow", "count"].map((name) => JSON.parse(policy.call(name, "{}")));
  });
  const codes = answers.map(({ calls, error }) => calls ?? error.code);
  assert.deepEqual(codes, [1, "PolicyTrapped", "PolicyTrapped", 1, 1]);
});

test("a worker that loops is replaced, and the page stays free", async () => {
  const { late, next, turned } = await inPage(async (bytes) => {
    const { startWorker } = await import("/dist/worker.js");
    const worker = await startWorker({ provider: "alicloud", module: new Uint8Array(bytes), timeout: 1_000 });
    const call = async (name) => JSON.parse(await worker.call(name, "{}"));
    const open = call("loop");
    const turned = await new Promise((resolve) => setTimeout(resolve, 0, true));
    return { late: await open, next: await call("count"), turned };
  });
  assert.equal(late.error.code, "DeadlineExceeded");
  assert.equal(next.calls, 1);
  assert.ok(turned);
});

test("a worker whose code cannot be had is a load error", async () => {
  const name = await inPage(async (bytes) => {
    const { startWorker } = await import("/dist/worker.js");
    const worker = () => new Worker("/nowhere.js", { type: "module" });
    return startWorker({ provider: "alicloud", module: new Uint8Array(bytes), worker }).catch(({ name }) => name);
  });
  assert.equal(name, "LoadError");
});

test("a module is loaded from a relative URL and from a response, whatever its type", async () => {
  const providers = await inPage(async () => {
    const { load } = await import("/dist/index.js");
    const response = new Response(await (await fetch("/dist/policies/equinixmetal_bg.wasm")).arrayBuffer());
    const policies = [
      await load({ provider: "alicloud", module: "dist/policies/alicloud_bg.wasm" }),
      await load({ provider: "equinixmetal", module: response }),
    ];
    return policies.map((policy) => policy.info().provider);
  });
  assert.deepEqual(providers, ["alicloud", "equinixmetal"]);
});
