// Measures the page in Chromium: what it transfers, when it can be used, and how long it keeps the main thread busy while
// somebody types. Prints a table; docs/performance.md explains it.
import { launch } from "../../web/browser/chromium.js";
import { startServer } from "../test/program.js";
import { countingProxy } from "./counting.js";
import { longManifest } from "./manifest.js";
import { mainThreadTasks, scriptsOfTasks, sums } from "./trace.js";

const LOADS = 10;
const KEYS = 200;
/** The files that are the page's own work: its code with the components, and Vue at work for it. */
const OWN = ["page", "start", "vue", "vuetify"];

const server = await startServer();
const proxy = await countingProxy(server.url);
const browser = await launch();
try {
  const loads = [];
  for (let count = 0; count < LOADS; count += 1) loads.push(await load());
  const sorted = (key) => loads.map((load) => load[key]).sort((a, b) => a - b);
  const say = (name, values, unit) =>
    console.log(`${name}: median ${median(values).toFixed(1)} ${unit}, slowest ${values.at(-1).toFixed(1)} ${unit}`);
  console.log(`first visit, ${LOADS} times with an empty cache`);
  say("  first paint", sorted("paint"), "ms");
  say("  usable (first review shown)", sorted("usable"), "ms");
  // Gardener's module comes with the first review, or soon after it.
  const bytes = sorted("bytes").map((bytes) => (bytes / 1000).toFixed(1));
  console.log(`  transferred by then: ${bytes[0]} to ${bytes.at(-1)} kB`);

  const { lines, tasks, scripts } = await type();
  console.log(`typing ${KEYS} keys into ${lines} lines`);
  say("  tasks of the main thread", tasks.map(({ ms }) => ms).sort((a, b) => a - b), "ms");
  for (const { ms, parts } of tasks.slice(0, 3)) console.log(`    ${ms.toFixed(1)} ms: ${parts}`);
  console.log(`  longer than 16 ms: ${tasks.filter(({ ms }) => ms > 16).length} of ${tasks.length}`);
  const total = sums(scripts.flatMap((task) => Array.from(task, ([name, ms]) => ({ name, ms }))));
  const shares = ["codemirror", "vue", "page", "(garbage collector)"].map((name) => `${name} ${((total.get(name) ?? 0) / KEYS).toFixed(2)}`);
  console.log(`  milliseconds a key, by file: ${shares.join(", ")}`);
  const own = scripts.map((task) => OWN.reduce((sum, name) => sum + (task.get(name) ?? 0), 0));
  console.log(`  most that the page and Vue take of a task: ${Math.max(...own).toFixed(1)} ms, under a profiler`);
} finally {
  await browser.close();
  proxy.close();
  await server.stop();
}

/** A visit with an empty cache. */
async function load() {
  const context = await browser.newContext();
  const page = await context.newPage();
  const before = proxy.bytes();
  await page.goto(proxy.url);
  await page.waitForFunction(() => performance.getEntriesByName("trellis:usable").length > 0);
  const times = await page.evaluate(() => ({
    usable: performance.getEntriesByName("trellis:usable")[0].startTime,
    paint: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  }));
  const bytes = proxy.bytes() - before;
  await context.close();
  return { ...times, bytes };
}

/** Types into a long manifest, and gives the tasks of the main thread meanwhile, longest first, and what ran in them. */
async function type() {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => performance.getEntriesByName("trellis:usable").length > 0);
  const text = longManifest();
  await page.locator(".cm-content").first().click();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
  await page.waitForTimeout(2000);
  // Into the value of a label in the middle of the text.
  await page.keyboard.press("Control+Home");
  for (let line = 0; line < 250; line += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.waitForTimeout(500);
  const keys = async () => {
    for (let key = 0; key < KEYS; key += 1) {
      await page.keyboard.press(key % 10 === 9 ? "Backspace" : "x");
      await page.waitForTimeout(key % 20 === 19 ? 600 : 60);
    }
  };
  const tasks = await mainThreadTasks(context, page, keys);
  const scripts = await scriptsOfTasks(context, page, keys);
  await context.close();
  return { lines: text.split("\n").length, tasks, scripts };
}

function median(sorted) {
  return sorted[Math.floor(sorted.length / 2)];
}
