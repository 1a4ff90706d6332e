// What the page looks like, and whether everybody can use it.
import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { paste, pick, replace, rulesIn, settled, still, textOf, violations, withBrowser } from "./page.js";

const { open } = withBrowser();

const SCREENSHOTS = new URL("../../docs/screenshots/", import.meta.url);

/** Opens the plan of an edit: the elastic IP of a zone becomes another one. */
async function editEip(page) {
  await pick(page, "two-zones");
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  const zone = "workers: 10.250.32.0/19";
  await replace(page, zone, `${zone}\n          natGateway:\n            eipAllocationID: eip-mine`);
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.locator(".trellis-disruptions").waitFor();
}

/** Compares the manifest with itself, and then changes a machine type in it. */
async function editMachine(page) {
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await replace(page, "type: ecs.g7.large", "type: ecs.g7.xlarge");
}

/** Opens the plan of an edit of a machine type. */
async function rollNodes(page) {
  await editMachine(page);
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.locator("[data-pool]").waitFor();
  await page.getByRole("button", { name: "Go to machine.type" }).click();
}

/** Opens the manifests of a new Shoot, and a machine class among them. */
async function openManifests(page) {
  await page.getByRole("tab", { name: "Manifests" }).click();
  await page.getByRole("searchbox").fill("machine");
  await page.getByRole("option", { name: /^MachineClass/ }).first().click();
}

/** Opens the manifests of an edit of a machine type. */
async function changeClass(page) {
  await editMachine(page);
  await page.getByRole("tab", { name: "Manifests" }).click();
  await page.locator(".trellis-manifests-added").first().waitFor();
}

for (const colorScheme of ["light", "dark"]) {
  test(`axe finds nothing in the ${colorScheme} page, whatever is open`, async (t) => {
    const page = await open(t, { hash: "#example=five-mistakes", colorScheme });
    assert.deepEqual(await violations(page), [], "findings");
    for (const name of ["Defaults", "Addresses", "Before", "Context"]) {
      await page.getByRole("tab", { name }).click();
      assert.deepEqual(await violations(page), [], name);
    }
    await page.getByRole("button", { name: "Examples" }).click();
    await page.locator(".v-list-item-title").getByText("two-zones", { exact: true }).waitFor();
    assert.deepEqual(await violations(page), [], "menu");
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Findings" }).click();
    await page.getByRole("button", { name: "About the rule ALI-INF-016" }).click();
    await page.getByRole("dialog").getByText("Why").waitFor();
    assert.deepEqual(await violations(page), [], "rule");
  });

  test(`axe finds nothing in the ${colorScheme} plan`, async (t) => {
    const page = await open(t, { hash: "#example=two-zones", colorScheme });
    await editEip(page);
    assert.deepEqual(await violations(page), []);
    await page.locator(".results summary").evaluateAll((all) => all.forEach((summary) => summary.parentElement.setAttribute("open", "")));
    assert.deepEqual(await violations(page), [], "all unfolded");
  });
}

for (const width of [360, 800, 1280, 2560]) {
  test(`nothing is cut off or scrolls sideways at ${width} pixels`, async (t) => {
    const page = await open(t, { hash: "#example=five-mistakes", width });
    for (const name of ["Findings", "Defaults", "Addresses", "Plan"]) {
      if (name === "Plan") await editEip(page);
      await page.getByRole("tab", { name }).click();
      const wide = await page.evaluate(() => {
        const beyond = (element) => element.scrollWidth > element.clientWidth + 1;
        const panel = document.querySelector(".results [role=tabpanel]");
        return [document.documentElement, panel].filter((element) => !element || beyond(element)).length;
      });
      assert.equal(wide, 0, name);
    }
  });
}

