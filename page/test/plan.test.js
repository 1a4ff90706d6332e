// What becomes of a Shoot's infrastructure, before anything exists and when it is made in the simulator.
import assert from "node:assert/strict";
import { test } from "node:test";
import { example } from "./addressing.js";
import { paste, pick, replace, settled, textOf, withBrowser } from "./page.js";

const { open, ownContext, ownServer } = withBrowser();

const ZONE_B = "workers: 10.250.32.0/19";
const OWN_EIP = `${ZONE_B}\n          natGateway:\n            eipAllocationID: eip-mine`;

async function planOf(t, name, options) {
  const page = await open(t, { hash: `#example=${name}`, ...options });
  await page.getByRole("tab", { name: "Plan" }).click();
  return page;
}

const panel = (page) => page.getByRole("tabpanel", { name: "Plan" });
const kinds = (page) => panel(page).locator(".trellis-graph-word").allTextContents();
const bill = async (page) => (await panel(page).locator(".trellis-changes-bill").innerText()).replaceAll(/\s+/g, " ");

/** How many resources of some kinds each example has; all of them are to be made. */
const RESOURCES = {
  "one-zone": { VPC: 1, VSwitch: 1, "NAT gateway": 1, "Elastic IP": 1, "SNAT entry": 1, "Security group": 1 },
  "two-zones": { VPC: 1, VSwitch: 2, "NAT gateway": 1, "Elastic IP": 2, "SNAT entry": 2, "Security group": 1 },
  "dual-stack": { VPC: 1, "IPv6 gateway": 1 },
};

test("examples are planned from nothing, or the page says why not", async (t) => {
  const page = await planOf(t, "five-mistakes");
  for (const [name, counts] of Object.entries(RESOURCES)) {
    await t.test(`${name} is planned`, async () => {
      await pick(page, name);
      await panel(page).getByText("From nothing: this is the network that there will be.").waitFor();
      const drawn = await kinds(page);
      for (const [kind, count] of Object.entries(counts)) assert.equal(drawn.filter((found) => found === kind).length, count, kind);
      assert.equal(await panel(page).locator(".trellis-action-none").count(), 0);
      assert.match(await bill(page), /NAT gateway: 0 → 1/);
    });
  }
  for (const [name, words] of [
    ["five-mistakes", "A Shoot that is rejected is not planned"],
  ]) {
    await t.test(`${name} is not`, async () => {
      await pick(page, name);
      await panel(page).getByText(words).waitFor();
      assert.equal(await panel(page).locator(".trellis-graph").count(), 0);
    });
  }
});

test("an edit of an elastic IP names what it disrupts before anything happens", async (t) => {
  const page = await planOf(t, "two-zones");
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await panel(page).getByText("Nothing changes.").waitFor();
  await replace(page, ZONE_B, OWN_EIP);
  await panel(page).getByText("What the edit changes in the network, from the manifest under Before.").waitFor();
  const disruptions = await panel(page).locator(".trellis-disruptions li").allInnerTexts();
  assert.ok(disruptions.some((text) => /eu-central-1b/.test(text) && /egress address/.test(text)), disruptions.join("\n"));
  assert.match(await bill(page), /Elastic IP: 2 → 1/);
});

test("a zone more is what the edit changes, and what it costs", async (t) => {
  const page = await planOf(t, "one-zone");
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await page.getByRole("tab", { name: "Addresses" }).click();
  await page.getByLabel("Zone", { exact: true }).fill("eu-central-1b");
  await page.getByRole("button", { name: /^Add/ }).click();
  await page.getByText(/eu-central-1b got 10\./).waitFor();
  await settled(page);
  await page.getByRole("tab", { name: "Plan" }).click();
  assert.match(await bill(page), /Elastic IP: 1 → 2/);
  assert.match(await bill(page), /NAT gateway: 1(?! →)/);
});

test("a resource of the graph is found among the changes, and the other way round, by keyboard", async (t) => {
  const page = await planOf(t, "two-zones");
  await page.getByRole("button", { name: "Fit" }).focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("End");
  const id = await page.evaluate(() => document.activeElement.dataset.key);
  await page.keyboard.press("Enter");
  const marked = panel(page).locator("[data-change][aria-current]");
  assert.equal(await marked.getAttribute("data-change"), id);
  await panel(page).locator('[data-change="vpc"] .trellis-change-name').focus();
  await page.keyboard.press("Enter");
  assert.equal(await panel(page).locator("[data-key][aria-current]").getAttribute("data-key"), "vpc");
});

