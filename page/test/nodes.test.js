// What an edit does to the nodes of a Shoot.
import assert from "node:assert/strict";
import { test } from "node:test";
import { example, hashOf } from "./addressing.js";
import { paste, replace, settled, textOf, violations, withBrowser } from "./page.js";

const { open, ownContext, ownServer } = withBrowser();

/** A worker pool, as YAML. */
const pool = (name, { type = "ecs.g7.large", minimum = 3, maximum = 3, zones = ["eu-central-1a"], more = "" } = {}) => `\
    - name: ${name}
      machine:
        type: ${type}
        image:
          name: gardenlinux
          version: 1592.9.0
      minimum: ${minimum}
      maximum: ${maximum}
      volume:
        type: cloud_essd
        size: 50Gi
        encrypted: false
${more}      zones:
${zones.map((zone) => `      - ${zone}\n`).join("")}`;

const [HEAD, TAIL] = (await example("two-zones")).split(/ {4}- name: worker-xoluy\n[^]*(?= {2}networking:)/);
/** A Shoot with worker pools. */
const shoot = (...pools) => HEAD + pools.join("") + TAIL;

const SMALL = shoot(pool("cpu"));
const LARGE = shoot(pool("cpu", { type: "ecs.g7.xlarge" }));
const LABELS = "      labels:\n        team: a\n";
const MANY = [
  shoot(pool("cpu"), pool("batch", { minimum: 0, maximum: 20 }), pool("old", { minimum: 2, maximum: 2 }), pool("infra", { minimum: 1, maximum: 2 }), pool("same", { minimum: 1, maximum: 4 })),
  shoot(
    pool("cpu", { type: "ecs.g7.xlarge", minimum: 2, maximum: 7, zones: ["eu-central-1a", "eu-central-1b"] }),
    pool("batch", { minimum: 0, maximum: 30, more: LABELS }),
    pool("infra", { minimum: 2, maximum: 2, zones: ["eu-central-1a", "eu-central-1b"] }),
    pool("same", { minimum: 1, maximum: 4 }),
    pool("gpu", { minimum: 1, maximum: 3 }),
  ),
];

/** Opens the plan of an edit. */
async function planOf(t, text, old, options) {
  const page = await open(t, { hash: hashOf({ text, ...(old && { old }) }), ...options });
  await page.getByRole("tab", { name: "Plan" }).click();
  return page;
}

const panel = (page) => page.getByRole("tabpanel", { name: "Plan" });
const said = (page, name) => panel(page).locator(`[data-pool="${name}"]`);
const inPool = async (page, name, selector) => (await said(page, name).locator(selector).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());
const changes = (page) => panel(page).locator("[data-pool]").evaluateAll((all) => all.map(({ dataset }) => `${dataset.pool} ${dataset.change}`));

test("a machine type that changes rolls the nodes of its pool, also where the network stays as it is", async (t) => {
  const page = await planOf(t, LARGE, SMALL);
  await said(page, "cpu").getByText("3 nodes of pool cpu roll, 1 at a time, because machine.type changes.").waitFor();
  assert.equal(await panel(page).locator("[data-rollout]").innerText(), "The nodes of 1 pool roll.");
  assert.match(await panel(page).locator("[data-disrupts]").innerText(), /^This disrupts/);
  assert.deepEqual(await inPool(page, "cpu", "[data-zone]"), ["zone eu-central-1a ± ± ± 3 replaced"]);
  await panel(page).getByText("Nothing changes.").waitFor();
  const [nodes, network] = await panel(page).getByRole("heading", { name: /^(Nodes|Network)$/ }).evaluateAll((all) => all.map((heading) => heading.getBoundingClientRect().top));
  assert.ok(nodes < network, "what disrupts comes first");
});

test("a cause leads to its place in the manifest", async (t) => {
  const page = await planOf(t, LARGE, SMALL);
  await page.getByRole("tab", { name: "Before" }).click();
  await said(page, "cpu").getByRole("button", { name: "Go to machine.type" }).click();
  await page.locator("#text-manifest .cm-activeLine").filter({ hasText: "type: ecs.g7.xlarge" }).waitFor();
  assert.equal(await page.getByRole("tab", { name: "Manifest", exact: true }).getAttribute("aria-selected"), "true");
});

