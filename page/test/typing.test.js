// What the page does while somebody types: what takes long is the worker's.
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
  await page.locator(".cm-tooltip-autocomplete", { hasText: "ecs.g12.large" }).waitFor();
  await page.keyboard.press("Enter");
  assert.match(await textOf(page), /type: ecs\.g12\.large$/);
  const choices = () => page.evaluate(() => window.asked.filter((task) => task === "choices").length);
  const count = await choices();
  assert.ok(count > 0);

  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nima");
  await page.locator(".cm-tooltip-autocomplete", { hasText: "image" }).waitFor();
  assert.equal(await choices(), count);
});
