// Fixes: how many are offered, and where.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hashOf, withProfile } from "./addressing.js";
import { paste, settled, still, textOf, withBrowser } from "./page.js";

const { open } = withBrowser();

const [profile, shoot] = (await withProfile("two-zones")).split(/^---\n/m);
const pool = shoot.match(/    - name: worker-xoluy\n(?:      .*\n)+/)[0];
/** A Shoot with many pools, each with a machine type that is almost one of the profile. */
const many = (number) => shoot.replace(pool, Array.from({ length: number }, (_, at) => pool.replace("worker-xoluy", `p${at}`).replace("ecs.g7.large", "ecs.g7.larg")).join(""));

test("all fixes are tried while nobody types, and their button says how many there are", async (t) => {
  const page = await open(t, { hash: hashOf({ text: many(20), context: profile }) });
  const all = page.getByRole("button", { name: /^Fix all/ });
  await page.getByRole("button", { name: "Fix all (20)", exact: true }).waitFor();
  assert.match(await page.locator("[data-verdict]").innerText(), /20 errors · 20 can be fixed/);
  assert.equal(await page.locator("[data-state=reviewed]").count(), 1);
  await all.click();
  await page.locator("[data-verdict=accept]").waitFor();
  assert.equal((await textOf(page)).match(/type: ecs\.g7\.large$/gm).length, 20);
});

test("an edit under Before keeps the fix of a warning, and the error about the same value has it too", async (t) => {
  const page = await open(t, { hash: hashOf({ text: shoot.replace("size: 50Gi", "size: 50G"), old: shoot, context: profile }) });
  for (const rule of ["GDN-WRK-042", "ALI-ADV-009"]) {
    await page.locator(".trellis-finding").filter({ has: page.locator(`[data-rule="${rule}"]`) }).getByRole("button", { name: /^Fix / }).waitFor();
  }
  assert.match(await page.locator("[data-verdict]").innerText(), /Rejected · 1 error, 2 warnings · 1 error can be fixed/);
  await page.getByRole("button", { name: /^Fix GDN-WRK-042/ }).click();
  await page.locator("[data-verdict=accept]").waitFor();
  assert.equal(await textOf(page), shoot);
});

for (const colorScheme of ["light", "dark"]) {
  test(`an error and a warning at one place are underlined as an error, in ${colorScheme} colours`, async (t) => {
    const page = await open(t, { colorScheme, hash: hashOf({ text: shoot, context: profile }) });
    const colours = async () => {
      await settled(page);
      await still(page);
      const marks = page.locator("#text-manifest .cm-lintRange");
      return marks.evaluateAll((all) => all.map((mark) => getComputedStyle(mark).textDecorationColor));
    };
    await paste(page, shoot.replace("size: 50Gi", "size: 5Gi"));
    const [warning] = await colours();
    await paste(page, shoot.replace("ecs.g7.large", "ecs.g7.none"));
    const [error] = await colours();
    assert.notEqual(error, warning);
    await paste(page, shoot.replace("size: 50Gi", "size: 50G"));
    assert.deepEqual(await colours(), [error]);
  });
}
