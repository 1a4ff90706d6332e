// A new Shoot, made for a CloudProfile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { example } from "./addressing.js";
import { paste, settled, textOf, violations, withBrowser } from "./page.js";

const { open } = withBrowser();

const verdict = (page) => page.locator("[data-verdict]");
const dialog = (page) => page.getByRole("dialog", { name: "New Shoot" });

async function ask(page) {
  await page.getByRole("button", { name: "File", exact: true }).click();
  await page.getByRole("menuitem", { name: "New Shoot" }).click();
  await dialog(page).getByLabel("Provider").waitFor();
}

async function make(page) {
  await dialog(page).getByRole("button", { name: "Make the Shoot" }).click();
  await focused(page);
  await settled(page);
}

/** Leaves the dialog; the focus goes to the manifest then. */
async function leave(page) {
  await page.keyboard.press("Escape");
  await focused(page);
}

async function focused(page) {
  await dialog(page).waitFor({ state: "hidden" });
  await page.waitForFunction(() => document.activeElement?.closest("#text-manifest") !== null);
}

const choices = (select) => select.locator("option").evaluateAll((options) => options.map(({ value }) => value));

test("of each example profile, in each of its regions, the new Shoot is in good order", { timeout: 900_000 }, async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, "");
  await ask(page);
  const providers = await choices(dialog(page).getByLabel("Provider"));
  assert.deepEqual(providers.toSorted(), ["alicloud", "aws", "azure", "equinixmetal", "gcp", "openstack"]);
  await leave(page);
  for (const provider of providers) {
    await t.test(provider, async () => {
      const seen = new Set();
      for (;;) {
        // Each is asked about with the texts empty: what Context has is offered too.
        await page.getByRole("tab", { name: "Context" }).click();
        await paste(page, "", "context");
        await page.getByRole("tab", { name: "Manifest", exact: true }).click();
        await ask(page);
        await dialog(page).getByLabel("Provider").selectOption(provider);
        const cases = [];
        for (const profile of await choices(dialog(page).getByLabel("CloudProfile"))) {
          await dialog(page).getByLabel("CloudProfile").selectOption(profile);
          for (const region of await choices(dialog(page).getByLabel("Region"))) cases.push([profile, region]);
        }
        const next = cases.find(([profile, region]) => !seen.has(`${profile} ${region}`));
        if (!next) {
          await leave(page);
          break;
        }
        seen.add(next.join(" "));
        await dialog(page).getByLabel("CloudProfile").selectOption(next[0]);
        await dialog(page).getByLabel("Region").selectOption(next[1]);
        await make(page);
        // OpenStack's rules ask the cloud, too.
        const wanted = provider === "openstack" ? /^\?\s+Undecided · 1 open question/ : /^✓\s+No errors found/;
        assert.match(await verdict(page).innerText(), wanted, `${next.join(" ")}\n${await textOf(page)}`);
        assert.doesNotMatch(await textOf(page), /: [A-Z]+$/m);
      }
      assert.ok(seen.size > 0);
    });
  }
});

test("a new Shoot takes the place of the manifest, by what the person chose, and one step brings the manifest back", async (t) => {
  const page = await open(t, { hash: "#example=five-mistakes" });
  const before = await textOf(page);
  await ask(page);
  assert.deepEqual(await violations(page), []);
  const profile = dialog(page).getByLabel("CloudProfile");
  assert.equal(await profile.locator("option:checked").innerText(), "alicloud (from the manifest)");
  await dialog(page).getByLabel("Name", { exact: true }).fill("berry");
  await dialog(page).getByLabel("Namespace").fill("garden-fruit");
  await dialog(page).getByLabel("CredentialsBinding").fill("fruit");
  await dialog(page).getByLabel("eu-central-1a").uncheck();
  await make(page);
  await page.getByText("The new Shoot took the place of the manifest, and Context has its CloudProfile.").waitFor();
  const text = await textOf(page);
  assert.match(text, /name: berry\n  namespace: garden-fruit\n/);
  assert.match(text, /credentialsBindingName: fruit\n/);
  assert.match(text, /        zones:\n        - name: eu-central-1b\n          workers: 10\.250\.0\.0\/19\n/);
  assert.doesNotMatch(text, /eu-central-1a/);
  assert.match(await verdict(page).innerText(), /No errors found/);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await textOf(page), before);
});

