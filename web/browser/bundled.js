// A page of tests, bundled and served under a strict Content-Security-Policy, in Chromium.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { launch, PATIENCE } from "./chromium.js";
import { serve } from "./server.js";

/**
 * Bundles the page of a folder; whoever does closes it. `complaints` are the errors of the pages that `newPage` makes, and
 * their breaches of the policy. `settings` are Vite's.
 */
export async function bundled(root, { build: building, ...settings } = {}) {
  const browser = await launch();
  const folder = await mkdtemp(join(tmpdir(), "trellis-page-"));
  const server = await serve({ "/": folder });
  const close = async () => {
    await browser.close();
    server.close();
    await rm(folder, { recursive: true });
  };
  try {
    await build({
      root: fileURLToPath(root),
      configFile: false,
      logLevel: "error",
      build: { outDir: folder, emptyOutDir: true, target: "es2022", ...building },
      ...settings,
    });
  } catch (error) {
    await close();
    throw error;
  }
  const complaints = [];
  const newPage = async (options) => {
    const page = await browser.newPage(options);
    page.setDefaultTimeout(PATIENCE);
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    return page;
  };
  /** Loads a page again. */
  const load = async (page) => {
    await page.goto(server.url);
    await page.waitForFunction(() => "page" in window);
  };
  return { newPage, load, close, complaints };
}
