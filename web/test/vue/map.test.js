import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as answers from "./addresses.js";
import { assertAccessible, emitted, open } from "./browser.js";

const { ends, number, space: _space, ...fixtures } = answers;

let browser;
before(async () => {
  browser = await open();
});
after(() => browser?.close());

const show = (answer, { selected, provider, families, ...options } = {}) => browser.show("AddressMap", { answer, selected, provider, families }, options);
const bar = (page, cidr) => page.locator(`[data-key][aria-label*=", ${cidr},"]`);

/** The strips of a page with their bars, in pixels. */
function layout(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll("[data-block]")].map((strip) => {
      const field = strip.querySelector(":scope > .trellis-strip-field");
      const { left, width } = field.getBoundingClientRect();
      const bars = [...field.querySelectorAll(":scope > [data-key]")].map((bar) => {
        const box = bar.getBoundingClientRect();
        return { key: bar.dataset.key, left: box.left - left, width: box.width, top: box.top, bottom: box.bottom };
      });
      return { block: strip.dataset.block, width, bars };
    }),
  );
}

for (const [name, answer] of Object.entries(fixtures)) {
  test(`every range and gap of ${name} is drawn once, to the scale of its strip`, async () => {
    const page = await show(answer);
    for (const width of [320, 1000, 2000]) {
      await page.setViewportSize({ width, height: 900 });
      const strips = await layout(page);
      const keys = strips.flatMap(({ bars }) => bars.map(({ key }) => key)).sort();
      const wanted = answer.spaces.flatMap(({ ranges, free }, at) => [
        ...free.map((_, number) => `${at}-gap-${number}`),
        ...ranges.map((_, number) => `${at}-range-${number}`),
      ]);
      assert.deepEqual(keys, wanted.sort());
      for (const { block, bars, width } of strips) {
        const bounds = ends(block.replace("…", ""));
        for (const { key, ...box } of bars) {
          const [at, kind, index] = key.split("-");
          const space = answer.spaces[at];
          const { first, size } = (kind === "gap" ? space.free : space.ranges)[index];
          const scale = (addresses) => (Number(addresses) / Number(bounds.size)) * width;
          const wide = scale(BigInt(size));
          const left = scale(number(first) - bounds.first);
          assert.ok(Math.abs(box.width - Math.max(wide, 4)) <= 1, `${key}: ${box.width} of ${wide}`);
          assert.ok(Math.abs(box.left - left) <= (wide < 5 ? 5 : 1), `${key}: ${box.left} of ${left}`);
          assert.ok(box.left >= -1 && box.left + box.width <= width + 1, `${key} is beyond its strip`);
        }
      }
    }
  });
}

test("ranges that do not touch are strips, by address, each with its bounds", async () => {
  const page = await show(fixtures.ordinary);
  assert.deepEqual((await layout(page)).map(({ block }) => block), [
    "10.96.0.0/11",
    "10.250.0.0/16",
    "100.64.0.0/10",
    "192.168.0.0/17",
  ]);
  const axes = await page.locator(".trellis-axis").allInnerTexts();
  assert.match(axes[1], /^10\.250\.0\.0\s[^]*10\.250\.255\.255$/);
});

test("zones are inside the nodes, and the nodes inside the VPC", async () => {
  const page = await show(fixtures.ordinary);
  const [vpc, nodes, zone] = await Promise.all(
    ["VPC", "Nodes", "Zone eu-central-1a"].map((name) => page.locator(`[data-key][aria-label^="${name},"]`).boundingBox()),
  );
  assert.ok(vpc.y < nodes.y && nodes.y < zone.y);
  assert.ok(zone.y + zone.height < nodes.y + nodes.height && nodes.y + nodes.height < vpc.y + vpc.height);
});

test("the subnet of the workers is inside the nodes, with words of its own", async () => {
  const page = await show(fixtures.subnet);
  const [nodes, workers] = await Promise.all(["Nodes", "Worker subnet"].map((name) => page.locator(`[data-key][aria-label^="${name},"]`).boundingBox()));
  assert.ok(nodes.y < workers.y && workers.y + workers.height < nodes.y + nodes.height);
  assert.match(await bar(page, "10.250.96.0/19").getAttribute("aria-label"), /overlaps the worker subnet 10\.250\.0\.0\/17/);
  assert.deepEqual(await page.locator(".trellis-legend li").allInnerTexts(), ["Nodes", "Worker subnet", "Pods", "Services", "Conflict", "Each strip has a scale of its own."]);
  assert.match(await page.locator("body").innerText(), /Worker subnet: 10\.250\.0\/17 is no range of addresses/);
});

