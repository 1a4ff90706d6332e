// The picture of the address space, and zones that are added by it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { follow, replace, rulesIn, settled, textOf, withBrowser } from "./page.js";

const { open } = withBrowser();

async function addressesOf(t, name, options) {
  const page = await open(t, { hash: `#example=${name}`, ...options });
  await page.getByRole("tab", { name: "Addresses" }).click();
  await settled(page);
  return page;
}

test("an overlap is shown in the picture, with its rule", async (t) => {
  const page = await addressesOf(t, "five-mistakes");
  const panel = page.getByRole("tabpanel", { name: "Addresses" });
  const conflicts = await panel.locator(".trellis-conflicts li").allTextContents();
  assert.ok(conflicts.some((text) => /ALI-INF-016/.test(text) && /10\.250\.192\.0/.test(text)), conflicts.join("\n"));
  assert.ok((await panel.locator(".trellis-clash").count()) > 0);
});

test("a range that is chosen leads to its line", async (t) => {
  const page = await addressesOf(t, "two-zones");
  const zone = page.getByRole("tabpanel", { name: "Addresses" }).getByRole("button", { name: /eu-central-1b/ }).first();
  await zone.focus();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /workers: /.test(document.querySelector("#text-manifest .cm-activeLine")?.textContent ?? ""));
});

test("IPv6 is shown next to IPv4", async (t) => {
  const page = await addressesOf(t, "dual-stack");
  const panel = page.getByRole("tabpanel", { name: "Addresses" });
  assert.deepEqual(await panel.locator(".trellis-family-name").allTextContents(), ["IPv4", "IPv6 within the VPC"]);
});

test("a zone is planned into free space, written, accepted, and taken back by undo", async (t) => {
  const page = await addressesOf(t, "two-zones");
  await page.getByLabel("Zone", { exact: true }).fill("eu-central-1c");
  await page.getByRole("button", { name: /^Add/ }).click();
  await page.getByText(/eu-central-1c got 10\./).waitFor();
  await settled(page);
  assert.match(await textOf(page), /- name: eu-central-1c\n\s+workers: 10\.250\./);
  await page.getByRole("tab", { name: "Findings" }).click();
  assert.deepEqual(await rulesIn(page, "error"), []);
  await page.getByRole("button", { name: "Undo" }).click();
  await settled(page);
  assert.doesNotMatch(await textOf(page), /eu-central-1c/);
});

test("a zone of AWS gets its three ranges", async (t) => {
  const page = await addressesOf(t, "aws-existing-vpc");
  await page.getByLabel("Zone", { exact: true }).fill("eu-central-1c");
  await page.getByRole("button", { name: /^Add/ }).click();
  await page.getByText(/eu-central-1c got /).waitFor();
  await settled(page);
  const zone = (await textOf(page)).split("- name: eu-central-1c\n")[1];
  for (const part of ["workers", "public", "internal"]) assert.match(zone, new RegExp(`^ +${part}: [0-9./]+$`, "m"));
  await page.getByRole("tab", { name: "Findings" }).click();
  assert.deepEqual(await rulesIn(page, "error"), []);
});

test("the networks of GCP and the subnets of Azure are drawn", async (t) => {
  for (const [name, parts] of [
    ["gcp-dual-stack", ["10.250.0.0/19", "10.251.0.0/22"]],
    ["azure-zoned", ["10.250.0.0/19", "10.250.32.0/19", "10.250.64.0/19"]],
    ["azure-without-zones", ["Worker subnet10.250.0.0/16"]],
  ]) {
    const page = await addressesOf(t, name);
    const panel = page.getByRole("tabpanel", { name: "Addresses" });
    await panel.getByText("As a table: IPv4").click();
    const rows = await panel.locator("table").first().textContent();
    for (const part of parts) assert.ok(rows.includes(part), `${name} lacks ${part}: ${rows}`);
  }
});

test("parts of a network are called what their cloud calls them", async (t) => {
  for (const [name, words, others] of [
    ["azure-zoned", ["VNet", "Zone 1"], ["VPC"]],
    ["aws-three-zones-dual-stack", ["VPC", "Public subnet, eu-central-1a"], ["VNet"]],
    ["openstack-new-network", ["Worker subnet"], ["VPC", "VNet"]],
    ["two-zones", ["VPC", "eu-central-1a"], ["VNet"]],
  ]) {
    const page = await addressesOf(t, name);
    const map = page.locator(".trellis-map");
    await map.locator("details").first().evaluate((table) => (table.open = true));
    const text = await map.innerText();
    for (const word of words) assert.ok(text.includes(word), `${name} lacks ${word}`);
    for (const word of others) assert.ok(!text.includes(word), `${name} has ${word}`);
  }
});

test("where the cloud assigns the ranges of IPv6, the map says which, and by what", async (t) => {
  for (const [name, words] of [
    ["aws-three-zones-dual-stack", /AWS assigns these ranges when Gardener creates the network: a \/56 to the VPC/],
    ["gcp-dual-stack", /Google Cloud assigns these ranges .* a \/64 to the subnet of the nodes/],
    ["openstack-dual-stack", /OpenStack assigns these ranges, for nodes, pods and services/],
  ]) {
    const page = await addressesOf(t, name);
    const assigned = page.locator("[data-assigned]");
    assert.equal(await assigned.locator("h3").innerText(), "IPv6");
    assert.match(await assigned.innerText(), words);
  }
  const page = await addressesOf(t, "two-zones");
  assert.equal(await page.locator("[data-assigned]").count(), 0);
});

