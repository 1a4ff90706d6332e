import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launch } from "../../browser/chromium.js";
import { serve } from "../../browser/server.js";
import { OLDER, writeOlder } from "./older.js";

let folder;
let server;
let browser;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-versions-"));
  await writeOlder(join(folder, "older"));
  browser = await launch();
  server = await serve({ "/dist/": fileURLToPath(new URL("../../dist/", import.meta.url)), "/older/": join(folder, "older/dist") });
});
after(async () => {
  await browser?.close();
  server?.close();
  await rm(folder, { recursive: true });
});

test("a page downloads the code and the modules of the chosen version alone, also for a worker", async () => {
  const page = await browser.newPage();
  try {
    const asked = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(server.url);
    const versions = await page.evaluate(async (version) => {
      const [{ choose, release }, { release: older }] = await Promise.all([import("/dist/versions.js"), import("/older/versions.js")]);
      const { load, startWorker } = choose({ provider: "alicloud", version, mode: "enforce" }, [release, older]);
      const [policy, worker] = [await load(), await startWorker({ timeout: 60_000 })];
      return [policy.info().version, (await worker.info()).version];
    }, OLDER);
    assert.deepEqual(versions, [OLDER, OLDER]);
    const chosen = (path) => /\.wasm$|\/(index|bindings|worker|worker-thread)\.js$/.test(path);
    const downloaded = [...new Set(asked.filter(chosen))].sort();
    const files = ["index.js", "policies/alicloud_bg.wasm", "policies/bindings.js", "worker-thread.js", "worker.js"];
    assert.deepEqual(downloaded, files.map((file) => `/older/${file}`));
  } finally {
    await page.close();
  }
});
