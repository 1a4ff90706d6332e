// What the control plane and the machines of a Shoot consist of, and what an edit changes in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { example, hashOf } from "./addressing.js";
import { pick, replace, settled, violations, withBrowser } from "./page.js";

const { open, ownContext } = withBrowser();

const CONFIG = "      kind: ControlPlaneConfig\n";
const GATE = `${CONFIG}      cloudControllerManager:\n        featureGates:\n          WatchListClient: true\n`;

/** The last object of the example with two zones. */
const LAST = "MachineClass/shoot--dev--two-zones-worker-xoluy-eu-central-1b-<hash of worker-xoluy>";

async function manifestsOf(t, name, options) {
  const page = await open(t, { hash: `#example=${name}`, ...options });
  await page.getByRole("tab", { name: "Manifests" }).click();
  return page;
}

const panel = (page) => page.getByRole("tabpanel", { name: "Manifests" });
const counted = (page) => panel(page).locator(".trellis-manifests-counted");
const options = (page) => panel(page).getByRole("option");
const objects = (page) => options(page).evaluateAll((all) => all.map(({ dataset }) => dataset.object));
const shown = (page) => panel(page).locator("[data-shown]");

/** Compares the manifest with itself, and then enables a feature gate in it. */
async function enableGate(page) {
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await panel(page).getByText("No object changes.").waitFor();
  await replace(page, CONFIG, GATE);
  await panel(page).locator("[data-summary]").filter({ hasText: "1 changed" }).waitFor();
}

test("the objects of the example with two zones are listed by managed resource, and read as YAML", async (t) => {
  const fetched = [];
  const page = await open(t, {
    hash: "#example=two-zones",
    prepare: (page) => page.on("request", (request) => fetched.push(request.url())),
  });
  const isLoaded = () => fetched.some((url) => url.includes("alicloud-rendering"));
  assert.equal(isLoaded(), false, "nobody has opened the tab yet");
  await page.getByRole("tab", { name: "Manifests" }).click();
  await counted(page).getByText("56 objects").waitFor();
  assert.ok(isLoaded());
  const groups = await panel(page).locator(".trellis-manifests-list [role=group]").evaluateAll((all) => all.map((group) => [group.querySelector(".trellis-manifests-resource").textContent, group.querySelectorAll("[role=option]").length]));
  assert.deepEqual(groups, [
    ["extension-controlplane-seed", 14],
    ["extension-controlplane-shoot", 32],
    ["extension-controlplane-shoot-crds", 3],
    ["extension-controlplane-storageclasses", 1],
    ["Machines", 6],
  ]);
  await options(page).filter({ hasText: "StorageClass" }).click();
  assert.equal(await shown(page).getAttribute("data-shown"), "StorageClass/default");
  assert.match(await shown(page).locator("pre").innerText(), /^apiVersion: storage\.k8s\.io\/v1\nkind: StorageClass\n/);
  await panel(page).getByText("A preview: the objects that the extension makes").waitFor();
  await panel(page).getByText(/\d placeholders/).click();
  await panel(page).getByText("<vpc id>").waitFor();
});

test("a search narrows the list by kind, name and text", async (t) => {
  const page = await manifestsOf(t, "two-zones");
  const search = panel(page).getByRole("searchbox", { name: "Search" });
  await search.fill("deployment cloud-controller-manager");
  await counted(page).getByText(/^\d of 56 objects/).waitFor();
  assert.ok((await objects(page)).includes("VerticalPodAutoscaler/cloud-controller-manager-vpa"), "its text has both words");
  assert.equal(await shown(page).getAttribute("data-shown"), "Deployment/cloud-controller-manager");
  await search.fill("--cluster-cidr=");
  await counted(page).getByText("1 of 56 objects").waitFor();
  assert.equal(await shown(page).locator("mark").innerText(), "--cluster-cidr=");
  await search.fill("nothing has this");
  await panel(page).getByText("No object has nothing has this.").waitFor();
  await search.fill("");
  await counted(page).getByText("56 objects", { exact: true }).waitFor();
});

test("the list is walked by keyboard", async (t) => {
  const page = await manifestsOf(t, "two-zones");
  await counted(page).waitFor();
  await panel(page).getByRole("searchbox").focus();
  await page.keyboard.press("Tab");
  const first = await shown(page).getAttribute("data-shown");
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await shown(page).getAttribute("data-shown"), first);
  await page.keyboard.press("End");
  await page.waitForFunction((last) => document.querySelector("[data-shown]").dataset.shown === last, LAST);
  const active = await page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant"))?.dataset.object);
  assert.equal(active, LAST);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), `${LAST.replace("/", " ")} as YAML`);
});