test("everything is done by keyboard: pick, read, fix, undo, plan", async (t) => {
  const page = await open(t);
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");
  const tabTo = async (found) => {
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(found)) return;
    }
    assert.fail(`cannot be reached by Tab: ${found}; the last was ${await focused()}`);
  };
  await tabTo(() => document.activeElement.textContent.includes("Examples"));
  await page.keyboard.press("Enter");
  await page.locator(".v-list-item-title").getByText("five-mistakes", { exact: true }).waitFor();
  await page.keyboard.press("ArrowDown");
  for (let presses = 0; presses < 30; presses += 1) {
    if ((await focused()).startsWith("five-mistakes")) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
  await settled(page);
  assert.equal((await rulesIn(page, "error")).length, 5);
  await tabTo(() => document.activeElement.getAttribute("aria-label")?.startsWith("Fix ALI-INF-003"));
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelectorAll("[data-part=error] .trellis-finding").length === 4);
  await page.locator("#tab-findings").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await page.getByRole("tabpanel", { name: "Addresses" }).waitFor();
  await tabTo(() => document.activeElement.closest(".trellis-map") !== null);
  await page.keyboard.press("ArrowRight");
  assert.ok(await page.evaluate(() => document.activeElement.closest(".trellis-map") !== null));
  await tabTo(() => document.activeElement.closest(".trellis-zones") !== null);
});

test("the editor is no trap for the keyboard", async (t) => {
  const page = await open(t);
  await page.locator("#text-manifest .cm-content").focus();
  await page.keyboard.press("Tab");
  assert.ok(await page.evaluate(() => document.activeElement.closest(".cm-content") === null));
});

test("what is typed is judged while it is typed", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, (await textOf(page)).replace("workers: 10.250.0.0/19", "workers: "));
  await page.getByText("workers:", { exact: false }).first().waitFor();
  await settled(page);
  await paste(page, (await textOf(page)).replace("workers: \n", "workers: 10.250.1.0/19\n"));
  await settled(page);
  assert.ok((await rulesIn(page, "error")).includes("ALI-INF-003"));
});

/**
 * The pictures of the documentation. `UPDATE_SCREENSHOTS=1` writes them; else each must be there, in the size that it
 * has now, so that a picture of a page that looks otherwise is noticed when its layout is.
 */
for (const [name, { panel, prepare, ...options }] of Object.entries({
  "findings-light": { panel: "Findings" },
  "findings-dark": { panel: "Findings", colorScheme: "dark" },
  "defaults-light": { panel: "Defaults", hash: "#example=two-zones" },
  "addresses-light": { panel: "Addresses" },
  "addresses-dark": { panel: "Addresses", colorScheme: "dark" },
  "plan-light": { panel: "Plan", hash: "#example=two-zones" },
  "plan-edit-dark": { panel: "Plan", prepare: editEip, colorScheme: "dark" },
  "nodes-light": { panel: "Plan", hash: "#example=two-zones", prepare: rollNodes },
  "manifests-light": { panel: "Manifests", hash: "#example=two-zones", prepare: changeClass },
  "manifests-dark": { panel: "Manifests", hash: "#example=two-zones", prepare: openManifests, colorScheme: "dark" },
  "narrow-light": { panel: "Addresses", width: 360, height: 800 },
})) {
  test(`the picture ${name} is of the page as it is`, async (t) => {
    const page = await open(t, { hash: "#example=five-mistakes", width: 1400, ...options });
    await prepare?.(page);
    await page.getByRole("tab", { name: panel }).click();
    if (panel === "Findings") await page.locator("[data-part=error] .trellis-place").first().click();
    await still(page);
    const picture = await page.screenshot({ animations: "disabled", caret: "hide" });
    const file = new URL(`${name}.png`, SCREENSHOTS);
    if (process.env.UPDATE_SCREENSHOTS) {
      await mkdir(SCREENSHOTS, { recursive: true });
      await writeFile(file, picture);
    }
    assert.deepEqual(sizeOf(await readFile(file)), sizeOf(picture));
  });
}

/** Width and height of a PNG. */
const sizeOf = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];