test("the network is called what the cloud of the provider calls it, and ranges of IPv6 that it assigns are reported", async () => {
  const legend = async (props) => (await (await show(fixtures.ordinary, props)).locator(".trellis-legend li").allInnerTexts())[0];
  assert.equal(await legend({}), "VPC");
  assert.equal(await legend({ provider: "azure" }), "VNet");
  assert.equal(await legend({ provider: "gcp" }), "VPC network");
  assert.equal(await legend({ provider: "openstack" }), "Network");
  const page = await show(fixtures.ordinary, { provider: "aws", families: ["IPv4", "IPv6"] });
  assert.match(await page.locator("[data-assigned]").innerText(), /^IPv6\s+AWS assigns these ranges/);
  await page.evaluate((props) => window.page.update(props), { families: ["IPv4"] });
  assert.equal(await page.locator("[data-assigned]").count(), 0);
});

test("a name without room in the picture is a letter there, and whole in the list above", async () => {
  const page = await show(fixtures.subnet, { width: 320 });
  const list = page.locator(".trellis-outside li").first();
  await list.waitFor();
  assert.match((await list.innerText()).replaceAll(/\s+/g, " "), /^A .+\/\d+$/);
  await page.setViewportSize({ width: 1600, height: 900 });
  await list.waitFor({ state: "detached" });
});

test("an overlap is marked where it is, with its rule, across both ranges", async () => {
  const page = await show(fixtures.fiveMistakes);
  const [pods, vpc] = await Promise.all(["10.250.192.0/18", "10.250.0.0/16"].map((cidr) => bar(page, cidr).boundingBox()));
  const clash = await page.locator(".trellis-clash").boundingBox();
  assert.ok(Math.abs(clash.x - pods.x) <= 1 && Math.abs(clash.width - pods.width) <= 1);
  assert.ok(Math.abs(clash.y - vpc.y) <= 1 && Math.abs(clash.y + clash.height - pods.y - pods.height) <= 1);
  assert.equal(await page.locator(".trellis-clash-rule").innerText(), "ALI-INF-016");
  const texts = await page.locator(".trellis-conflicts li").allInnerTexts();
  assert.match(texts[1], /ALI-INF-016\s+The VPC 10\.250\.0\.0\/16 and pods 10\.250\.192\.0\/18 overlap: they share 10\.250\.192\.0 – 10\.250\.255\.255, 16,384 addresses/);
});

test("a range outside of what it belongs into has an outline and an arrow to it", async () => {
  const page = await show(fixtures.fiveMistakes);
  const stray = page.locator(".trellis-bar-outside");
  assert.match(await stray.getAttribute("aria-label"), /10\.250\.128\.0\/19.*belongs into nodes 10\.250\.0\.0\/17 \(ALI-INF-014\)/);
  const [arrow, zone, nodes] = await Promise.all(
    [page.locator(".trellis-arrow-left"), stray, bar(page, "10.250.0.0/17")].map((found) => found.boundingBox()),
  );
  assert.ok(arrow.x < nodes.x + nodes.width && arrow.x > nodes.x, "it ends in the nodes");
  assert.ok(Math.abs(arrow.x + arrow.width - zone.x - zone.width / 2) <= 1, "it begins at the zone");
});

test("a range that belongs into another strip points to it", async () => {
  const page = await show(fixtures.tangled);
  assert.equal(await page.locator(".trellis-label-name", { hasText: "↓" }).count(), 1);
  assert.match(await bar(page, "10.180.0.0/19").getAttribute("class"), /trellis-bar-outside/);
});

test("Tab leads to one range, arrow keys from range to range by address, Enter selects", async () => {
  const page = await show(fixtures.fiveMistakes);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label")?.split(",")[0]);
  await page.keyboard.press("Tab");
  const visited = [await focused()];
  for (let at = 0; at < 8; at += 1) {
    await page.keyboard.press(at % 2 === 0 ? "ArrowRight" : "ArrowDown");
    visited.push(await focused());
  }
  assert.deepEqual(visited, [
    "VPC",
    "Nodes",
    "Zone eu-central-1a",
    "Free",
    "Zone eu-central-1b",
    "Pods",
    "Reserved by the cloud",
    "Services",
    "Services",
  ]);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Home");
  assert.equal(await focused(), "VPC");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Space");
  await page.keyboard.press("End");
  assert.equal(await focused(), "Services");
  assert.deepEqual(await emitted(page), [
    ["select", "/spec/networking/services"],
    ["select", "/spec/provider/infrastructureConfig/networks/vpc/cidr"],
  ]);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "SUMMARY");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(), "Services");
});

