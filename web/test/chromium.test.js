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
    serve({ "/dist/": fileURLToPath(new URL("../dist/", import.meta.url)), "/hostile/": fileURLToPath(new URL("hostile/", import.meta.url)) }),
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
  const page = await browser.newPage();
  try {
    await page.clock.install({ time: 0 });
    await page.goto(server.url);
    await page.clock.pauseAt(1_000_000);
    await page.evaluate(async (bytes) => {
      const { startWorker } = await import("/dist/worker.js");
      const worker = () => new Worker("/hostile/page-thread.js", { type: "module" });
      window.worker = await startWorker({ provider: "alicloud", module: new Uint8Array(bytes), timeout: 5_000, worker });
    }, bytes);
    await page.evaluate(async () => {
      const { joined } = await import("/hostile/calls.js");
      const { begun } = await joined("loop");
      window.open = window.worker.call("loop", "{}");
      await begun;
    });
    // That this comes back shows that the page is free.
    await page.clock.runFor(5_000);
    const [late, next] = await page.evaluate(async () => [await window.open, await window.worker.call("count", "{}")].map((answer) => JSON.parse(answer)));
    assert.equal(late.error.code, "DeadlineExceeded");
    assert.equal(next.calls, 1);
  } finally {
    await page.close();
  }
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

test("in a page, a module is compiled only if it has the hash that is asked for", async () => {
  const reported = await inPage(async () => {
    const { load, modules } = await import("/dist/index.js");
    const of = (integrity) => load({ provider: "alicloud", integrity }).then((policy) => policy.info().provider, ({ name, message }) => [name, message]);
    return [await of(modules.alicloud.integrity), await of(modules.openstack.integrity)];
  });
  assert.equal(reported[0], "alicloud");
  assert.equal(reported[1][0], "LoadError");
  assert.match(reported[1][1], /^http:.*alicloud_bg\.wasm \(application\/wasm\) is not the module that `integrity` names/);
});

test("a page gives up a server that never answers, and the next load has its module", async () => {
  const page = await browser.newPage();
  try {
    await page.goto(server.url);
    let isMute = true;
    await page.route("**/alicloud_bg.wasm", (route) => (isMute ? undefined : route.continue()));
    const load = (timeout) =>
      page.evaluate(async (timeout) => {
        const { load } = await import("/dist/index.js");
        return load({ provider: "alicloud", timeout }).then((policy) => policy.info().provider, ({ name, message }) => `${name}: ${message}`);
      }, timeout);
    assert.match(await load(100), /^LoadError: the module `alicloud` has not come within 100 ms/);
    isMute = false;
    assert.equal(await load(undefined), "alicloud");
  } finally {
    await page.close();
  }
});
