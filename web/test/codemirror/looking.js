// What tests see of a page's editor, and where they point.
import assert from "node:assert/strict";

/** The findings once there are as many. */
export async function findings(page, count) {
  await page.waitForFunction((count) => window.page.diagnostics(window.view).length === count, count)
    .catch(async () => {
      const found = await page.evaluate(() => window.page.diagnostics(window.view));
      assert.fail(`expected ${count} findings, there are ${JSON.stringify(found, null, 1)}`);
    });
  return page.evaluate(() => window.page.diagnostics(window.view));
}

/** The text of the editor. */
export const text = (page) => page.evaluate(() => window.view.state.doc.toString());

/** Moves the pointer onto the first underlined text that has this one; the tooltip. */
export async function hover(page, part) {
  const box = await page.locator(".cm-lintRange", { hasText: part }).first().boundingBox();
  await page.mouse.move(0, 0);
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 });
  const tooltip = page.locator(".cm-tooltip-hover");
  await tooltip.waitFor();
  return tooltip;
}