test("an edit is reported while it is typed, and taken back", async (t) => {
  const page = await planOf(t, SMALL, SMALL);
  await panel(page).getByText("No node changes.").waitFor();
  assert.deepEqual(await changes(page), ["cpu unchanged"]);
  assert.equal(await panel(page).locator("[data-disrupts], .trellis-node").count(), 0, "what stays is quiet");
  await replace(page, "type: ecs.g7.large", "type: ecs.g7.xlarge");
  await said(page, "cpu").getByText("3 nodes of pool cpu roll").waitFor();
  await replace(page, "type: ecs.g7.xlarge", "type: ecs.g7.large");
  await panel(page).getByText("No node changes.").waitFor();
});

test("labels change in place", async (t) => {
  const page = await planOf(t, shoot(pool("cpu", { more: LABELS })), SMALL);
  await said(page, "cpu").getByText("labels changes on the nodes of pool cpu, which stay.").waitFor();
  assert.deepEqual(await changes(page), ["cpu updatedInPlace"]);
  assert.deepEqual(await inPool(page, "cpu", ".trellis-pool-words"), ["3 updated in place"]);
  assert.equal(await panel(page).locator("[data-disrupts]").count(), 0);
});

test("pools come and go, and get zones", async (t) => {
  const page = await planOf(t, MANY[1], MANY[0]);
  await panel(page).locator("[data-rollout]").waitFor();
  assert.deepEqual(await changes(page), ["cpu rolled", "old removed", "batch updatedInPlace", "infra resized", "gpu added", "same unchanged"]);
  assert.equal(
    await panel(page).locator("[data-rollout]").innerText(),
    "The nodes of 1 pool roll, 1 pool goes, the nodes of 1 pool are updated in place, 1 pool is new, 1 pool has other numbers of nodes or other zones.",
  );
  assert.deepEqual(await inPool(page, "gpu", ".trellis-pool-words"), ["1 to 3 new"]);
  assert.deepEqual(await inPool(page, "old", ".trellis-pool-words"), ["2 gone"]);
  assert.deepEqual(await inPool(page, "batch", ".trellis-pool-words"), ["up to 20 updated in place, up to 10 new"]);
  assert.deepEqual(await inPool(page, "cpu", ".trellis-pool-words"), ["1 to 3 replaced, up to 1 new", "1 to 3 new"]);
  assert.deepEqual(await inPool(page, "infra", ".trellis-pool-words"), ["1 kept, up to 1 gone", "1 new"]);
  assert.equal(await said(page, "batch").locator(".trellis-node").count(), 16, "no more squares than there is room for");
});

test("a pool of another size disrupts where nodes certainly go, and nowhere else", async (t) => {
  const wide = { minimum: 4, maximum: 4, zones: ["eu-central-1a", "eu-central-1b"] };
  const page = await planOf(t, shoot(pool("cpu", wide)), shoot(pool("cpu", { ...wide, zones: ["eu-central-1a"] })));
  await said(page, "cpu").getByText("No node of pool cpu is replaced; it gets zone eu-central-1b; 2 nodes in zone eu-central-1a go.").waitFor();
  assert.deepEqual(await inPool(page, "cpu", "[data-zone]"), ["zone eu-central-1a −− 2 kept, 2 gone", "zone eu-central-1b ++ 2 new"].map((words) => words.replace("−−", "− −").replace("++", "+ +")));
  assert.match(await panel(page).locator("[data-disrupts]").innerText(), /^This disrupts/);
  assert.equal(await panel(page).locator("[data-rollout]").innerText(), "1 pool has other numbers of nodes or other zones.");
  await replace(page, "zones:\n      - eu-central-1a\n      - eu-central-1b\n", "zones:\n      - eu-central-1a\n");
  await replace(page, "maximum: 4", "maximum: 9");
  await said(page, "cpu").getByText("it has 4 to 9 nodes instead of 4.").waitFor();
  assert.equal(await panel(page).locator("[data-disrupts]").count(), 0);
  await replace(page, "minimum: 4\n      maximum: 9", "minimum: 1\n      maximum: 2");
  await said(page, "cpu").getByText("2 nodes in zone eu-central-1a go").waitFor();
  assert.equal(await panel(page).locator("[data-disrupts]").count(), 1);
});