test("a click selects", async () => {
  const page = await show(fixtures.ordinary);
  await bar(page, "10.250.32.0/19").click();
  assert.deepEqual(await emitted(page), [["select", "/spec/provider/infrastructureConfig/networks/zones/1/workers"]]);
});

test("hover and focus show exact bounds and sizes, Escape hides them", async () => {
  const page = await show(fixtures.fiveMistakes);
  const tip = page.locator(".trellis-tip");
  await bar(page, "10.250.192.0/18").hover();
  assert.match(
    await tip.innerText(),
    /Pods\s+10\.250\.192\.0\/18\s+10\.250\.192\.0 – 10\.250\.255\.255\s+16,384 addresses\s+overlaps the VPC 10\.250\.0\.0\/16 \(ALI-INF-016\)/,
  );
  await tip.hover();
  assert.equal(await tip.count(), 1, "one can point at the details");
  await page.mouse.move(0, 0);
  await tip.waitFor({ state: "detached" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  assert.match(await tip.innerText(), /Nodes\s+10\.250\.0\.0\/17/);
  await page.keyboard.press("Escape");
  await tip.waitFor({ state: "detached" });
  await page.locator('[data-key="0-gap-0"]').hover();
  assert.match(await tip.innerText(), /Free\s+10\.250\.32\.0 – 10\.250\.127\.255\s+24,576 addresses\s+largest block 10\.250\.64\.0\/18/);
});

test("the selected range is marked", async () => {
  const page = await show(fixtures.ordinary, { selected: "/spec/networking/pods" });
  assert.equal(await page.locator("[aria-current]").count(), 1);
  assert.match(await page.locator("[aria-current]").getAttribute("aria-label"), /^Pods,/);
});

test("a table has all ranges, gaps and conflicts", async () => {
  const page = await show(fixtures.fiveMistakes);
  await page.locator("summary").click();
  const rows = await page.locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.cells].map((cell) => cell.innerText)));
  assert.deepEqual(rows, [
    ["VPC", "10.250.0.0/16", "10.250.0.0", "10.250.255.255", "65,536 addresses", "overlaps pods 10.250.192.0/18 (ALI-INF-016)"],
    [
      "Nodes",
      "10.250.0.0/17",
      "10.250.0.0",
      "10.250.127.255",
      "32,768 addresses",
      "Zone eu-central-1b 10.250.128.0/19 is not inside nodes 10.250.0.0/17 (ALI-INF-014)",
    ],
    ["Zone eu-central-1a", "10.250.0.0/19", "10.250.0.0", "10.250.31.255", "8,192 addresses", ""],
    ["Free", "", "10.250.32.0", "10.250.127.255", "24,576 addresses", "largest block 10.250.64.0/18"],
    [
      "Zone eu-central-1b",
      "10.250.128.0/19",
      "10.250.128.0",
      "10.250.159.255",
      "8,192 addresses",
      "belongs into nodes 10.250.0.0/17 (ALI-INF-014)",
    ],
    [
      "Pods",
      "10.250.192.0/18",
      "10.250.192.0",
      "10.250.255.255",
      "16,384 addresses",
      "overlaps the VPC 10.250.0.0/16 (ALI-INF-016)",
    ],
    ["Reserved by the cloud", "100.64.0.0/10", "100.64.0.0", "100.127.255.255", "4,194,304 addresses", ""],
    ["Services", "192.168.0.0/17", "192.168.0.0", "192.168.127.255", "32,768 addresses", ""],
  ]);
});

test("addresses that are counted from a prefix say so", async () => {
  const page = await show(fixtures.dualStack);
  assert.match(await page.locator(".trellis-relative").innerText(), /prefix that Alibaba Cloud chooses/);
  await bar(page, "…0:0:0:1::/64").hover();
  assert.match(await page.locator(".trellis-tip").innerText(), /…0:0:0:1:: – …::1:ffff:ffff:ffff:ffff\s+2\^64 addresses/);
});

