// What people see of their manifests.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { example, hashOf } from "./addressing.js";
import { follow, paste, pick, replace, rulesIn, settled, textOf, withBrowser } from "./page.js";

const { open } = withBrowser();

const EXAMPLES = new URL("../../examples/", import.meta.url);
const FILES = (await readdir(EXAMPLES)).filter((name) => name.endsWith(".yaml"));
const SEVERITIES = ["error", "warning", "undecided"];
const FIVE = ["ALI-INF-003", "ALI-INF-007", "ALI-INF-016", "ALI-WRK-008", "ALI-WRK-010"];

/** How many errors, warnings and undecided rules the first line of an example expects. */
const expected = (line) => Object.fromEntries(SEVERITIES.map((severity) => [severity, Number(new RegExp(`(\\d+) ${severity}`).exec(line)?.[1] ?? 0)]));

test("each example is judged as its first line says, which the page does not show", async (t) => {
  const page = await open(t);
  for (const file of FILES) {
    await t.test(file, async () => {
      const [first, ...lines] = (await readFile(new URL(file, EXAMPLES), "utf8")).split("\n");
      assert.match(first, /^# expect: /);
      await follow(page, `#example=${file.replace(/\.yaml$/, "")}`);
      assert.equal(await textOf(page), lines.join("\n"));
      const found = Object.fromEntries(await Promise.all(SEVERITIES.map(async (severity) => [severity, (await rulesIn(page, severity)).length])));
      assert.deepEqual(found, expected(first));
      if (found.error > 0) return;
      const verdicts = await page.locator(".trellis-checked .trellis-verdict").allTextContents();
      assert.ok(verdicts.length > 0);
      // The Secret of a DNS provider names no cloud: it is judged with the Shoot.
      const judged = verdicts.filter((verdict) => !/not judged/.test(verdict));
      assert.ok(judged.length >= verdicts.length - 1);
      assert.ok(judged.every((verdict) => /accepted|undecided/.test(verdict)), verdicts.join());
    });
  }
});

test("the menu of examples has what each shows, and not what tests expect of it", async (t) => {
  const page = await open(t);
  await page.getByRole("button", { name: "Examples" }).click();
  const summaries = await page.locator(".v-list-item .summary").allTextContents();
  assert.equal(summaries.length, FILES.length);
  assert.deepEqual(summaries.filter((summary) => !/^\w.*[.:]$/.test(summary) || /expect:/.test(summary)), []);
});

test("the menu opens an example", async (t) => {
  const page = await open(t);
  await pick(page, "two-zones");
  assert.match(await textOf(page), /name: two-zones/);
  assert.equal(new URL(page.url()).hash, "#example=two-zones");
});

/** The line of the text that each error is at, by rule. */
async function linesOf(page) {
  const text = (await textOf(page)).split("\n");
  const places = await page.locator("[data-part=error] .trellis-finding").evaluateAll((found) =>
    found.map((one) => [one.querySelector(".trellis-rule").textContent.trim(), one.querySelector(".trellis-line").textContent]),
  );
  return Object.fromEntries(places.map(([rule, line]) => [rule, text[Number(/\d+/.exec(line)[0]) - 1].trim()]));
}

/** Waits until so many errors are shown. */
const errorsAre = (page, count) =>
  page.waitForFunction((wanted) => document.querySelectorAll("[data-part=error] .trellis-finding").length === wanted, count);

test("five mistakes are found at their lines, one is fixed, and undo brings it back", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  assert.deepEqual((await rulesIn(page, "error")).sort(), FIVE);
  assert.deepEqual(await linesOf(page), {
    "ALI-INF-003": "workers: 10.250.1.0/19",
    "ALI-INF-007": "workers: 10.250.128.0/19",
    "ALI-INF-016": "pods: 10.250.192.0/18",
    "ALI-WRK-008": "- name: containerd",
    "ALI-WRK-010": "- eu-central-1c",
  });

  await page.getByRole("button", { name: /^Fix ALI-INF-003/ }).click();
  await errorsAre(page, 4);
  assert.match(await textOf(page), /workers: 10\.250\.0\.0\/19/);
  await page.keyboard.press("Control+z");
  await errorsAre(page, 5);
  assert.match(await textOf(page), /workers: 10\.250\.1\.0\/19/);
});

