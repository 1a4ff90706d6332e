// The page of the tests, bundled and served under a strict Content-Security-Policy, in Chromium.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import { build } from "vite";
import { launch } from "../../browser/chromium.js";
import { serve } from "../../browser/server.js";

/** Opens a browser; whoever opens it closes it. `complaints` are errors of pages and breaches of their policy. */
export async function open() {
  const browser = await launch();
  const folder = await mkdtemp(join(tmpdir(), "trellis-vue-"));
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
  const complaints = [];
  /** A page with a component on it. */
  const show = async (name, props, { width = 1000, colorScheme = "light", strings } = {}) => {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    await page.goto(server.url);
    await page.waitForFunction(() => "page" in window);
    await page.evaluate(([name, props, strings]) => window.page.show(name, props, strings), [name, props, strings]);
    return page;
  };
  return { show, close, complaints };
}

async function bundle(folder) {
  await build({
    root: fileURLToPath(new URL("page/", import.meta.url)),
    configFile: false,
    logLevel: "error",
    define: { __VUE_OPTIONS_API__: false, __VUE_PROD_DEVTOOLS__: false, __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false },
    build: { outDir: folder, emptyOutDir: true, target: "es2022", minify: false },
  });
}

/** What axe finds wrong with a page at WCAG 2.1 AA, in a line each. */
export async function violations(page) {
  await page.evaluate(axe.source);
  const found = await page.evaluate(() => {
    const runOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] };
    return window.axe.run(document, { runOnly });
  });
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`));
}

/** How far a page can be scrolled to its right. */
export function surplusWidth(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** What the component has emitted so far. */
export function emitted(page) {
  return page.evaluate(() => window.page.emitted);
}