test("an edit that enables a feature gate shows which pods start again", async (t) => {
  const page = await manifestsOf(t, "two-zones");
  await enableGate(page);
  await panel(page).getByText("What the edit changes in the objects of the control plane and the machines, from the manifest under Before").waitFor();
  assert.equal(await panel(page).locator("[data-summary]").innerText(), "Objects: 1 changed. The pods of 1 workload start again.");
  assert.deepEqual(await objects(page), ["Deployment/cloud-controller-manager"]);
  assert.equal(await options(page).locator("[data-restarts]").innerText(), "restarts");
  assert.match(await shown(page).locator("[data-restart]").innerText(), /Its pods start again/);
  const added = shown(page).locator(".trellis-manifests-added");
  assert.match((await added.innerText()).replaceAll(/\s+/g, " "), /\+.*Added: .*--feature-gates=WatchListClient=true/);
  await panel(page).getByRole("checkbox", { name: "Show unchanged objects too" }).check();
  await counted(page).getByText("56 objects").waitFor();
  assert.equal(await panel(page).locator("[data-restarts]").count(), 1);
});

test("machines are a group of their own: deployments, classes, and Secrets with masked user data", async (t) => {
  const page = await manifestsOf(t, "two-zones");
  const group = panel(page).getByRole("group", { name: "Machines" });
  await group.getByText("in the seed · 6 objects").waitFor();
  const kinds = await group.getByRole("option").evaluateAll((all) => all.map(({ dataset }) => dataset.object.split("/")[0]));
  assert.deepEqual(kinds, ["Machine deployment", "Machine deployment", "Secret", "MachineClass", "Secret", "MachineClass"]);
  await group.getByRole("option", { name: /Machine deployment .*-1a/ }).click();
  await shown(page).getByText("The extension makes a MachineDeployment of it.").waitFor();
  assert.match(await shown(page).locator("pre").innerText(), /^name: shoot--dev--two-zones-worker-xoluy-eu-central-1a\npoolName: worker-xoluy\n[^]*minimum: 1\nmaximum: 2\n/);
  await group.getByRole("option", { name: /^Secret .*-1b/ }).click();
  assert.match(await shown(page).locator("pre").innerText(), /userData: <masked>/);
  await panel(page).getByText(/\d placeholders/).click();
  for (const placeholder of ["<hash of worker-xoluy>", "<user data of worker-xoluy>", "<image id of gardenlinux 1592.9.0>"]) {
    await panel(page).locator("details").getByText(placeholder).waitFor();
  }
});

test("an edit of a machine type shows in the machine classes", async (t) => {
  const page = await manifestsOf(t, "two-zones");
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await replace(page, "type: ecs.g7.large", "type: ecs.g7.xlarge");
  await panel(page).locator("[data-summary]").getByText("Objects: 2 changed. No pod template changes. The machine classes of 1 pool get another hash").waitFor();
  await panel(page).getByText("Plan shows what becomes of the nodes.").waitFor();
  assert.deepEqual((await objects(page)).map((object) => object.split("/")[0]), ["MachineClass", "MachineClass"]);
  assert.match((await shown(page).locator(".trellis-manifests-added").innerText()).replaceAll(/\s+/g, " "), /instanceType: ecs\.g7\.xlarge/);
});

test("an edit that rolls nodes by a hash alone is not said to change nothing", async (t) => {
  const page = await manifestsOf(t, "two-zones");
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await replace(page, "  namespace: garden-dev\n", "$&  annotations:\n    gardener.cloud/operation: rotate-credentials-start\n");
  const summary = panel(page).locator("[data-summary]");
  await summary.getByText("No object of the preview changes. The machine classes of 1 pool get another hash, and with the hash another name").waitFor();
  await panel(page).getByText("Plan shows what becomes of the nodes.").waitFor();
});

test("machines of Before that cannot be made are not compared, and the page says why", async (t) => {
  const profile = (await example("five-mistakes")).split(/^---\n/m)[0].replace("    - version: 1592.9.0\n", "    - version: 1592.10.0\n      architectures:\n      - amd64\n      cri:\n      - name: containerd\n$&");
  const text = await example("two-zones");
  const page = await open(t, { hash: hashOf({ text, old: text.replace("version: 1592.9.0", "version: 1592.10.0"), context: profile }) });
  await page.getByRole("tab", { name: "Manifests" }).click();
  await panel(page).getByText("The machines of Before cannot be made (rule ALI-MCH-004: could not find machine image").waitFor();
  assert.doesNotMatch(await panel(page).innerText(), /No object changes/);
  const verdict = page.locator("[data-verdict]");
  assert.equal(await verdict.getAttribute("data-verdict"), "accept");
});

test("the verdict is the same in every tab, also where machines cannot be made", async (t) => {
  const profile = (await example("five-mistakes")).split(/^---\n/m)[0].replace("    - version: 1592.9.0\n", "    - version: 1592.10.0\n      architectures:\n      - amd64\n      cri:\n      - name: containerd\n$&");
  const text = (await example("two-zones")).replace("version: 1592.9.0", "version: 1592.10.0");
  const page = await open(t, { hash: hashOf({ text, context: profile }) });
  const verdict = page.locator("[data-verdict]");
  const first = await verdict.innerText();
  assert.match(first, /No errors found/);
  for (const tab of ["Plan", "Manifests", "Addresses", "Findings"]) {
    await page.getByRole("tab", { name: tab }).click();
    await settled(page);
    if (tab === "Manifests") {
      await panel(page).getByText("The machines cannot be made").waitFor();
      assert.doesNotMatch(await panel(page).innerText(), /The text cannot be read/);
    }
    assert.equal(await verdict.innerText(), first, tab);
    assert.equal(await page.locator("#tab-findings .count").innerText(), "none", tab);
  }
});