/** How the run that is shown ended. */
const ends = (page, words) => panel(page).locator("[data-run]").filter({ hasText: words }).waitFor();
const apply = (page, shoot = "garden-dev/two-zones") => page.getByRole("button", { name: `Apply ${shoot}` }).click();
const summary = (page) => panel(page).locator(".trellis-changes-summary").innerText();
/** The entry of a Shoot in the list of networks. */
const network = (page, id) => panel(page).locator(`[data-network="${id}"]`);
/** Agrees to the question of the dialog. */
async function destroy(page, shoot) {
  await page.getByRole("button", { name: `Destroy ${shoot}` }).first().click();
  const dialog = page.getByRole("dialog", { name: `Destroy ${shoot}?` });
  await dialog.getByRole("button", { name: "Destroy" }).click();
}

test("what was applied is made, is the beginning of the next plan, and is taken down again", async (t) => {
  const page = await planOf(t, "two-zones", { url: await ownServer() });
  await page.evaluate(() => {
    window.greens = [];
    new MutationObserver(() => {
      const now = document.querySelectorAll(".trellis-graph-node.trellis-state-done").length;
      if (now !== window.greens.at(-1)) window.greens.push(now);
    }).observe(document.body, { subtree: true, attributes: true, childList: true });
  });
  assert.equal(await page.getByRole("button", { name: /^Destroy/ }).count(), 0, "there is nothing to destroy yet");
  const preview = await summary(page);
  await apply(page);
  await ends(page, /Applied garden-dev\/two-zones/);
  const steps = await page.evaluate(() => window.greens);
  assert.ok(steps.filter((count) => count > 0).length > 3, `they turn green one after the other: ${steps}`);
  const states = await panel(page).locator("[data-change]").evaluateAll((all) => all.map(({ dataset }) => dataset.state));
  assert.ok(states.length > 8 && states.every((state) => state === "done"), states.join());
  assert.equal(await summary(page), preview, "preview and run count the same");
  const entry = network(page, "shoot--dev--two-zones");
  assert.match(await entry.innerText(), /garden-dev\/two-zones\s+exists · 11 resources · last run: Apply succeeded/);
  await entry.getByText("Recorded state").click();
  assert.match(await entry.locator(".recorded").innerText(), /vpc-\w+/);

  await apply(page);
  await ends(page, /The network of garden-dev\/two-zones is as the manifest says, and nothing of it was to be done\. The simulated cloud of the page makes no nodes\./);
  await page.getByRole("button", { name: "Back to the plan" }).click();
  await panel(page).getByText("Nothing changes.").waitFor();

  await replace(page, ZONE_B, OWN_EIP);
  await panel(page).getByText("What the edit changes in the network, from what was applied to the simulator.").waitFor();
  await panel(page).locator("[data-edited]").waitFor();
  assert.ok((await panel(page).locator(".trellis-disruptions li").count()) > 0);
  await apply(page);
  await ends(page, /eip-mine/);
  assert.equal(await panel(page).locator("[data-run]").getAttribute("data-run"), "refused");
  assert.ok((await panel(page).locator(".trellis-disruptions li").count()) > 0, "the plan is still there");

  await page.getByRole("button", { name: "Destroy garden-dev/two-zones" }).first().click();
  const dialog = page.getByRole("dialog", { name: "Destroy garden-dev/two-zones?" });
  assert.match(await dialog.innerText(), /network of garden-dev\/two-zones: 1\d resources/);
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "hidden" });
  assert.equal(await panel(page).locator("[data-run=refused]").count(), 1, "nothing was destroyed without a yes");
  await destroy(page, "garden-dev/two-zones");
  await ends(page, /Destroyed garden-dev\/two-zones/);
  assert.equal(await page.getByRole("button", { name: /^Destroy/ }).count(), 0);
  await page.getByRole("button", { name: "Back to the plan" }).click();
  await panel(page).getByText("From nothing: this is the network that there will be.").waitFor();
});

