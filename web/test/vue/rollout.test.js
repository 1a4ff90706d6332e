import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, emitted, open } from "./browser.js";

let browser;
before(async () => {
  browser = await open();
});
after(() => browser?.close());

const show = (props, options) => browser.show("RolloutView", props, options);

const nodes = (minimum, maximum = minimum) => ({ minimum, maximum });
const pool = (name, change, before, after, more = {}) => ({ name, change, ...(before && { before }), ...(after && { after }), summary: `pool \`${name}\` is reported`, ...more });
const rolled = pool("cpu", "rolled", nodes(3), nodes(3), {
  atOnce: nodes(1),
  causes: [{ field: "machine.type", pointer: "/spec/provider/workers/0/machine/type" }, { field: "labels", pointer: "/spec/provider/workers/0/labels" }],
  summary: "3 nodes of pool `cpu` roll, 1 at a time, because `machine.type` changes",
});
const pools = [
  pool("same", "unchanged", nodes(1, 2), nodes(1, 2)),
  pool("labels", "updatedInPlace", nodes(0, 40), nodes(0, 50)),
  pool("zones", "resized", nodes(2, 4), nodes(2, 4), { removedZones: ["a"], addedZones: ["b"], zones: [{ name: "b", after: nodes(2, 4) }, { name: "a", before: nodes(2, 4) }] }),
  rolled,
  pool("new", "added", undefined, nodes(1, 3)),
  pool("gone", "removed", nodes(2), undefined),
];
const undecided = [{ rule: "A-1", why: "only the cluster knows whether pool `labels` has the old hash" }];

const words = (page, name) => page.locator(`[data-pool="${name}"] .trellis-pool-words`).allInnerTexts();
const order = (page) => page.locator("[data-pool]").evaluateAll((all) => all.map(({ dataset }) => dataset.pool));

test("pools that disrupt come first and say so, and those that stay are quiet", async () => {
  const page = await show({ pools });
  assert.deepEqual(await order(page), ["zones", "cpu", "gone", "labels", "new", "same"]);
  assert.match(await page.locator("[data-disrupts]").innerText(), /^This disrupts/);
  assert.match(await page.locator("[data-rollout]").innerText(), /^The nodes of 1 pool roll, 1 pool goes, /);
  assert.equal(await page.locator('[data-pool="same"] .trellis-node').count(), 0);
});

test("nodes are drawn by zone, and as many words say the same", async () => {
  const page = await show({ pools });
  assert.deepEqual(await words(page, "cpu"), ["3 replaced"]);
  assert.deepEqual(await words(page, "zones"), ["2 to 4 new", "2 to 4 gone"]);
  assert.deepEqual(await words(page, "labels"), ["up to 40 updated in place, up to 10 new"]);
  assert.deepEqual(await words(page, "new"), ["1 to 3 new"]);
  assert.deepEqual(await words(page, "gone"), ["2 gone"]);
  assert.equal(await page.locator('[data-pool="new"] .trellis-node-possible').count(), 2);
  assert.match(await page.locator('[data-pool="labels"] .trellis-nodes').innerText(), /…$/);
});

test("a cause is a button that shows its place", async () => {
  const page = await show({ pools: [rolled] });
  assert.deepEqual(await page.getByRole("button").allInnerTexts(), ["machine.type", "labels"]);
  await page.getByRole("button", { name: "Go to machine.type" }).focus();
  await page.keyboard.press("Enter");
  assert.deepEqual(await emitted(page), [["select", "/spec/provider/workers/0/machine/type"]]);
});

test("without a change there is one sentence, and without pools another", async () => {
  const page = await show({ pools: [pools[0]] });
  assert.equal(await page.locator("[data-rollout]").innerText(), "No node changes.");
  assert.equal(await page.locator("[data-disrupts]").count(), 0);
  await show({ pools: [] });
  assert.equal(await page.locator("[data-rollout]").innerText(), "The Shoot has no worker pools.");
});

const badge = (page, name) => page.locator(`[data-pool="${name}"] .trellis-badge`).innerText();
const heading = (page) => page.locator("[data-rollout]").innerText();

test("a Shoot that sleeps has no nodes that roll, are disrupted or are drawn", async () => {
  const page = await show({ pools: [{ ...rolled, before: nodes(0), after: nodes(0) }], hibernation: "sleeps" });
  assert.equal(await page.locator("[data-disrupts], .trellis-node").count(), 0);
  assert.equal(await heading(page), "The Shoot sleeps: it has no nodes, before the edit and after it. What changes of 1 pool holds for the nodes that the Shoot gets when it wakes up.");
  assert.equal(await badge(page, "cpu"), "when it wakes up");
});

test("a Shoot that falls asleep loses its nodes, and one that wakes up gets new ones", async () => {
  const page = await show({ pools: [pool("cpu", "resized", nodes(3, 5), nodes(0))], hibernation: "fallsAsleep" });
  assert.equal(await heading(page), "The Shoot falls asleep: all its nodes go.");
  assert.equal(await badge(page, "cpu"), "falls asleep");
  assert.deepEqual(await words(page, "cpu"), ["3 to 5 gone"]);
  assert.equal(await page.locator("[data-disrupts]").innerText(), "This disrupts: no pod runs on nodes as long as the Shoot sleeps.");
  await show({ pools: [{ ...rolled, before: nodes(0), after: nodes(3, 5) }], hibernation: "wakesUp" });
  assert.match(await heading(page), /^The Shoot wakes up: it gets new nodes\. What changes of 1 pool holds/);
  assert.equal(await badge(page, "cpu"), "wakes up");
  assert.deepEqual(await words(page, "cpu"), ["3 to 5 new"]);
  assert.equal(await page.locator("[data-disrupts]").count(), 0);
});

