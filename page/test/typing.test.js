// Editing large texts: what takes long is the worker's, and what is long is wrapped.
import assert from "node:assert/strict";
import { test } from "node:test";
import { longProfile } from "../bench/manifest.js";
import { paste, settled, textOf, withBrowser } from "./page.js";

const { open } = withBrowser();

/** Lists what the page asks its worker, as `window.asked`. */
const listening = (page) =>
  page.addInitScript(() => {
    window.asked = [];
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (message, ...rest) {
      window.asked.push(message.task);
      postMessage.call(this, message, ...rest);
    };
  });

const SHOOT = `apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata:
  name: a
  namespace: garden-dev
spec:
  cloudProfile:
    name: clouds
  provider:
    type: alicloud
    workers:
    - name: a
      machine:
        type: `;

test("what a profile offers is found in the worker, and only where a profile has a say", async (t) => {
  const page = await open(t, { prepare: listening });
  await page.getByRole("tab", { name: "Context" }).click();
  await paste(page, longProfile(100_000), "context");
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await paste(page, SHOOT);
  await settled(page);
  await page.keyboard.press("Control+End");
  await page.keyboard.type("ecs.g12");
  // The editor takes no Enter for a list that has only just opened.
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "ecs.g12.large" }).first().click();
  assert.match(await textOf(page), /type: ecs\.g12\.large$/);
  const choices = () => page.evaluate(() => window.asked.filter((task) => task === "choices").length);
  const count = await choices();
  assert.ok(count > 0);

  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nima");
  await page.locator(".cm-tooltip-autocomplete", { hasText: "image" }).waitFor();
  assert.equal(await choices(), count);
});

test("a wrapped line goes on below its own text, also where somebody scrolls to it and changes it", async (t) => {
  const page = await open(t);
  const labels = Array.from({ length: 2000 }, (_, index) => `    label-${index}: value\n`).join("");
  await paste(page, `kind: Shoot\nmetadata:\n  labels:\n${labels}      long: ${"word ".repeat(60)}\n`);
  await settled(page);
  await page.keyboard.press("Control+End");
  const line = page.locator("#text-manifest .cm-line", { hasText: "long: word" });
  /** Where the rows of the line begin, from the left of its content, in columns. */
  const starts = () =>
    line.evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const rows = new Map();
      for (const { left, top, width } of range.getClientRects()) if (width > 0) rows.set(Math.round(top), Math.min(left, rows.get(Math.round(top)) ?? left));
      const probe = element.parentElement.appendChild(document.createElement("span"));
      probe.style.cssText = "position: absolute; width: 100ch";
      const column = probe.getBoundingClientRect().width / 100;
      probe.remove();
      const first = element.getBoundingClientRect().left + 6;
      return Array.from(rows.values(), (left) => Math.round((left - first) / column));
    });
  const wrapped = (columns) => starts().then(([first, ...rows]) => assert.deepEqual([first, rows.length > 0, new Set(rows)], [0, true, new Set([columns])]));
  await wrapped(6);

  await line.click({ position: { x: 60, y: 5 } });
  await page.keyboard.press("Control+BracketRight");
  await wrapped(8);
});
