import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { billedOf, statesOf } from "../../dist/vue/plans.js";
import { assertAccessible, emitted, open } from "./browser.js";
import { empty, fiftyZones, fromNothing, otherEip, planOf, progressOf, resource, unchanged } from "./plans.js";

let browser;
before(async () => {
  browser = await open();
});
after(() => browser?.close());

const plans = { fromNothing, unchanged, otherEip, fiftyZones, empty };
const graph = (plan, props = {}, options) => browser.show("PlanGraph", { plan, ...props }, options);
const changes = (plan, props = {}, options) => browser.show("PlanChanges", { plan, ...props }, options);
const node = (page, id) => page.locator(`[data-key="${id}"]`);

for (const [name, plan] of Object.entries(plans)) {
  test(`every resource of ${name} is in the graph and in the table, with what becomes of it`, async () => {
    const page = await graph(plan);
    const drawn = await page.locator("[data-key]").evaluateAll((nodes) => nodes.map(({ dataset }) => dataset.key));
    assert.deepEqual(drawn.sort(), plan.resources.map(({ id }) => id).sort());
    await page.locator("summary").click();
    const rows = await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
    assert.equal(rows.length, plan.resources.length);
    for (const [at, { kind, name, action, needs }] of plan.resources.entries()) {
      assert.equal(rows[at][0].toLowerCase(), kind.toLowerCase());
      assert.ok(rows[at][1].startsWith(name));
      assert.equal(rows[at][2], action ? `to ${action}` : "unchanged");
      assert.equal(rows[at][3].split("\n").filter((line) => line).length, needs.length);
    }
  });

  test(`${name}: axe finds nothing, light and dark, and nothing is wider than the page`, async () => {
    let page = await graph(plan, { selected: plan.resources[1]?.id, progress: progressOf(plan, "done", { "vpc/create": "running" }) });
    await page.locator("summary").click();
    await assertAccessible(page);
    page = await changes(plan, { selected: plan.changes[0]?.id, progress: progressOf(plan, "failed") });
    await page.locator("summary").evaluateAll((all) => all.slice(0, 20).forEach((summary) => (summary.parentElement.open = true)));
    await assertAccessible(page);
  });
}

test("people who hear the graph learn what it is, and of each resource what becomes of it", async () => {
  const page = await graph(otherEip);
  assert.equal(await page.locator(".trellis-graph-view").getAttribute("aria-label"), "What there will be: 12 resources, 3 changes");
  for (const name of [
    "Elastic IP eu-central-1b shoot--dev--two-zones-eip-natgw-z1, to delete, billed, disrupts",
    "Service-linked role AliyunServiceRoleForNatgw AliyunServiceRoleForNatgw, unchanged, not ours",
    "NAT gateway shoot--dev--two-zones-natgw, unchanged, billed, stands on VPC, VSwitch, service-linked role",
  ]) {
    assert.equal(await page.getByRole("button", { name, exact: true }).count(), 1, name);
  }
});

test("Tab leads to one resource, arrow keys along the lines and within a layer, Enter selects", async () => {
  const page = await graph(fromNothing);
  const focused = () => page.evaluate(() => document.activeElement.dataset.key);
  await page.locator(".trellis-graph-tools button").last().focus();
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "vpc");
  const visited = [];
  for (const key of ["ArrowRight", "ArrowLeft", "End", "ArrowUp", "ArrowLeft", "ArrowRight", "Home", "ArrowUp"]) {
    await page.keyboard.press(key);
    visited.push(await focused());
  }
  assert.equal(visited[1], "vpc");
  assert.equal(visited[2], "zones/eu-central-1b/snat");
  assert.equal(visited[3], "zones/eu-central-1a/snat");
  assert.equal(visited[4], "zones/eu-central-1a/association");
  assert.equal(visited[5], "zones/eu-central-1a/snat");
  assert.deepEqual(visited.slice(6), ["vpc", "vpc"]);
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  assert.deepEqual(await emitted(page), [["select", "zones/eu-central-1b/snat"]]);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "SUMMARY");
});