test("a pool of another size is counted, and says where nodes certainly go", async () => {
  const page = await show({ pools: [pool("cpu", "resized", nodes(3, 5), nodes(1, 2), { zones: [{ name: "a", before: nodes(2, 3), after: nodes(1) }, { name: "b", before: nodes(1, 2), after: nodes(0, 1) }] })] });
  assert.equal(await heading(page), "1 pool has other numbers of nodes or other zones.");
  assert.equal(await badge(page, "cpu"), "other size");
  assert.match(await page.locator(".trellis-pool-sentence").innerText(), /; 1 to 2 nodes in zone a go\.$/);
  assert.equal(await page.locator("[data-disrupts]").count(), 1);
  assert.equal(await page.locator(".trellis-pool.trellis-action-delete").count(), 1);
});

test("a zone that comes takes nodes from another one, which disrupts", async () => {
  const page = await show({ pools: [pool("cpu", "resized", nodes(4), nodes(4), { addedZones: ["b"], zones: [{ name: "a", before: nodes(4), after: nodes(2) }, { name: "b", after: nodes(2) }] })] });
  assert.deepEqual(await words(page, "cpu"), ["2 kept, 2 gone", "2 new"]);
  assert.match(await page.locator(".trellis-pool-sentence").innerText(), /; 2 nodes in zone a go\.$/);
  assert.match(await page.locator("[data-disrupts]").innerText(), /^This disrupts/);
  assert.equal(await badge(page, "cpu"), "other zones");
});

test("a pool that grows, or that may only shrink, disrupts nothing", async () => {
  for (const after of [nodes(4, 8), nodes(1, 4)]) {
    const page = await show({ pools: [pool("cpu", "resized", nodes(3, 5), after)] });
    assert.equal(await page.locator("[data-disrupts]").count(), 0);
    assert.equal(await page.locator(".trellis-pool-sentence").innerText(), "Pool cpu is reported.");
  }
});

const question = (field) => [{ rule: "A-1", why: `only the cluster knows whether pool \`cpu\` has the old hash, which covers other values than the new one: ${field}` }];

test("where an open question decides whether a pool rolls, it may roll, and each answer is explained", async () => {
  const page = await show({ pools: [pool("cpu", "unchanged", nodes(3), nodes(3))], undecided: question("`providerConfig`") });
  assert.equal(await heading(page), "The nodes of 1 pool may roll.");
  assert.equal(await badge(page, "cpu"), "may roll");
  assert.match(await page.locator("[data-disrupts]").innerText(), /^This may disrupt/);
  assert.deepEqual(await words(page, "cpu"), ["up to 3 replaced"]);
  assert.equal(await page.locator(".trellis-pool-sentence").innerText(), "If pool cpu has the old hash, its nodes roll. If pool cpu has the new hash, pool cpu is reported.");
  const causes = [{ field: "kubelet", pointer: "/a" }];
  await show({ pools: [{ ...rolled, causes }], undecided: question("`kubelet`") });
  assert.equal(await heading(page), "The nodes of 1 pool may roll.");
  assert.match(await page.locator(".trellis-pool-sentence").innerText(), /^If pool cpu has the new hash, 3 nodes of pool cpu roll, .* If pool cpu has the old hash, none of its nodes is replaced\.$/);
  await show({ pools: [{ ...rolled, causes }], undecided: question("`kubelet`, `providerConfig`") });
  assert.equal(await heading(page), "The nodes of 1 pool roll.");
});

test("a pool that may have no node disrupts nothing", async () => {
  const page = await show({ pools: [pool("cpu", "rolled", nodes(0), nodes(0))] });
  assert.equal(await page.locator("[data-disrupts], .trellis-node").count(), 0);
  assert.deepEqual(await words(page, "cpu"), ["no nodes"]);
});

test("where nobody knows which zones have which nodes, none are drawn", async () => {
  const page = await show({ pools: [{ ...rolled, addedZones: ["b"] }] });
  assert.equal(await page.locator(".trellis-node").count(), 0);
});

test("what only the cluster knows is listed", async () => {
  const page = await show({ pools: [rolled], undecided });
  assert.equal(await page.locator("[data-undecided] li").innerText(), "Only the cluster knows whether pool labels has the old hash.");
});

test("names of pools are text, whatever they hold", async () => {
  const name = "<img src=x onerror=alert(1)>";
  const page = await show({ pools: [pool(name, "rolled", nodes(1), nodes(1), { zones: [{ name, before: nodes(1), after: nodes(1) }] })] });
  assert.equal(await page.locator("img").count(), 0);
});

test("everybody can use it, in light and dark, narrow and wide", async () => {
  await assertAccessible(await show({ pools, undecided }));
});