test("an empty editor offers a new Shoot, for a profile under Context too", async (t) => {
  const page = await open(t, { hash: "#example=cloudprofile-regions" });
  const profile = await textOf(page);
  await paste(page, "");
  await page.getByRole("tab", { name: "Context" }).click();
  await paste(page, profile.replace("name: alicloud", "name: mine"), "context");
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await page.locator("[data-empty]").getByRole("button", { name: "New Shoot" }).click();
  await dialog(page).getByLabel("Provider").waitFor();
  await leave(page);
  await page.locator("[data-empty]").getByRole("button", { name: "New Shoot" }).click();
  assert.equal(await dialog(page).getByLabel("CloudProfile").locator("option:checked").innerText(), "mine (from Context)");
  await dialog(page).getByLabel("Region").selectOption("cn-shanghai");
  await make(page);
  await page.getByText("The new Shoot took the place of the manifest.", { exact: true }).waitFor();
  assert.match(await textOf(page), /kind: CloudProfile\n    name: mine\n  region: cn-shanghai\n/);
  assert.match(await verdict(page).innerText(), /No errors found/);
});

/** Puts a text under Context, and goes back to the manifest. */
async function putContext(page, text) {
  await page.getByRole("tab", { name: "Context" }).click();
  await paste(page, text, "context");
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
}

const contextOf = async (page) => {
  await page.getByRole("tab", { name: "Context" }).click();
  const text = await textOf(page, "context");
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  return text;
};
const kindsIn = (text) => [...text.matchAll(/^kind: (\w+)\nmetadata:\n  name: (\S+)/gm)].map(([, kind, name]) => `${kind} ${name}`);

/** Makes a Shoot for the first profile of a provider. */
async function makeFor(page, provider) {
  await ask(page);
  await dialog(page).getByLabel("Provider").selectOption(provider);
  await make(page);
}

test("the profile that New Shoot put under Context gives way to that of the next one, and what a person put there stays", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, "");
  const mine = "apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nmetadata:\n  name: mine\nspec: {}\n";
  await putContext(page, mine);
  await makeFor(page, "gcp");
  const gcp = await contextOf(page);
  assert.deepEqual(kindsIn(gcp), ["CloudProfile mine", "CloudProfile gcp-capabilities"]);
  // A reload does not make it a person's own.
  await page.evaluate(() => dispatchEvent(new Event("pagehide")));
  await page.reload();
  await settled(page);
  await makeFor(page, "alicloud");
  assert.deepEqual(kindsIn(await contextOf(page)), ["CloudProfile mine", "CloudProfile alicloud-capabilities"]);
  assert.match(await verdict(page).innerText(), /No errors found/);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await contextOf(page), gcp);
  assert.match(await textOf(page), /type: gcp/);
});

test("a profile of New Shoot that a person changed stays", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, "");
  await makeFor(page, "gcp");
  await putContext(page, (await contextOf(page)).replace("type: gcp", "type: gcp # ours"));
  await makeFor(page, "alicloud");
  assert.deepEqual(kindsIn(await contextOf(page)), ["CloudProfile gcp-capabilities", "CloudProfile alicloud-capabilities"]);
});

for (const has of ["its parent", "its status"]) {
  test(`a NamespacedCloudProfile under Context, with ${has}, is offered, and its Shoot is in good order`, async (t) => {
    const [own, parent] = (await example("namespaced-cloudprofile")).split(/^---\n/m);
    const type = "  - name: ecs.mine.large\n    architecture: amd64\n    cpu: \"2\"\n    gpu: \"0\"\n    memory: 8Gi\n";
    const added = own.replace("  machineImages:\n", `  machineTypes:\n${type}  machineImages:\n`);
    // The status is what the garden makes of both.
    const spec = parent.slice(parent.indexOf("spec:\n") + "spec:\n".length).replace("  machineTypes:\n", `  machineTypes:\n${type}`);
    const status = `${own}status:\n  cloudProfileSpec:\n${spec.replace(/^(?=.)/gm, "  ")}`;
    const context = has === "its parent" ? `${added}---\n${parent}` : status;
    const page = await open(t, { hash: "#example=two-zones" });
    await paste(page, "");
    await putContext(page, context);
    await settled(page);
    await ask(page);
    await dialog(page).getByLabel("Provider").selectOption("alicloud");
    await dialog(page).getByLabel("CloudProfile").selectOption("context garden-dev/alicloud-dev");
    assert.equal(await dialog(page).getByLabel("CloudProfile").locator("option:checked").innerText(), "garden-dev/alicloud-dev (from Context)");
    assert.equal(await dialog(page).getByLabel("Namespace").inputValue(), "garden-dev");
    assert.equal(await dialog(page).getByLabel("Namespace").getAttribute("readonly"), "");
    assert.deepEqual(await choices(dialog(page).getByLabel("Region")), ["eu-central-1"]);
    assert.deepEqual(await violations(page), []);
    await make(page);
    assert.match(await textOf(page), /  cloudProfile:\n    kind: NamespacedCloudProfile\n    name: alicloud-dev\n  region: eu-central-1\n/);
    assert.match(await verdict(page).innerText(), /^✓\s+No errors found/);
    assert.equal(await contextOf(page), context);
  });
}