test("a reload and a second tab show the run, and every tab judges against what was applied", async (t) => {
  const context = await ownContext(t);
  const url = await ownServer();
  const [second, page] = [await planOf(t, "one-zone", { url, context }), await planOf(t, "two-zones", { url, context })];
  // For both tabs the run goes on until they have shown it, however quick it is.
  let release;
  const seen = new Promise((resolve) => (release = resolve));
  await context.route("**/apply/run/*", (route) => seen.then(() => route.continue()));
  await context.route("**/apply/state", async (route) => {
    const response = await route.fetch();
    const state = await response.json();
    const networks = state.networks.map((network) => ({ ...network, lastRun: { ...network.lastRun, ending: null } }));
    return route.fulfill({ response, json: { ...state, networks, running: networks[0]?.id ?? null } });
  });
  await apply(page);
  const running = (tab) => panel(tab).locator("[data-run=running]").filter({ hasText: "garden-dev/two-zones" });
  await running(page).waitFor();
  await page.reload();
  await running(page).waitFor();
  await running(second).waitFor();
  assert.ok(await second.getByRole("button", { name: "Apply garden-dev/one-zone" }).isDisabled());
  release();
  await context.unrouteAll({ behavior: "wait" });
  await ends(second, /Applied garden-dev\/two-zones/);
  await ends(page, /Applied garden-dev\/two-zones/);

  await paste(second, (await example("two-zones")).replace("cidr: 10.250.0.0/16", "cidr: 10.248.0.0/13"));
  await settled(second);
  const verdict = second.locator("[data-verdict=reject]");
  await verdict.filter({ hasText: "Judged as an update of what was applied to the simulator." }).waitFor();
  await verdict.filter({ hasText: "Edited since it was applied." }).waitFor();
  await panel(second).getByText("A Shoot that is rejected is not planned").waitFor();
  await second.getByRole("tab", { name: "Findings" }).click();
  await second.locator("[data-part=error]").getByText("field is immutable").first().waitFor();
  await second.getByRole("tab", { name: "Plan" }).click();
  await destroy(second, "garden-dev/two-zones");
  await ends(second, /Destroyed/);
});

test("the example with a VPC and an address of its own can be applied", async (t) => {
  const page = await planOf(t, "existing-vpc-own-eip", { url: await ownServer() });
  await panel(page).getByText("The simulated cloud has vpc-gw8example0000000000a and eip-gw8example0000000000a from its start").waitFor();
  await apply(page, "garden-dev/own-eip");
  await ends(page, /Applied garden-dev\/own-eip/);
  await destroy(page, "garden-dev/own-eip");
  await ends(page, /Destroyed garden-dev\/own-eip/);
  await network(page, "shoot--dev--own-eip").getByRole("button", { name: /^Show plan/ }).click();
  await ends(page, /Destroyed garden-dev\/own-eip/);
});

test("a button that cannot be pressed says why", async (t) => {
  const page = await planOf(t, "five-mistakes");
  const button = page.getByRole("button", { name: "Apply garden-dev/five-mistakes" });
  assert.ok(await button.isDisabled());
  const reason = await button.evaluate((element) => document.getElementById(element.getAttribute("aria-describedby")).textContent);
  assert.equal(reason, "There is no plan to apply.");
});

const line = (event) => `${JSON.stringify(event)}\n`;
const step = (id, after = []) => ({ id, after, call: { service: "vpc", action: "Create", parameters: {} } });
const made = (id, needs = []) => ({ id, kind: id, name: id, action: "create", needs });
const change = (id) => ({ id, action: "create", kind: id, name: id, steps: [`${id}/create`] });
const plan = {
  state: {},
  resources: [made("vpc"), made("sg", ["vpc"])],
  changes: [change("vpc"), change("sg")],
  steps: [step("vpc/create"), step("sg/create", ["vpc/create"])],
};

/** The page of a program whose simulator answers so. */
const answering = (t, answer, options) =>
  planOf(t, "one-zone", {
    prepare: async (page) => {
      await page.route("**/apply/state", (route) => route.fulfill({ json: { given: [], networks: [], running: null } }));
      await page.route("**/apply", (route) => route.fulfill(answer));
    },
    ...options,
  });

test("a step that fails is reported with what fixes it, and what comes after it waits", async (t) => {
  const body =
    line({ event: "observing", round: 1 }) +
    line({ event: "planned", round: 1, plan }) +
    line({ event: "stepStarted", step: "vpc/create", service: "vpc", action: "CreateVpc" }) +
    line({ event: "retrying", step: "vpc/create", why: "Throttling", delay: 100 }) +
    line({ event: "stepFailed", step: "vpc/create", message: "The quota is used up: ask for a larger one.", codes: [] }) +
    line({ event: "stepSkipped", step: "sg/create", because: "vpc/create" }) +
    line({ event: "finished", ending: { kind: "failed" }, calls: {} });
  const page = await answering(t, { body });
  await page.getByRole("button", { name: /^Apply garden-dev/ }).click();
  const run = panel(page).locator("[data-run=failed]");
  await run.waitFor();
  assert.match(await run.innerText(), /Not everything of garden-dev\/\S+ was done.*vpc\/create\s+The quota is used up: ask for a larger one\./s);
  const state = (id) => panel(page).locator(`[data-change="${id}"]`).getAttribute("data-state");
  assert.deepEqual([await state("vpc"), await state("sg")], ["failed", "waiting"]);
  await page.getByRole("button", { name: /^Apply garden-dev/ }).click({ trial: true });
  await replace(page, "maximum: ", "maximum: 1");
  await run.waitFor({ state: "detached" });
});