test("no value of a Secret is on the page", async (t) => {
  const page = await manifestsOf(t, "two-zones");
  for (const secret of ["cloud-provider-config", "csi-diskplugin-alicloud", "shoot--dev--two-zones-worker-xoluy-eu-central-1a-<hash of worker-xoluy>"]) {
    await panel(page).getByRole("searchbox").fill(`secret ${secret}`);
    await panel(page).locator(`[data-object="Secret/${secret}"]`).click();
    assert.match(await shown(page).locator("pre").innerText(), /<masked>/);
    // Values as the Secrets have them; the last one is the user data of nodes.
    assert.doesNotMatch(await page.content(), /eyJHbG9iYWw|PGNyZWRlbnRpYWxz|PHVzZXIgZGF0YS/);
  }
});

test("where there are no manifests, the page says why", async (t) => {
  const page = await manifestsOf(t, "two-zones");
  await counted(page).waitFor();
  await pick(page, "five-mistakes");
  await panel(page).getByText("A Shoot that is rejected is not rendered.").waitFor();
  assert.equal(await panel(page).locator(".trellis-manifests").count(), 0);
});

test("a module that cannot be loaded is reported, and the next change tries again", async (t) => {
  let isGone = true;
  const context = await ownContext(t);
  await context.route("**/alicloud-rendering*", (route) => (isGone ? route.abort() : route.continue()));
  const page = await manifestsOf(t, "two-zones", { errors: [/Failed to load resource/], context });
  await panel(page).getByText("The page cannot load the module that renders control planes").waitFor();
  isGone = false;
  await replace(page, "maximum: ", "maximum: 1");
  await counted(page).getByText("56 objects").waitFor();
});

test("YAML has the colours of the editor, its lines are whole, and it is copied", async (t) => {
  const context = await ownContext(t, { permissions: ["clipboard-read", "clipboard-write"] });
  const page = await manifestsOf(t, "two-zones", { context, width: 390, height: 844 });
  const text = panel(page).locator(".trellis-manifests-text");
  await text.locator(".trellis-syntax-key").first().waitFor();
  assert.deepEqual(await text.locator("[class^=trellis-syntax]").evaluateAll((all) => all.slice(0, 4).map(({ textContent }) => textContent)), ["apiVersion", "networking.k8s.io/v1", "kind", "NetworkPolicy"]);
  const heights = await text.locator("pre").evaluate((pre) => [pre.scrollHeight, pre.textContent.trimEnd().split("\n").length * parseFloat(getComputedStyle(pre).lineHeight)]);
  assert.ok(heights[0] < heights[1] + 40, `lines are broken: ${heights}`);
  await text.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelector(".trellis-manifests-text").scrollLeft > 0);
  await panel(page).getByRole("button", { name: "Copy NetworkPolicy allow-to-alicloud-networks" }).click();
  await panel(page).getByText("Copied").first().waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await text.locator("pre").evaluate((pre) => pre.textContent));
});

test("a reload leads back to the tab", async (t) => {
  const page = await manifestsOf(t, "two-zones");
  await counted(page).getByText("56 objects").waitFor();
  await page.reload();
  await counted(page).getByText("56 objects").waitFor();
});

for (const [name, look] of Object.entries({
  light: {},
  dark: { colorScheme: "dark" },
  narrow: { width: 390, height: 844 },
  "narrow and dark": { width: 390, height: 844, colorScheme: "dark" },
  wide: { width: 2560, height: 1300 },
})) {
  test(`axe finds nothing, and nothing scrolls sideways: ${name}`, async (t) => {
    const page = await manifestsOf(t, "two-zones", look);
    await counted(page).getByText("56 objects").waitFor();
    const check = async (what) => {
      assert.deepEqual(await violations(page), [], what);
      const wide = await page.evaluate(() =>
        [document.documentElement, document.querySelector(".results [role=tabpanel]"), ...document.querySelectorAll(".trellis-manifests *")]
          // Lines of YAML are not broken: their region alone scrolls, by keyboard, too.
          .filter((element) => !element.closest(".trellis-manifests-text"))
          .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline" && !element.matches(".trellis-heard"))
          .map(({ outerHTML }) => outerHTML.slice(0, 100)),
      );
      assert.deepEqual(wide, [], what);
      if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/${name.replaceAll(" ", "-")}-${what}.png` });
    };
    await check("preview");
    await panel(page).getByRole("searchbox").fill("csi");
    await options(page).nth(3).click();
    await check("search");
    await panel(page).getByRole("searchbox").fill("");
    await enableGate(page);
    await check("edit");
  });
}