test("five mistakes of OpenStack are found at their lines, and three of them are fixed", async (t) => {
  const page = await open(t, { hash: "#example=openstack-five-mistakes" });
  assert.deepEqual(await linesOf(page), {
    "OS-CPCP-001": "loadBalancerProvider: haproxy",
    "OS-INFCP-001": "floatingPoolName: internet",
    "OS-INF-007": "workers: 10.250.1.0/19",
    "OS-CPC-005": "enabled: true",
    "OS-WRKC-012": "- nfs-clients",
  });
  let left = 5;
  for (const rule of ["OS-CPCP-001", "OS-INF-007", "OS-WRKC-012"]) {
    await page.getByRole("button", { name: new RegExp(`^Fix ${rule}`) }).click();
    left -= 1;
    await errorsAre(page, left);
  }
  const text = await textOf(page);
  assert.match(text, /loadBalancerProvider: amphora/);
  assert.match(text, /workers: 10\.250\.0\.0\/19/);
  assert.equal(text.split("- nfs-clients").length, 2);
  assert.deepEqual((await rulesIn(page, "error")).sort(), ["OS-CPC-005", "OS-INFCP-001"]);
});

test("seven mistakes of AWS are found at their lines", async (t) => {
  const page = await open(t, { hash: "#example=aws-seven-mistakes" });
  assert.deepEqual(await linesOf(page), {
    "AWS-INF-002": "- S3",
    "AWS-INF-024": "workers: 10.250.0.9/19",
    "AWS-INFP-001": "- name: eu-central-1d",
    "AWS-INF-034": "public: 10.250.32.0/20",
    "AWS-INF-027": "elasticIPAllocationID: 203.0.113.7",
    "AWS-WRKC-002": "providerConfig:",
    "AWS-WRKC-020": "httpTokens: always",
  });
  await page.getByRole("button", { name: /^Fix AWS-INF-024/ }).click();
  await errorsAre(page, 6);
  assert.match(await textOf(page), /workers: 10\.250\.0\.0\/19/);
});

test("seven mistakes of GCP are found at their lines; what breaks two rules is one error", async (t) => {
  const page = await open(t, { hash: "#example=gcp-seven-mistakes" });
  assert.deepEqual(await linesOf(page), {
    "GCP-INF-005": "workers: 10.250.0.9/19",
    "GCP-INF-010": "internal: 10.250.64.0/22",
    "GCP-INF-024": "- name: 203.0.113.7",
    "GCP-INF-029": "maxPortsPerVM: 4096",
    "GCP-CPC-002": "zone: europe-west3-d",
    "GCP-WRK-003": "type: SCRATCH",
    "GCP-WRKC-007": "email: nodes@example.com",
  });
});

test("seven mistakes of Azure are found at their lines", async (t) => {
  const page = await open(t, { hash: "#example=azure-seven-mistakes" });
  assert.deepEqual(await linesOf(page), {
    "AZ-INF-061": "cidr: 10.250.0.9/16",
    "AZ-INF-096": "idleConnectionTimeoutMinutes: 2",
    "AZ-INF-104": "cidr: 10.250.16.0/20",
    "AZ-INF-097": "natGateway:",
    "AZ-INF-002": "- name: 4",
    "AZ-WRK-014": '- "3"',
    "AZ-WRKC-012": "caching: readwrite",
  });
});

test("a finding is underlined in the editor, and its tooltip has a fix", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  await page.locator("[data-part=error] .trellis-place").first().click();
  const mark = page.locator(".cm-trellis-error", { hasText: "10.250.1.0/19" });
  await mark.hover();
  const tooltip = page.locator(".cm-tooltip-lint");
  await tooltip.waitFor();
  assert.match(await tooltip.textContent(), /canonical CIDR/);
  await tooltip.getByRole("button").click();
  await page.waitForFunction(() => document.querySelectorAll("[data-part=error] .trellis-finding").length === 4);
});

