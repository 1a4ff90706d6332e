// The page of the tests, bundled and served under a strict Content-Security-Policy, in Chromium.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { launch } from "../../browser/chromium.js";
import { serve } from "../../browser/server.js";

/** Opens the page; whoever opens it closes it. `complaints` are errors of the page and breaches of its policy. */
export async function open() {
  const browser = await launch();
  const folder = await mkdtemp(join(tmpdir(), "trellis-codemirror-"));
  const server = await serve({ "/": folder });
  const close = async () => {
    await browser.close();
    server.close();
    await rm(folder, { recursive: true });
  };
  try {
    await bundle(folder);
  } catch (error) {
    await close();
    throw error;
  }
  const context = await browser.newContext({ viewport: { width: 1400, height: 2400 } });
  await context.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
  const complaints = [];
  const newPage = async () => {
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(server.url);
    await page.waitForFunction(() => "page" in window);
    return page;
  };
  /** A page with an editor, which `setup` makes in the page as `window.view`. */
  const editorPage = async (setup, argument) => {
    const page = await newPage();
    await page.evaluate(setup, argument);
    return page;
  };
  return { editorPage, close, complaints };
}

async function bundle(folder) {
  await build({
    root: fileURLToPath(new URL("page/", import.meta.url)),
    configFile: false,
    logLevel: "error",
    build: { outDir: folder, emptyOutDir: true, target: "es2022" },
    worker: { format: "es" },
  });
}
