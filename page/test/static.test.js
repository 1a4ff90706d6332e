// The page as files that any server hands out, below any path.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { settled, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const BELOW = "/tools/trellis/";
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml", ".json": "application/json" };

/** A server that knows nothing but files. */
async function startFiles(t) {
  const server = createServer(async ({ url }, response) => {
    const path = new URL(url, "http://localhost").pathname;
    const name = path === BELOW ? "/index.html" : path.slice(BELOW.length - 1);
    try {
      if (!path.startsWith(BELOW)) throw new Error("elsewhere");
      const content = await readFile(DIST + name);
      response.writeHead(200, { "Content-Type": TYPES[extname(name)] ?? "application/octet-stream" }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return `http://127.0.0.1:${server.address().port}${BELOW}`;
}

test("without the program, the page judges and plans, and says what it cannot do", async (t) => {
  // `open` fails the test for any error in the console, as a file that is missing is one.
  const page = await open(t, { url: await startFiles(t), hash: "#example=two-zones", context: await ownContext(t) });
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.locator(".trellis-graph").first().waitFor();
  await page.getByText("To apply in a simulated cloud, open the page by trellis serve").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Apply/ }).count(), 0);
  for (const tab of ["Defaults", "Addresses", "Manifests"]) {
    await page.getByRole("tab", { name: tab }).click();
    await settled(page);
  }
});

test("the program says that it serves the page, also where the browser has the page already", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.getByRole("button", { name: /^Apply/ }).waitFor();
  await page.reload();
  await settled(page);
  await page.getByRole("button", { name: /^Apply/ }).waitFor();
});