const SHOOTS = ["two-zones", "dual-stack", "five-mistakes", "aws-existing-vpc", "aws-three-zones-dual-stack", "aws-seven-mistakes", "azure-zoned", "azure-without-zones", "azure-existing-vnet", "azure-seven-mistakes", "gcp-dual-stack", "gcp-existing-vpc", "gcp-seven-mistakes", "openstack-new-network", "openstack-existing-network", "openstack-five-mistakes", "equinix-metal"];
for (const width of [390, 768, 1440]) {
  test(`no name in the map is cut at ${width} pixels: it stands in the picture, or in the list above it`, async (t) => {
    const page = await open(t, { width });
    for (const name of SHOOTS) {
      await follow(page, `#example=${name}`);
      await page.getByRole("tab", { name: "Addresses" }).click();
      await settled(page);
      await page.locator(".trellis-map").waitFor();
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const found = await page.locator(".trellis-label").evaluateAll((labels) =>
        labels.flatMap((label) => {
          const { left, right } = label.getBoundingClientRect();
          const range = document.createRange();
          return [...label.children].filter((words) => {
            range.selectNodeContents(words);
            const drawn = range.getBoundingClientRect();
            return drawn.left < left || drawn.right > right + 0.5;
          }).map(({ textContent }) => textContent);
        }),
      );
      assert.deepEqual(found, [], name);
      const letters = await page.locator(".trellis-strip").evaluateAll((strips) => strips.map((strip) => {
        const own = (selector) => [...strip.querySelectorAll(selector)].filter((element) => element.closest(".trellis-strip") === strip).map(({ textContent }) => textContent);
        return { used: own(".trellis-label-name").filter((words) => /^[A-Z]$/.test(words)), reported: own(".trellis-outside-letter") };
      }));
      for (const { used, reported } of letters) assert.deepEqual(used.filter((letter) => !reported.includes(letter)), [], name);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), name);
    }
  });
}

test("a zone that is there already is refused with words", async (t) => {
  const page = await addressesOf(t, "two-zones");
  await page.getByLabel("Zone", { exact: true }).fill("eu-central-1a");
  await page.getByRole("button", { name: /^Add/ }).click();
  const alert = page.locator(".trellis-zones-error");
  await page.waitForFunction(() => document.querySelector(".trellis-zones-error")?.textContent.includes("eu-central-1a"));
  assert.match(await alert.textContent(), /eu-central-1a/);
});

test("a provider without ranges of zones has no planner", async (t) => {
  const page = await addressesOf(t, "equinix-metal");
  assert.equal(await page.locator(".trellis-zones").count(), 0);
});

test("a zone that is asked for twice at once is added once, and its undo undoes nothing else", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  await page.getByRole("tab", { name: "Addresses" }).click();
  await page.getByLabel("Zone", { exact: true }).fill("eu-central-1b");
  await page.evaluate(() => {
    window.said = [];
    const error = document.querySelector(".trellis-zones-error");
    new MutationObserver(() => said.push(error.textContent)).observe(error, { childList: true, subtree: true, characterData: true });
    const button = document.querySelector(".trellis-zones-add");
    button.click();
    button.click();
  });
  // The checker answers in turn: what was asked for by the second click is answered before the text with the zone is checked.
  await page.getByText(/eu-central-1b got 10\./).waitFor();
  await settled(page);
  assert.deepEqual(await page.evaluate(() => said.filter((text) => text !== "")), []);
  assert.equal((await textOf(page)).match(/workers: 10/g).length, 2);
  const undo = page.getByRole("button", { name: "Undo" });
  assert.equal(await undo.count(), 1);
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("# more ");
  assert.equal(await undo.count(), 0);
});

test("a heap of ranges is drawn in part, and the rest is counted", async (t) => {
  const page = await open(t, { hash: "#example=one-zone" });
  const zones = Array.from({ length: 1000 }, (_, at) => `        - name: zone-${at}\n          workers: 10.250.0.0/19\n`).join("");
  await replace(page, /( +zones:\n)( +- name: eu-central-1a\n +workers: .*\n)/, (_, key, zone) => `${key}${zone}${zones}`);
  await page.getByRole("tab", { name: "Addresses" }).click();
  const map = page.locator(".trellis-map");
  assert.match(await map.innerText(), /more ranges are not drawn/);
  assert.ok((await map.locator("[data-key]").count()) <= 301);
});

test("no kind and no name in the graph of a plan is cut", async (t) => {
  const page = await open(t);
  for (const name of ["two-zones", "dual-stack", "existing-vpc-managed-nat", "existing-vpc-own-eip"]) {
    await follow(page, `#example=${name}`);
    await page.getByRole("tab", { name: "Plan" }).click();
    await settled(page);
    await page.locator(".trellis-graph-node").first().waitFor();
    const cut = await page.locator(":is(.trellis-graph-word, .trellis-graph-name)").evaluateAll((all) => all.filter((words) => words.scrollHeight > words.clientHeight + 1 || words.scrollWidth > words.clientWidth + 1).map(({ textContent }) => textContent));
    assert.deepEqual(cut, [], name);
  }
});
