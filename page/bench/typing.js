// Measures in Chromium how long frames take, and the main thread, while somebody types in large texts. Prints a table;
// docs/performance.md explains it. `RUNS` is how often each is measured.
import { launch } from "../../web/browser/chromium.js";
import { startServer } from "../test/program.js";
import { longManifest, longProfile, manyShoots } from "./manifest.js";
import { mainThreadTasks } from "./trace.js";

/** What else the machine does makes frames longer: the best run counts. */
const RUNS = Number(process.env.RUNS ?? 3);
/** Keys whose names are not what they write. */
const NAMED = { "\n": "Enter", " ": "Space" };
/** Milliseconds between keys. */
const WAIT = 90;

const PROFILE = 300_000;
const TEXTS = [
  { name: "a Shoot, with a profile of 300 kB under Context", text: longManifest(), context: longProfile(PROFILE) },
  { name: "800 kB of Shoots and a profile", text: manyShoots(800_000, PROFILE) },
  { name: "2.9 MB of Shoots and a profile", text: manyShoots(2_900_000, PROFILE) },
];
/** What somebody types, behind the first line that matches in the second half of the text, and what they take away before. */
const PLACES = [
  { what: "a machine type", line: /^ {8}type: ecs\.g7\.large$/m, erases: 5, keys: "large" },
  { what: "a label", line: /^ {8}example\.com\/label-30: value-30$/m, erases: 0, keys: "abcdefghij" },
  { what: "a key", line: /^ {6}maximum: 3$/m, erases: 0, keys: "\n      maxSurge: 1" },
];

const server = await startServer();
const browser = await launch();
try {
  for (const { name, text, context } of TEXTS) {
    console.log(`${name}: ${text.split("\n").length} lines`);
    for (const place of PLACES) {
      const runs = [];
      for (let run = 0; run < RUNS; run += 1) runs.push(await type(text, context, place));
      const { frame, task, key } = runs.sort((a, b) => a.frame - b.frame || a.task - b.task)[0];
      const longest = frame === 0 ? "none above 50 ms" : `${frame.toFixed(0)} ms`;
      console.log(`  ${place.what}: longest frame ${longest}, longest task ${task.toFixed(0)} ms, main thread ${key.toFixed(1)} ms a key`);
    }
  }
} finally {
  await browser.close();
  await server.stop();
}

/** Types at a place of a text: milliseconds of the longest frame above 50, of the longest task, and of all tasks for each key. */
async function type(text, context, { line, erases, keys }) {
  const own = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await own.newPage();
  await page.goto(server.url);
  await page.waitForFunction(() => performance.getEntriesByName("trellis:usable").length > 0);
  if (context) {
    await page.getByRole("tab", { name: "Context" }).click();
    await paste(page, "context", context);
    await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  }
  await paste(page, "manifest", text);
  // The review of what was pasted is over before somebody types, as is what the editor does in its idle time.
  await page.waitForSelector("[data-state=checking]");
  await page.waitForSelector("[data-state=reviewed][data-whole=true]", { timeout: 120_000 });
  await moveBehind(page, text, line);
  await page.waitForTimeout(1500);
  await page.evaluate(() => {
    window.longFrames = [];
    const take = (list) => window.longFrames.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(take).observe({ type: "long-animation-frame" });
  });
  const tasks = await mainThreadTasks(own, page, async () => {
    for (let key = 0; key < erases; key += 1) await press(page, "Backspace");
    for (const key of keys) await press(page, NAMED[key] ?? key);
    // The review of it, and what the page remembers.
    await page.waitForTimeout(1000);
  });
  const frame = Math.max(0, ...(await page.evaluate(() => window.longFrames)));
  await own.close();
  return { frame, task: tasks[0].ms, key: tasks.reduce((sum, { ms }) => sum + ms, 0) / (erases + keys.length) };
}

async function press(page, key) {
  await page.keyboard.press(key);
  await page.waitForTimeout(WAIT);
}

async function paste(page, editor, text) {
  const content = page.locator(`#text-${editor} .cm-content`);
  await content.click();
  await page.keyboard.press("Control+a");
  await content.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Puts the cursor behind a line of a document in the middle of the text. */
async function moveBehind(page, text, line) {
  const middle = Math.max(0, text.indexOf("---\n", text.length / 2));
  const found = line.exec(text.slice(middle));
  const at = middle + found.index + found[0].length;
  await page.locator("#text-manifest .cm-content").evaluate((element, at) => {
    const { view } = element.cmTile;
    view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    view.focus();
  }, at);
}