test("the largest of all spaces is shown, with a closer look at what is in it", async () => {
  const page = await show(fixtures.giant);
  assert.deepEqual((await layout(page)).map(({ block }) => block), ["::/0", "2001:db8::/32", "2001:db8::/64"]);
  assert.match(await page.locator("[data-key]").first().getAttribute("aria-label"), /2\^128 addresses$/);
});

test("texts that are no ranges are named", async () => {
  const page = await show(fixtures.tangled);
  assert.equal(await page.locator(".trellis-unreadable").innerText(), "Zone eu-central-1d: 10.250.0/19 is no range of addresses");
});

test("one can go to a text that is no range", async () => {
  const page = await show(fixtures.tangled);
  await page.locator(".trellis-unreadable button").click();
  assert.deepEqual(await emitted(page), [["select", fixtures.tangled.unreadable[0].pointer]]);
});

test("of conflicts without number the first are reported, and how many more there are", async () => {
  const page = await show(fixtures.heap);
  assert.match(await page.locator("[role=group]").getAttribute("aria-label"), /60 ranges, 1,770 conflicts$/);
  assert.equal(await page.locator(".trellis-conflicts li").count(), 51);
  assert.equal(await page.locator(".trellis-conflicts li").last().innerText(), "and 1,720 more conflicts");
  assert.match(await page.locator("[data-key]").first().getAttribute("aria-label"), /, and 54 more conflicts$/);
  const nodes = await page.evaluate(() => document.getElementsByTagName("*").length);
  assert.ok(nodes < 4_000, `${nodes} elements`);
});

test("an object without addresses is said to have none", async () => {
  const page = await show(fixtures.empty);
  assert.equal(await page.locator(".trellis-map").innerText(), "This object names no ranges of addresses.");
});

test("an application has words of its own", async () => {
  const page = await show(fixtures.empty, { strings: { map: { empty: "Hier ist nichts." } } });
  assert.equal(await page.locator(".trellis-map").innerText(), "Hier ist nichts.");
});

test("colours are those of Vuetify's theme where there is one, and those an application sets", async () => {
  const page = await show(fixtures.ordinary);
  const background = () => page.locator(".trellis-map").evaluate((map) => getComputedStyle(map).backgroundColor);
  assert.equal(await background(), "rgb(255, 255, 255)");
  await page.evaluate(() => document.body.style.setProperty("--v-theme-surface", "1, 2, 3"));
  assert.equal(await background(), "rgb(1, 2, 3)");
  await page.evaluate(() => document.body.style.setProperty("--trellis-surface", "rgb(4, 5, 6)"));
  assert.equal(await background(), "rgb(4, 5, 6)");
});

test("the range that has the focus keeps it when the answer changes", async () => {
  const page = await show(fixtures.ordinary);
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowRight");
  const before = await page.evaluate(() => document.activeElement.dataset.key);
  await page.evaluate((answer) => window.page.update({ answer }), fixtures.fiveMistakes);
  assert.equal(await page.evaluate(() => document.activeElement.dataset.key), before);
  await page.evaluate((answer) => window.page.update({ answer }), fixtures.empty);
  await page.evaluate((answer) => window.page.update({ answer }), fixtures.ordinary);
  assert.equal(await page.locator('[data-key][tabindex="0"]').count(), 1);
});

test("the same answer again changes nothing, another only what it is about", async () => {
  const page = await show(fixtures.ordinary);
  await page.evaluate(() => {
    window.changes = [];
    const observer = new MutationObserver((records) => window.changes.push(...records.map(({ type }) => type)));
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  const changes = async (answer) => {
    await page.evaluate((answer) => window.page.update({ answer }), answer);
    return page.evaluate(() => window.changes.splice(0).length);
  };
  const copy = JSON.parse(JSON.stringify(fixtures.ordinary));
  assert.equal(await changes(copy), 0);
  copy.spaces[0].ranges.find(({ name }) => name === "eu-central-1b").name = "eu-central-1c";
  const changed = await changes(copy);
  assert.ok(changed > 0 && changed < 10, `${changed} changes`);
});

for (const [name, answer] of Object.entries(fixtures)) {
  test(`${name}: axe finds nothing, light and dark, and nothing is wider than the page`, async () => {
    const page = await show(answer, { selected: "/spec/networking/pods" });
    for (const table of await page.locator("summary").all()) await table.click();
    if (answer.spaces.length > 0) await page.locator("[data-key]").last().hover();
    await assertAccessible(page);
  });
}

test("the page has no errors", () => assert.deepEqual(browser.complaints, []));