test("a profile without a version of Kubernetes that can still be chosen makes no Shoot, and the dialog says why", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const [profile] = (await example("five-mistakes")).split(/^---\n/m);
  const expired = profile.replace(/^( +)- version: (?=1\.\d+\.\d+$)/gm, (line, indent) => `${indent}- expirationDate: "2020-01-01T00:00:00Z"\n${indent}  version: `);
  await page.getByRole("tab", { name: "Context" }).click();
  await paste(page, expired, "context");
  await page.getByRole("tab", { name: "Manifest", exact: true }).click();
  await settled(page);
  const before = await textOf(page);
  await ask(page);
  await dialog(page).getByLabel("Provider").selectOption("alicloud");
  await dialog(page).getByRole("button", { name: "Make the Shoot" }).click();
  await dialog(page).getByText("alicloud lists no version of Kubernetes that can still be chosen").waitFor();
  await leave(page);
  assert.equal(await textOf(page), before);
});

for (const [list, words] of [["regions", "alicloud lists no region"], ["volumeTypes", "alicloud lists no volume type for eu-central-1, and its provider asks for one"]]) {
  test(`a profile without ${list} makes no Shoot, and the dialog says what it lacks`, async (t) => {
    const page = await open(t, { hash: "#example=two-zones" });
    const [profile] = (await example("five-mistakes")).split(/^---\n/m);
    const cut = profile.replace(new RegExp(`^  ${list}:\\n(?:  [ -].*\\n)*`, "m"), "");
    assert.notEqual(cut, profile);
    await putContext(page, cut);
    const before = await textOf(page);
    await ask(page);
    await dialog(page).getByLabel("Provider").selectOption("alicloud");
    await dialog(page).getByRole("button", { name: "Make the Shoot" }).click();
    await dialog(page).getByText(words).waitFor();
    await leave(page);
    assert.equal(await textOf(page), before);
  });
}

test("an example's profile takes the place of an incomplete one of its name under Context, which would count in its place, and Undo brings that back", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const incomplete = (name) => `apiVersion: core.gardener.cloud/v1beta1\nkind: CloudProfile\nmetadata:\n  name: ${name}\nspec: {}\n`;
  const before = `${incomplete("gcp-capabilities")}---\n${incomplete("mine")}`;
  await putContext(page, before);
  await ask(page);
  const words = (name) => `The CloudProfile ${name} under Context is not offered: it lacks spec.type.`;
  await dialog(page).getByText(`${words("gcp-capabilities")} If you choose the other one of this name, that takes its place.`, { exact: true }).waitFor();
  await dialog(page).getByText(words("mine"), { exact: true }).waitFor();
  const described = await dialog(page).getByLabel("CloudProfile").evaluate((select) => document.getElementById(select.getAttribute("aria-describedby")).innerText);
  assert.ok(described.includes(words("gcp-capabilities")) && described.includes(words("mine")), described);
  assert.deepEqual(await violations(page), []);
  await dialog(page).getByLabel("Provider").selectOption("gcp");
  const offered = await choices(dialog(page).getByLabel("CloudProfile"));
  await dialog(page).getByLabel("CloudProfile").selectOption(offered.find((key) => key.endsWith(" gcp-capabilities")));
  await make(page);
  assert.deepEqual(kindsIn(await contextOf(page)), ["CloudProfile mine", "CloudProfile gcp-capabilities"]);
  assert.match(await verdict(page).innerText(), /^✓\s+No errors found/);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.equal(await contextOf(page), before);
});

test("incomplete NamespacedCloudProfiles of one name are shown with their namespaces", async (t) => {
  const page = await open(t, { hash: "#example=two-zones" });
  const incomplete = (namespace) => `apiVersion: core.gardener.cloud/v1beta1\nkind: NamespacedCloudProfile\nmetadata:\n  name: mine\n  namespace: ${namespace}\nspec: {}\n`;
  await putContext(page, ["garden-a", "garden-b"].map(incomplete).join("---\n"));
  await ask(page);
  for (const namespace of ["garden-a", "garden-b"]) {
    await dialog(page).getByText(`The NamespacedCloudProfile ${namespace}/mine under Context is not offered:`).waitFor();
  }
});

test("a NamespacedCloudProfile is offered where its parent under Context is incomplete and another one of its name is there, which takes the place of that", async (t) => {
  const [own, parent] = (await example("namespaced-cloudprofile")).split(/^---\n/m);
  const page = await open(t, { hash: "#example=two-zones" });
  await paste(page, parent);
  await putContext(page, `${parent.slice(0, parent.indexOf("spec:\n"))}spec: {}\n---\n${own}`);
  await ask(page);
  await dialog(page).getByLabel("Provider").selectOption("alicloud");
  await dialog(page).getByLabel("CloudProfile").selectOption("context garden-dev/alicloud-dev");
  await make(page);
  assert.equal(await contextOf(page), `${own}---\n${parent}`);
  assert.match(await verdict(page).innerText(), /^✓\s+No errors found/);
});