test("a rule explains itself", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  await page.getByRole("button", { name: "About the rule ALI-INF-016" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Why").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
});

test("keys of the provider's configuration complete", async (t) => {
  const page = await open(t, { hash: "#example=two-zones", prepare: (page) => page.clock.install() });
  await page.locator("#text-manifest .cm-line", { hasText: "kind: InfrastructureConfig" }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("dual", { delay: 30 });
  await page.locator(".cm-tooltip-autocomplete", { hasText: "dualStack" }).waitFor();
  // A popup takes keys a moment after it is there, lest it takes what was meant for the text.
  await page.clock.fastForward(1000);
  await page.keyboard.press("Enter");
  assert.match(await textOf(page), /dualStack:/);
});

test("defaults are shown as a diff with their reasons", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await page.getByRole("tab", { name: "Defaults" }).click();
  const panel = page.getByRole("tabpanel", { name: "Defaults" });
  await panel.getByText(/ALI-DEF-\d+/).first().waitFor();
  assert.ok((await panel.locator(".trellis-diff-added, [data-state=added]").count()) > 0);
});

test("an update is judged by what was there before", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await page.getByRole("tab", { name: "Before" }).click();
  await page.getByRole("button", { name: "Take the manifest as it is now" }).click();
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await replace(page, "cidr: 10.250.0.0/16", "cidr: 10.248.0.0/13");
  assert.ok((await rulesIn(page, "error")).includes("ALI-INFU-001"));
  assert.ok((await page.locator("[data-part=error] .trellis-badge", { hasText: "update" }).count()) > 0);
  await replace(page, "size: 50Gi", "size: 60Gi");
  assert.ok((await rulesIn(page, "warning")).includes("ALI-ADV-008"));
});

test("a CloudProfile next to the text decides what is undecided without it", async (t) => {
  const page = await open(t, { hash: "#example=namespaced-cloudprofile" });
  const [alone] = (await textOf(page)).split(/^---$/m);
  await paste(page, alone);
  await settled(page);
  assert.ok((await rulesIn(page, "undecided")).length > 0);
  assert.match(await page.locator(".trellis-checked").innerText(), /undecided/);
  await page.getByRole("tab", { name: "Context" }).click();
  await pick(page, "namespaced-cloudprofile", "Pick a CloudProfile");
  assert.deepEqual(await rulesIn(page, "undecided"), []);
  assert.match(await page.locator(".trellis-checked").innerText(), /accepted/);
});

test("values of a Secret are hidden until they are asked for", async (t) => {
  const page = await open(t, { hash: "#example=secret" });
  const editor = page.locator("#text-manifest .cm-content");
  const value = /accessKeySecret:\s*(\S+)/.exec(await textOf(page))[1];
  assert.ok(value.length >= 30);
  assert.ok(!(await editor.innerText()).includes(value));
  await page.getByRole("button", { name: "Show values of Secrets" }).click();
  assert.ok((await editor.innerText()).includes(value));
  await page.getByRole("button", { name: "Hide values of Secrets" }).click();
  assert.ok(!(await page.locator("body").innerText()).includes(value));
});

test("an object of an unknown provider, and one of another kind, are said not to be judged", async (t) => {
  const page = await open(t);
  await paste(
    page,
    "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata:\n  name: far\nspec:\n  provider:\n    type: moon\n" +
      "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: map\n",
  );
  await settled(page);
  const verdicts = await page.locator(".trellis-checked").allTextContents();
  assert.equal(verdicts.length, 2);
  assert.match(verdicts[0], /rejected.*by Gardener's rules.*moon is not supported yet/s);
  assert.match(verdicts[1], /not judged.*ConfigMap/s);
});

test("an old text that is that of no object shows at its tab", async (t) => {
  const page = await open(t, { hash: hashOf({ text: await example("one-zone"), old: await example("two-zones") }) });
  await page.getByRole("tab", { name: "Before 1 problem" }).waitFor();
});

test("another text is shown from its first object on, wherever the cursor was", async (t) => {
  const [one, two] = [await example("one-zone"), await example("two-zones")];
  const page = await open(t, { hash: hashOf({ text: `${one}---\n${two}` }) });
  await page.getByRole("tab", { name: "Addresses" }).click();
  await page.locator("#text-manifest .cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.waitForFunction(() => document.querySelector("label select")?.selectedOptions[0].textContent.includes("two-zones"));
  const next = hashOf({ text: `${one.replace("name: one-zone", "name: next-and-longer")}---\n${two}` });
  await page.evaluate((next) => (location.hash = next), next);
  await page.waitForFunction(() => document.querySelector("label select")?.selectedOptions[0].textContent.includes("next"));
  assert.equal(await page.evaluate(() => document.querySelector("#text-manifest .cm-scroller").scrollTop), 0);
});

test("an object with a key that is there twice is not said to be accepted", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await replace(page, "  name: two-zones", "  name: two-zones\n  name: two-zones");
  assert.match(await page.locator(".trellis-checked").innerText(), /not judged/);
});