test("colours and signs notify what becomes of a resource, and what is not ours is dashed", async () => {
  const page = await graph(otherEip);
  const classes = (id) => node(page, id).getAttribute("class");
  assert.match(await classes("zones/eu-central-1b/eip"), /trellis-action-delete/);
  assert.match(await classes("zones/eu-central-1b/association"), /trellis-action-replace/);
  assert.match(await classes("vpc"), /trellis-action-none/);
  assert.equal(await node(page, "role").evaluate((element) => getComputedStyle(element).borderTopStyle), "dashed");
  assert.equal(await node(page, "zones/eu-central-1b/snat").locator(".trellis-graph-sign").innerText(), "~");
  const legend = await page.locator(".trellis-legend li").allInnerTexts();
  assert.deepEqual(legend.map((text) => text.replaceAll(/\s+/g, " ")), [
    "~ to update",
    "± to replace",
    "− to delete",
    "unchanged",
    "not ours",
    "! disrupts",
    "$ billed",
  ]);
});

test("steps turn green as they are done", async () => {
  const page = await graph(fromNothing, { progress: {} });
  const fill = (id) => node(page, id).evaluate((element) => getComputedStyle(element).backgroundColor);
  const state = async (id) => /trellis-state-(\w+)/.exec(await node(page, id).getAttribute("class"))?.[1];
  await page.emulateMedia({ reducedMotion: "reduce" });
  const waiting = await fill("vpc");
  assert.equal(await state("vpc"), "waiting");
  await page.evaluate((progress) => window.page.update({ progress }), { "vpc/create": "running" });
  assert.equal(await state("vpc"), "running");
  await page.evaluate((progress) => window.page.update({ progress }), { "vpc/create": "done", "securitygroup/create": "failed" });
  assert.equal(await state("vpc"), "done");
  assert.equal(await state("securitygroup"), "failed");
  assert.equal(await state("role"), undefined, "what does not change has no state");
  const [red, green, blue] = (await fill("vpc")).match(/[\d.]+/g).map(Number);
  assert.ok(green > red && green > blue, await fill("vpc"));
  assert.notEqual(await fill("vpc"), waiting);
  assert.match(await node(page, "vpc").textContent(), /to create, done/);
});

test("a change without steps is as far as what it stands on, or is done", () => {
  const plan = planOf([
    resource("ngw", "NAT gateway", "ngw", [], { action: "delete" }),
    resource("snat", "SNAT entry", "snat", ["ngw"], { action: "delete" }),
    resource("vpc", "VPC", "vpc", [], { action: "adopt" }),
  ]);
  plan.changes[1].steps = [];
  assert.deepEqual(Object.fromEntries(statesOf(plan, {})), { ngw: "waiting", snat: "waiting", vpc: "done" });
  assert.deepEqual(Object.fromEntries(statesOf(plan, { "ngw/delete": "done" })), { ngw: "done", snat: "done", vpc: "done" });
});

test("a change of several steps is done with the last, and failed with any", () => {
  const plan = planOf([resource("vpc", "VPC", "vpc", [])]);
  plan.changes[0].steps = ["a", "b"];
  const state = (progress) => statesOf(plan, progress).get("vpc");
  assert.deepEqual([{}, { a: "done" }, { a: "done", b: "done" }, { a: "done", b: "failed" }].map(state), [
    "waiting",
    "running",
    "done",
    "failed",
  ]);
});

test("what is billed is counted by kind, now and then, without what is not ours", () => {
  const of = (plan) => billedOf(plan).map(({ kind, before, after }) => `${kind} ${before} ${after}`);
  assert.deepEqual(of(fromNothing), ["elastic IP 0 2", "NAT gateway 0 1"]);
  assert.deepEqual(of(otherEip), ["elastic IP 2 1", "NAT gateway 1 1"]);
  assert.deepEqual(of(planOf([resource("eip", "EIP", "mine", [], { foreign: true, billed: true, action: undefined })])), []);
  assert.deepEqual(of(planOf([resource("eip", "EIP", "other", [], { billed: true, action: "replace" })])), ["EIP 1 1"]);
});

test("a large graph is seen where it begins, is scrolled within its own box, and is zoomed", async () => {
  const page = await graph(fiftyZones, {}, { width: 600 });
  const view = page.locator(".trellis-graph-view");
  const inside = await node(page, "vpc").evaluate((vpc) => {
    const [box, view] = [vpc.getBoundingClientRect(), vpc.closest(".trellis-graph-view").getBoundingClientRect()];
    return box.top >= view.top && box.bottom <= view.bottom;
  });
  assert.ok(inside, "the first resource is not to be seen");
  assert.ok(await view.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight));
  const width = () => node(page, "vpc").evaluate((vpc) => vpc.getBoundingClientRect().width);
  const usual = await width();
  await page.getByRole("button", { name: "Larger" }).click();
  assert.ok((await width()) > usual);
  await page.getByRole("button", { name: "Fit" }).click();
  assert.ok((await width()) < usual);
  assert.ok((await view.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)) <= 1);
});