test("a Shoot that falls asleep, wakes up, or sleeps all the time says so", async (t) => {
  const asleep = (text) => text.replace("  networking:\n", "  hibernation:\n    enabled: true\n$&");
  const page = await planOf(t, asleep(SMALL), SMALL);
  const heading = panel(page).locator("[data-rollout]");
  await heading.getByText("The Shoot falls asleep: all its nodes go.").waitFor();
  assert.deepEqual(await inPool(page, "cpu", ".trellis-pool-words"), ["3 gone"]);
  await page.getByRole("tab", { name: "Before" }).click();
  await paste(page, asleep(SMALL), "before");
  await heading.getByText("The Shoot sleeps: it has no nodes, before the edit and after it.").waitFor();
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await paste(page, LARGE);
  await heading.getByText("The Shoot wakes up: it gets new nodes.").waitFor();
  assert.deepEqual(await inPool(page, "cpu", ".trellis-pool-words"), ["3 new"]);
});

test("a Before that cannot be read, or has another Shoot, is named where the plan would be from it", async (t) => {
  const page = await planOf(t, SMALL, "a: [");
  const note = panel(page).locator("[data-unpaired]");
  await note.getByText("The text under Before cannot be read (line 1: ").waitFor();
  await panel(page).getByText("From nothing: this is the network that there will be.", { exact: true }).waitFor();
  await page.getByRole("tab", { name: "Before" }).click();
  await paste(page, SMALL.replace("name: two-zones", "name: another"), "before");
  await note.getByText("The text under Before has no earlier version of the Shoot garden-dev/two-zones (the text has no new version of Shoot garden-dev/another)").waitFor();
  await page.getByRole("tab", { name: "Manifests" }).click();
  await page.getByRole("tabpanel", { name: "Manifests" }).locator("[data-unpaired]").getByText("garden-dev/another").waitFor();
});

for (const [width, height] of [[390, 844], [390, 664], [844, 390]]) {
  test(`on a screen of ${width} by ${height} the page scrolls as one, and results have room`, async (t) => {
    const context = (await example("five-mistakes")).split(/^---\n/m)[0].replace("  machineTypes:\n", "$&  - name: ecs.g7.xlarge\n    architecture: amd64\n    cpu: \"4\"\n    gpu: \"0\"\n    memory: 16Gi\n");
    const page = await open(t, { hash: hashOf({ text: LARGE, old: SMALL, context }), width, height });
    for (const tab of ["Plan", "Manifests"]) {
      await page.getByRole("tab", { name: tab }).click();
      await page.getByRole("tabpanel", { name: tab }).locator("[data-pool], [data-summary]").first().waitFor();
      if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/phone-${tab}-${width}x${height}.png`, fullPage: true });
      const [own, content] = await page.getByRole("tabpanel", { name: tab }).evaluate((panel) => [panel.clientHeight, panel.scrollHeight]);
      assert.ok(own >= 300 && content <= own + 1, `${tab}: ${own} of ${content}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollHeight > innerHeight && document.documentElement.scrollWidth <= innerWidth));
    }
    const scope = page.locator("details[data-scope]");
    assert.equal(await scope.getAttribute("open"), null);
    await scope.getByText("What was checked, and what not").click();
    await scope.getByText(/^\s*Not checked: /).waitFor();
    const cause = page.getByRole("button", { name: "Go to machine.type" });
    await page.getByRole("tab", { name: "Plan" }).click();
    await settled(page);
    await cause.click();
    const line = page.locator("#text-manifest .cm-activeLine").filter({ hasText: "type: ecs.g7.xlarge" });
    await line.waitFor();
    await page.waitForFunction(() => {
      const { top, bottom } = document.querySelector("#text-manifest .cm-activeLine").getBoundingClientRect();
      return top >= 0 && bottom <= innerHeight;
    });
  });
}

test("what only the cluster knows is reported", async (t) => {
  const kubelet = (cpu) => LARGE.replace("  kubernetes:\n", `  kubernetes:\n    kubelet:\n      kubeReserved:\n        cpu: ${cpu}\n`);
  const page = await planOf(t, kubelet("100m"), kubelet("80m"));
  assert.equal(await panel(page).locator("[data-rollout]").innerText(), "The nodes of 1 pool may roll.");
  await said(page, "cpu").getByText("If pool cpu has the new hash, 3 nodes of pool cpu roll").waitFor();
  await panel(page).locator("[data-undecided]").getByText("Only the cluster knows whether pool cpu has the old hash").waitFor();
});