for (const [what, answer, words] of [
  ["that is cut off", { body: line({ event: "planned", round: 1, plan }) }, /ended early/],
  ["that is none", { status: 409, body: "another run is under way" }, /did not begin, and nothing was changed.*another run is under way/s],
  ["that is no JSON", { body: "<html>" }, /JSON/],
  ["that refuses", {
    body:
      line({ event: "finished", ending: { kind: "refused" }, calls: {} }) +
      line({ event: "result", ending: { kind: "refused" }, findings: [{ severity: "error", detail: "no such VPC", remedy: "name one that is there" }] }),
  }, /no such VPC: name one that is there/],
]) {
  test(`an answer of the program ${what} is reported`, async (t) => {
    const page = await answering(t, answer, { errors: [/Failed to load resource/] });
    await page.getByRole("button", { name: /^Apply garden-dev/ }).click();
    const run = panel(page).locator("[data-run=failed], [data-run=refused], [data-run=unstarted]");
    await run.waitFor();
    assert.match(await run.innerText(), words);
  });
}

test("a program that is gone is reported, and what was of it goes with its return", async (t) => {
  let isGone = false;
  const page = await open(t, {
    hash: "#example=two-zones",
    errors: [/Failed to load resource/],
    prepare: (page) =>
      page.route("**/apply**", (route) => {
        // It goes when it is asked to apply, because the page takes the button away where a look at the cloud finds no program.
        isGone ||= route.request().method() === "POST";
        return isGone ? route.abort() : route.fulfill({ json: { given: [], networks: [], running: null } });
      }),
  });
  await page.getByRole("tab", { name: "Plan" }).click();
  const button = page.getByRole("button", { name: /^Apply garden-dev/ });
  await button.click();
  const run = panel(page).locator("[data-run=lost]");
  await run.waitFor();
  assert.match(await run.innerText(), /The program does not answer, so that the page does not know how far garden-dev\/two-zones is/);
  isGone = false;
  await run.waitFor({ state: "detached" });
  await button.waitFor();
});

test("a Shoot without a name is not applied", async (t) => {
  const page = await planOf(t, "two-zones");
  await paste(page, (await textOf(page)).replace(/^  name: two-zones\n/m, ""));
  await settled(page);
  const button = panel(page).getByRole("button", { name: /^Apply/ });
  assert.ok(await button.isDisabled());
  await panel(page).getByText("The Shoot has no name. Set metadata.name.").waitFor();
});

test("markup in what the program answers is text", async (t) => {
  const body = line({ event: "error", message: "<img src=x onerror=alert(1)>" }) + line({ event: "finished", ending: { kind: "stopped" } });
  const page = await answering(t, { body });
  await page.getByRole("button", { name: /^Apply garden-dev/ }).click();
  await panel(page).getByText("<img src=x").waitFor();
  assert.equal(await panel(page).locator("img").count(), 0);
});

test("a page that is served without a simulator has plans and no buttons for them", async (t) => {
  const page = await planOf(t, "two-zones", {
    prepare: (page) => page.route("**/apply/state", (route) => route.fulfill({ status: 404 })),
    errors: [/Failed to load resource/],
  });
  await panel(page).locator(".trellis-graph").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Apply garden-dev/ }).count(), 0);
});

test("no Secret is sent with what is applied", async (t) => {
  const sent = [];
  const page = await open(t, {
    hash: "#example=secret",
    prepare: async (page) => {
      await page.route("**/apply/state", (route) => route.fulfill({ json: { given: [], networks: [], running: null } }));
      await page.route("**/apply", (route) => {
        sent.push(route.request().postData());
        return route.fulfill({ body: line({ event: "finished", ending: { kind: "done" } }) });
      });
    },
  });
  const shoot = await example("two-zones");
  await paste(page, `${await textOf(page)}\n---\n${shoot}`);
  await settled(page);
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.getByRole("button", { name: /^Apply garden-dev/ }).click();
  await panel(page).locator("[data-run=done]").waitFor();
  assert.equal(sent.length, 1);
  const { manifests, operation } = JSON.parse(sent[0]);
  assert.equal(operation, "reconcile");
  assert.deepEqual(manifests.map(({ kind }) => kind).filter((kind) => kind === "Secret"), []);
  assert.equal(manifests[0].kind, "Shoot");
});