test("the mouse drags the drawing", async () => {
  const page = await graph(fiftyZones);
  const view = page.locator(".trellis-graph-view");
  await view.evaluate((element) => element.scrollTo(0, 0));
  const { x, y } = await view.boundingBox();
  await page.mouse.move(x + 4, y + 300);
  await page.mouse.down();
  await page.mouse.move(x + 4, y + 100, { steps: 4 });
  await page.mouse.up();
  assert.equal(await view.evaluate(({ scrollTop }) => scrollTop), 200);
  await page.mouse.move(x + 4, y + 50);
  assert.equal(await view.evaluate(({ scrollTop }) => scrollTop), 200);
  assert.deepEqual(await emitted(page), []);
});

test("the same plan again changes nothing", async () => {
  const page = await graph(fromNothing);
  await page.evaluate(() => {
    window.changes = 0;
    const observer = new MutationObserver((records) => (window.changes += records.length));
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  await page.evaluate((plan) => window.page.update({ plan }), structuredClone(fromNothing));
  assert.equal(await page.evaluate(() => window.changes), 0);
});

test("disruptions come first, then every change with what is now and then, then what is left", async () => {
  const page = await changes(otherEip);
  const headings = await page.locator("h3").allInnerTexts();
  assert.deepEqual(headings.map((text) => text.replace(/\s+/g, " ")), ["Disruptions 2", "What changes 3", "Left as it is 1"]);
  assert.equal(await page.locator(".trellis-changes-summary").innerText(), "1 to update, 1 to replace, 1 to delete");
  assert.match(await page.locator(".trellis-disruptions li").first().innerText(), /47\.1\.2\.3 is given back/);
  const row = page.locator('[data-change="zones/eu-central-1b/association"]');
  const cells = await row.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
  assert.deepEqual(cells, [["allocationId forces replacement", "eip-b", "eip-mine"]]);
  const snat = page.locator('[data-change="zones/eu-central-1b/snat"] tbody td');
  assert.deepEqual(await snat.allInnerTexts(), ["47.1.2.3", "known when it is there"]);
  assert.match(await page.locator(".trellis-differences li").innerText(), /description is <img src=x onerror=alert\(1\)>, and should be managed by Gardener/);
});

test("billed resources are reported by count, now and then", async () => {
  const page = await changes(otherEip);
  const text = (await page.locator(".trellis-changes-bill").innerText()).replaceAll(/\s+/g, " ");
  assert.match(text, /Billed by the hour Elastic IP: 2 → 1 NAT gateway: 1/);
});

test("a plan without changes says so", async () => {
  const page = await changes(unchanged);
  assert.equal(await page.locator(".trellis-changes-summary").innerText(), "Nothing changes.");
  assert.equal(await page.locator("h3").count(), 0);
});

test("a change is chosen, and one that is selected elsewhere is brought into sight", async () => {
  const page = await changes(fiftyZones, {}, { width: 600 });
  assert.equal(await page.locator("[data-change]").count(), 100);
  const last = fiftyZones.changes.at(-1).id;
  await page.evaluate((selected) => window.page.update({ selected }), last);
  const marked = page.locator("[data-change][aria-current]");
  await marked.waitFor();
  assert.equal(await marked.getAttribute("data-change"), last);
  assert.ok(await marked.evaluate((element) => element.getBoundingClientRect().top < innerHeight));
  await marked.getByRole("button").click();
  assert.deepEqual(await emitted(page), [["select", last]]);
});

test("calls are shown with how far they are", async () => {
  const page = await changes(fromNothing, { progress: { "vpc/create": "done", "natgateway/create": "failed" } });
  const row = (id) => page.locator(`[data-change="${id}"]`);
  assert.equal(await row("vpc").getAttribute("data-state"), "done");
  assert.equal(await row("natgateway").getAttribute("data-state"), "failed");
  assert.equal(await row("zones/eu-central-1a/snat").getAttribute("data-state"), "waiting");
  await row("vpc").locator("summary").click();
  assert.match(await row("vpc").locator(".trellis-calls").innerText(), /vpc:DoVPC\s+✓ done/);
});

test("an application has words of its own", async () => {
  const page = await changes(unchanged, {}, { strings: { plan: { none: "Alles bleibt." } } });
  assert.equal(await page.locator(".trellis-changes-summary").innerText(), "Alles bleibt.");
});

test("the page has no errors", () => assert.deepEqual(browser.complaints, []));