test("a new Shoot has no pools to compare, and the module that shows what happens to nodes is not loaded", async (t) => {
  const fetched = [];
  const page = await planOf(t, SMALL, undefined, { prepare: (page) => page.on("request", (request) => fetched.push(request.url())) });
  const isLoaded = () => fetched.some((url) => url.includes("alicloud-addresses"));
  await panel(page).getByText("With the manifest as it was under Before, the plan shows what the edit does to nodes, too.").waitFor();
  assert.equal(await panel(page).locator(".trellis-rollout").count(), 0);
  assert.equal(isLoaded(), false);
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await panel(page).getByText("No node changes.").waitFor();
  assert.ok(isLoaded());
  assert.ok(!fetched.some((url) => url.includes("alicloud-rendering")));
});

test("a Shoot that is rejected has no nodes to report", async (t) => {
  const page = await planOf(t, LARGE.replace("minimum: 3", "minimum: 4"), SMALL);
  await panel(page).getByText("A Shoot that is rejected is not planned").waitFor();
  assert.equal(await panel(page).locator(".trellis-rollout").count(), 0);
});

test("a module that cannot be loaded is reported, and the network is planned all the same", async (t) => {
  let isGone = true;
  const context = await ownContext(t);
  await context.route("**/alicloud-addresses*", (route) => (isGone ? route.abort() : route.continue()));
  const page = await planOf(t, LARGE, SMALL, { errors: [/Failed to load resource/], context });
  await panel(page).getByText("The page cannot load the module that shows what the edit does to nodes").waitFor();
  await panel(page).locator(".trellis-graph").waitFor();
  isGone = false;
  await replace(page, "type: ecs.g7.xlarge", "type: ecs.g7.2xlarge");
  await said(page, "cpu").getByText("3 nodes of pool cpu roll").waitFor();
});

test("nodes are reported where the network cannot be planned", async (t) => {
  const context = await ownContext(t);
  await context.route("**/alicloud-infrastructure*", (route) => route.abort());
  const page = await planOf(t, LARGE, SMALL, { errors: [/Failed to load resource/], context });
  await panel(page).getByText("The network cannot be planned.").waitFor();
  const verdict = await page.locator("[data-verdict]").innerText();
  assert.doesNotMatch(verdict, /Rejected|Not judged|planned/);
  await page.getByRole("tab", { name: "Findings" }).click();
  await settled(page);
  assert.equal(await page.locator("[data-verdict]").innerText(), verdict);
  assert.equal(await page.getByText("The text cannot be read").count(), 0);
  await page.getByRole("tab", { name: "Plan" }).click();
  await said(page, "cpu").getByText("3 nodes of pool cpu roll").waitFor();
});

test("the edit of a Shoot that was applied is reported, too", async (t) => {
  const page = await planOf(t, SMALL.replace("name: two-zones", "name: nodes"), undefined, { url: await ownServer() });
  await page.getByRole("button", { name: "Apply garden-dev/nodes" }).click();
  await panel(page).locator("[data-run=done]").waitFor();
  await paste(page, (await textOf(page)).replace("ecs.g7.large", "ecs.g7.xlarge"));
  await settled(page);
  await panel(page).getByText("What the edit does to the nodes, from what was applied to the simulator.").waitFor();
  await said(page, "cpu").getByText("3 nodes of pool cpu roll").waitFor();
});

for (const [name, look] of Object.entries({
  light: {},
  dark: { colorScheme: "dark" },
  narrow: { width: 390, height: 844 },
  "narrow and dark": { width: 390, height: 844, colorScheme: "dark" },
  wide: { width: 2560, height: 1300 },
})) {
  test(`axe finds nothing, and nothing scrolls sideways: ${name}`, async (t) => {
    const page = await planOf(t, MANY[1], MANY[0], look);
    await panel(page).locator("[data-rollout]").waitFor();
    assert.deepEqual(await violations(page), []);
    if (process.env.LOOK) await page.screenshot({ path: `${process.env.LOOK}/nodes-${name.replaceAll(" ", "-")}.png` });
    const wide = await page.evaluate(() =>
      [document.documentElement, document.querySelector(".results [role=tabpanel]"), ...document.querySelectorAll(".trellis-rollout *")]
        .filter((element) => element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).display !== "inline")
        .map(({ outerHTML }) => outerHTML.slice(0, 100)),
    );
    assert.deepEqual(wide, []);
  });
}
