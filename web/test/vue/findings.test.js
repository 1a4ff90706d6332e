import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertAccessible, emitted, open } from "./browser.js";
import * as documents from "./documents.js";

const { accepted, finding, many, mistakes, nothing, unjudged } = documents;

let browser;
before(async () => {
  browser = await open();
});
after(() => browser?.close());

const show = (props, options) => browser.show("FindingsPanel", props, options);
const update = (page, props) => page.evaluate((props) => window.page.update(props), props);
const copy = (props) => JSON.parse(JSON.stringify(props));
/** The document with the mistakes. */
const wrong = ({ documents }) => documents.at(-1);

test("findings are shown by severity, then what is undecided, then what was checked", async () => {
  const page = await show(mistakes);
  assert.deepEqual(await page.locator("h3").allTextContents(), ["Errors 4", "Warnings 1", "Undecided here 2", "Checked here"]);
  const [first, , , defaulted] = await page.locator('[data-part="error"] li').allInnerTexts();
  assert.match(first, /zones\[0\]\.workers\s+line 55\s+ALI-INF-003\s+Invalid value: "10\.250\.1\.0\/19": must be valid canonical CIDR\s+write the first address of the range: 10\.250\.0\.0\/19\s+Fix/);
  assert.match(defaulted, /Set by default: a data volume without a size/);
  assert.deepEqual(await page.locator('[data-part="error"] li').first().locator("code").allInnerTexts(), ["10.250.0.0/19"]);
  const [undecided] = await page.locator('[data-part="undecided"] li').allInnerTexts();
  assert.match(undecided, /the extension checks it on submit\s+The cloud says it: vpc DescribeVSwitches\./);
  assert.deepEqual(await page.locator(".trellis-checked").allInnerTexts(), [
    "CloudProfile alicloud\n✓ accepted\nAccepted by Gardener's rules (v1.150, structure) and alicloud's (v1.72). Not checked: the seed.",
    "Shoot garden-dev/five-mistakes\n✕ rejected\n4 errors, 1 warning, 2 rules undecided, by Gardener's rules (v1.150, structure) and alicloud's (v1.72).",
  ]);
});

test("a report that lacks findings says so, and an update of the object itself is distinguished from one of an old object", async () => {
  const props = copy(mistakes);
  const [first, last] = [props.documents[0], wrong(props)];
  Object.assign(first, { isUpdate: true, isOfItself: true });
  Object.assign(last, { isUpdate: true });
  last.ruling.truncated = ["error", "warning"];
  const page = await show(props);
  const sentence = await page.locator(".trellis-checked").last().innerText();
  assert.match(sentence, /by Gardener's rules .* and alicloud's \(v1\.72\)\. There are more errors and warnings than are listed\. Fix these/);
  const titles = await page.locator(".trellis-checked .trellis-badge").evaluateAll((found) => found.map(({ title }) => title));
  assert.deepEqual(titles, [
    "This object is there already: it is judged as an update of itself",
    "This is an update of the old object",
  ]);
});

test("what follows from a finding stands folded below it, and so do many supported values", async () => {
  const props = copy(mistakes);
  const { findings } = wrong(props).ruling;
  const [first, second] = findings.filter(({ severity }) => severity === "error");
  second.causedBy = { rule: first.rule, pointer: first.pointer };
  first.supported = ["one", "two", "three"];
  const page = await show(props);
  assert.match(await page.locator("h3").first().innerText(), /Errors\s+3/);
  const row = page.locator('[data-part="error"] .trellis-finding').first();
  assert.match(await row.innerText(), /none of the 3 supported values/);
  await row.getByText("One more finding follows from this").click();
  assert.match(await row.locator("[data-followers] li").innerText(), new RegExp(second.rule));
  await row.getByText("All 3 supported values").click();
  assert.deepEqual(await row.locator("[data-supported] li").allInnerTexts(), ["one", "two", "three"]);
  assert.match(await page.locator(".trellis-checked").last().innerText(), /3 errors/);
  await assertAccessible(page);
});

test("findings are grouped by object only where there are several", async () => {
  const several = await show(mistakes);
  assert.equal(await several.locator("h4").first().innerText(), "Shoot garden-dev/five-mistakes");
  const one = await show({ documents: [wrong(mistakes)] });
  assert.equal(await one.locator("h4").count(), 0);
});

test("a fix is offered only where there is one, and events notify the document and the finding", async () => {
  const page = await show(mistakes);
  assert.equal(await page.getByRole("button", { name: /^Fix/ }).count(), 2);
  await page.getByRole("button", { name: /^Fix ALI-INF-003 at/ }).click();
  await page.getByRole("button", { name: /spec\.networking\.pods\s+line 86/ }).click();
  await page.getByRole("button", { name: "About the rule ALI-WRK-030" }).click();
  await page.getByRole("button", { name: "About the rule ALI-SEC-003" }).click();
  const events = await emitted(page);
  const { findings } = wrong(mistakes).ruling;
  assert.deepEqual(events, [
    ["fix", { document: wrong(mistakes), finding: findings[0] }],
    ["select", { document: wrong(mistakes), finding: findings[2] }],
    ["rule", "ALI-WRK-030"],
    ["rule", "ALI-SEC-003"],
  ]);
});

test("the nearest values are buttons, each of which is a fix of its finding", async () => {
  const props = copy(mistakes);
  const [first] = wrong(props).ruling.findings;
  const place = "/spec/provider/workers/0/machine/type";
  Object.assign(first, { rule: "ADM-MACH-010", field: "spec.provider.workers[0].machine.type", pointer: place });
  Object.assign(first, { badValue: "ecs.g6.lrge", choices: ["ecs.g6.large", "ecs.g7.large"], isChoosable: true, isFixable: false });
  delete first.fix;
  const page = await show(props);
  assert.deepEqual(await page.locator(".trellis-choices").allInnerTexts(), ["The nearest: ecs.g6.large ecs.g7.large"].map((text) => text.replaceAll(" ecs", "\necs")));
  await page.getByRole("button", { name: "Write ecs.g7.large at spec.provider.workers[0].machine.type" }).click();
  const fix = [{ op: "replace", path: place, value: "ecs.g7.large" }];
  assert.deepEqual(await emitted(page), [["fix", { document: wrong(props), finding: { ...first, fix, isFixable: true } }]]);
  await assertAccessible(page);

  const other = copy(props);
  wrong(other).ruling.findings[0].choices = ["ecs.c7.large"];
  await update(page, other);
  assert.match(await page.locator(".trellis-choices").innerText(), /ecs\.c7\.large$/);
  delete wrong(other).ruling.findings[0].isChoosable;
  await update(page, other);
  assert.equal(await page.locator(".trellis-choices").count(), 0);
});

test("focus stays in the panel when the finding that has it goes", async () => {
  const page = await show(mistakes);
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await page.getByRole("button", { name: /^Fix ALI-INF-003 at/ }).focus();
  const fixed = copy(mistakes);
  wrong(fixed).ruling.findings.shift();
  await update(page, fixed);
  assert.match(await focused(), new RegExp(`line ${wrong(fixed).ruling.findings[0].line}$`));
  await update(page, { documents: [] });
  assert.equal(await page.evaluate(() => document.activeElement.className), "trellis trellis-findings");
});

test("events notify the newest finding, also where nothing that is shown has changed", async () => {
  const page = await show(mistakes);
  const newer = copy(mistakes);
  wrong(newer).ruling.findings[0].range = { from: 90, to: 99 };
  await update(page, newer);
  await page.getByRole("button", { name: /^Fix ALI-INF-003/ }).click();
  const [[, chosen]] = await emitted(page);
  assert.deepEqual(chosen.finding.range, { from: 90, to: 99 });
});

test("why an object is not judged, and what happens next, is said in words", async () => {
  const page = await show(unjudged);
  const texts = (await page.locator(".trellis-checked").allInnerTexts()).map((text) => text.replaceAll("\n", " "));
  assert.deepEqual(texts, [
    "Deployment web – not judged No policy here judges a Deployment of core.gardener.cloud/v1beta1.",
    "Shoot elsewhere – not judged openstack is not supported yet: none of its rules was asked of the object.",
    "Shoot nameless – not judged The Shoot names no provider. Set spec.provider.type.",
    "Document in line 30 – not judged The text cannot be read, so no rule was asked.",
    "Shoot crash – not judged The policy crashed on this object. It has been started again, and the next change is checked again. PolicyTrapped: unreachable executed",
    "Shoot slow – not judged The check took too long and was ended. The next change is checked again. DeadlineExceeded: no answer in 10 s",
    "Shoot changed update ✕ rejected 1 error, by Gardener's rules (v1.150, structure) and alicloud's (v1.72).",
  ]);
});

test("what is wrong with the text itself is an error that one can go to", async () => {
  const page = await show(unjudged);
  await page.getByRole("button", { name: "Text" }).click();
  const [[event, { problem }]] = await emitted(page);
  assert.equal(event, "problem");
  assert.deepEqual(problem, unjudged.documents[3].problems[0]);
});

test("an object that could not be judged is an error with its line", async () => {
  const [base] = accepted.documents;
  const error = { code: "Malformed", message: "metadata: expected an object, found a string" };
  const ruling = { error, range: { from: 40, to: 46 }, line: 3, findings: [], undecided: [], changes: [] };
  const page = await show({ documents: [{ ...base, ruling }] });
  assert.match(await page.locator('[data-part="error"] li').innerText(), /line 3\s+.*metadata: expected an object/s);
  await page.getByRole("button", { name: /line 3/ }).click();
  const [[, { problem }]] = await emitted(page);
  assert.deepEqual([problem.from, problem.to], [40, 46]);
});

test("problems of a text have their lines, and no verdict stands next to them", async () => {
  const [base] = accepted.documents;
  const problem = { from: 5, to: 9, line: 7, message: "the key `kind` is already set in line 2", remedy: "keep one", readable: true };
  const page = await show({ documents: [{ ...base, problems: [problem] }] });
  await page.getByRole("button", { name: "Text line 7" }).waitFor();
  const checked = await page.locator(".trellis-checked").innerText();
  assert.match(checked, /Its text has 1 problem, to be fixed first\. The rules say of the rest: no findings\./);
  assert.doesNotMatch(checked, /accepted/i);
});

test("a finding without a field names its place, and a kind of another version the version that there is", async () => {
  const [base] = accepted.documents;
  const denied = finding({ type: "Denied", field: "", pointer: "/spec/provider/workers/0", detail: "no" });
  const rejected = { ...base.ruling, verdict: "reject", findings: [denied] };
  const skipped = { because: "kind", found: "Shoot" };
  const { ruling: _, ...unjudged } = base;
  const page = await show({ documents: [{ ...base, ruling: rejected }, { ...unjudged, from: 2000, kind: "Shoot", apiVersion: "v1", skipped }] });
  assert.match(await page.locator(".trellis-finding").innerText(), /^spec\.provider\.workers\[0\]/);
  const reported = /No policy here judges a Shoot of v1\. That of Gardener has apiVersion: core\.gardener\.cloud\/v1beta1\./;
  assert.match((await page.locator(".trellis-checked").last().innerText()).replaceAll("\n", " "), reported);
});

test("an object of a seed is not judged, and what shows what becomes of it is named", async () => {
  const [{ ruling: _, ...base }] = accepted.documents;
  for (const kind of ["BackupBucket", "BackupEntry", "DNSRecord", "Infrastructure", "Worker"]) {
    const page = await show({ documents: [{ ...base, kind, apiVersion: "extensions.gardener.cloud/v1alpha1", skipped: { because: "kind", found: kind } }] });
    const reported = (await page.locator(".trellis-checked").last().innerText()).replaceAll("\n", " ");
    assert.match(reported, new RegExp(`No policy here judges a ${kind} of extensions\\.gardener\\.cloud/v1alpha1\\.`));
    assert.equal(/trellis plan shows what becomes of them/.test(reported), kind !== "Worker", reported);
    assert.doesNotMatch(reported, /That of Gardener|accepted/i);
  }
});

test("an object that is not judged has no rule next to its error, and nothing in its place", async () => {
  const [base] = accepted.documents;
  const { ruling: _, ...rest } = base;
  const wrong = finding({ pointer: "/kind", field: "kind", detail: "Gardener has no kind `Shot`", source: "gardener" });
  const ruling = { findings: [{ ...wrong, rule: undefined }], undecided: [], changes: [] };
  const page = await show({ documents: [{ ...rest, kind: "Shot", ruling, skipped: { because: "kind", found: "Shot" } }] });
  assert.equal(await page.locator(".trellis-finding-head .trellis-badge").count(), 0);
  assert.match(await page.locator(".trellis-finding-head").innerText(), /^kind\s+(line \d+\s+)?Gardener$/);
});

test("objects without a name have their lines, because others may look the same", async () => {
  const [base] = accepted.documents;
  const { name: _, ...rest } = base;
  const nameless = [1, 30, 60].map((line) => ({ ...rest, line, from: line, kind: "Shoot", namespace: "garden-dev" }));
  const documents = nameless.map((document) => (document.line < 60 ? { ...document, generateName: "my-" } : document));
  const page = await show({ documents });
  const names = (await page.locator(".trellis-checked").allInnerTexts()).map((text) => text.split("\n")[0]);
  assert.deepEqual(names, ["Shoot garden-dev/my-… in line 1", "Shoot garden-dev/my-… in line 30", "Shoot in line 60"]);
});

test("findings of rules for updates alone are marked in an update", async () => {
  const page = await show(unjudged);
  assert.match(await page.locator('[data-part="error"] li').last().innerText(), /spec\.region\s+line 64\s+update\s+ALI-UPD-001/);
});

test("that nothing is wrong, and that there is nothing to check, is said", async () => {
  const fine = await show(accepted);
  assert.equal(await fine.locator(".trellis-fine").innerText(), "No errors and no warnings.");
  const empty = await show(nothing);
  assert.equal(await empty.locator(".trellis-empty").innerText(), "There is nothing to check yet.");
  assert.equal(await empty.locator("h3").count(), 0);
});

test("an application that says itself what was checked has it said once", async () => {
  const page = await show({ ...accepted, brief: true });
  assert.equal(await page.locator(".trellis-findings").innerText(), "no findings\n\nChecked here\nCloudProfile alicloud\n✓ accepted");
  await page.evaluate((props) => window.page.update(props), mistakes);
  assert.match(await page.locator(".trellis-findings").innerText(), /by Gardener's rules \(v1\.150/);
});

test("a summary is said aloud", async () => {
  const page = await show(mistakes);
  assert.equal(await page.getByRole("status").innerText(), "4 errors, 1 warning, 2 rules undecided");
  await update(page, accepted);
  assert.equal(await page.getByRole("status").innerText(), "no findings");
});

test("that a text is being checked is shown, and moves nothing", async () => {
  const page = await show(mistakes);
  const busy = page.locator(".trellis-busy");
  const before = await page.locator("h3").first().boundingBox();
  assert.ok(!(await busy.isVisible()));
  await update(page, { busy: true });
  assert.ok(await busy.isVisible());
  assert.deepEqual(await page.locator("h3").first().boundingBox(), before);
});

test("of many findings the first 200 are shown, and more for each time that one asks", async () => {
  const page = await show(many(1_000));
  const rows = page.locator(".trellis-finding");
  assert.equal(await rows.count(), 200);
  const nodes = await page.evaluate(() => document.getElementsByTagName("*").length);
  assert.ok(nodes < 200 * 20 + 100, `${nodes} elements`);
  await page.getByRole("button", { name: "Show 200 more of 1,000" }).click();
  assert.equal(await rows.count(), 400);
  assert.match(await page.evaluate(() => document.activeElement.innerText), /workers\[200\]/);
  for (let at = 0; at < 3; at += 1) await page.getByRole("button", { name: /^Show 200 more/ }).click();
  assert.equal(await rows.count(), 1_000);
  assert.equal(await page.getByRole("button", { name: /^Show/ }).count(), 0);
});

test("five findings of one kind are one card with their number, which unfolds to their places; four are not", async () => {
  const zone = (at) => ({ detail: `zone "z-${at}" has no range`, isFixable: true, fix: [] });
  const four = await show(many(4, zone));
  assert.equal(await four.locator("[data-bundle]").count(), 0);
  const page = await show(many(40, zone));
  assert.equal(await page.locator("[data-part=error] h3").innerText(), "Errors\n40");
  assert.equal(await page.locator("[data-bundle]").count(), 1);
  assert.equal(await page.locator(".trellis-finding").count(), 0);
  assert.match(await page.locator("[data-bundle]").innerText(), /^40 places\s+ALI-INF-003\s+Such as: [^]*zone "z-0" has no range\s+Write the first address/i);
  const places = page.getByRole("button", { name: "40 places" });
  assert.equal(await places.getAttribute("aria-expanded"), "false");
  await places.focus();
  await page.keyboard.press("Enter");
  assert.equal(await places.getAttribute("aria-expanded"), "true");
  const rows = page.locator("[data-bundle] .trellis-finding");
  assert.equal(await rows.count(), 40);
  assert.match(await rows.nth(39).innerText(), /workers\[39\]\s+line 40[^]*zone "z-39" has no range\s+Fix$/);
  await rows.nth(39).getByRole("button", { name: "Fix ALI-INF-003 at spec.workers[39]" }).click();
  await rows.nth(2).getByRole("button", { name: /line 3/ }).click();
  const [fix, select] = await emitted(page);
  assert.deepEqual([fix[0], fix[1].finding.pointer, select[0], select[1].finding.pointer], ["fix", "/spec/39", "select", "/spec/2"]);
  await assertAccessible(page);
  await places.click();
  assert.equal(await rows.count(), 0);
});

test("a card of many says once what all of them say, and stands where the first of them does", async () => {
  const props = many(12, () => ({}));
  wrong(props).ruling.findings.splice(3, 0, finding({ rule: "ALI-INF-099", pointer: "/other", line: 4 }));
  wrong(props).ruling.findings.unshift(finding({ rule: "ALI-INF-098", pointer: "/before", line: 1 }));
  const page = await show(props);
  const rules = () => page.locator("[data-part=error] .trellis-rule").allInnerTexts();
  assert.deepEqual(await rules(), ["ALI-INF-098", "ALI-INF-003", "ALI-INF-099"]);
  await page.getByRole("button", { name: "12 places" }).click();
  assert.equal((await page.locator("[data-bundle]").innerText()).match(/must be valid canonical CIDR/g).length, 1);
  assert.deepEqual(await rules(), ["ALI-INF-098", "ALI-INF-003", "ALI-INF-099"]);
});

test("of 500 findings of one kind nothing is drawn but their card, and of their places 100 at once", async () => {
  const page = await show(many(500, () => ({})));
  const nodes = await page.evaluate(() => document.getElementsByTagName("*").length);
  assert.ok(nodes < 100, `${nodes} elements`);
  await page.getByRole("button", { name: "500 places" }).click();
  assert.equal(await page.locator(".trellis-finding").count(), 100);
  await page.getByRole("button", { name: "Show 100 more of 500" }).click();
  assert.equal(await page.locator(".trellis-finding").count(), 200);
  assert.match(await page.evaluate(() => document.activeElement.innerText), /workers\[100\]/);
});

test("an update changes only the rows that it is about", async () => {
  const page = await show(many(50));
  await page.evaluate(() => {
    window.changes = [];
    const observer = new MutationObserver((records) => window.changes.push(...records.map(({ type }) => type)));
    observer.observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
  });
  const changes = async (props) => {
    await update(page, props);
    return page.evaluate(() => window.changes.splice(0));
  };
  assert.deepEqual(await changes(many(50)), [], "the same findings");
  const moved = many(50);
  wrong(moved).ruling.findings[7].line = 1_000;
  assert.deepEqual(await changes(moved), ["childList"], "a finding in another line");
  const longer = many(50);
  wrong(longer).ruling.findings.unshift(finding({ pointer: "/metadata" }));
  const added = await changes(longer);
  assert.ok(added.length < 8, `one more finding: ${added}`);
});

for (const name of ["accepted", "mistakes", "nothing", "unjudged"]) {
  test(`${name}: axe finds nothing, light and dark, and nothing is wider than the page`, async () => {
    const page = await show(documents[name]);
    await assertAccessible(page);
  });
}

test("the page has no errors", () => assert.deepEqual(browser.complaints, []));

test("what only some rules accept is not called accepted, and says what is missing", async () => {
  const [base] = accepted.documents;
  const scope = { checked: ["gardener v1.150"], parts: ["structure"], notChecked: ["ironcore's rules", "the seed"] };
  const alone = { ...base, provider: undefined, skipped: { because: "provider", found: "ironcore" }, ruling: { ...base.ruling, scope } };
  const own = { checked: ["provider-alicloud v1.72.0-dev"], notChecked: ["gardener"] };
  const first = { ...base, from: 2000, isPreliminary: true, ruling: { ...base.ruling, scope: own } };
  const lost = { ...base, from: 3000, gardenerError: "no net", ruling: { ...base.ruling, scope: own } };
  const page = await show({ documents: [alone, first, lost] });
  const texts = (await page.locator(".trellis-checked").allInnerTexts()).map((text) => text.replaceAll("\n", " ").replace(/^.*?– /, ""));
  assert.deepEqual(texts, [
    "accepted in part Accepted by Gardener's rules (v1.150, structure). Not checked: ironcore's rules, the seed. ironcore is not supported yet: none of its rules was asked of the object.",
    "accepted in part Accepted by alicloud's rules (v1.72). Gardener's rules are not checked yet.",
    "accepted in part Accepted by alicloud's rules (v1.72). Not checked: what Gardener itself checks. Gardener's rules could not be loaded: no net. The next change tries again.",
  ]);
  assert.equal(await page.locator(".trellis-fine").count(), 0);
});

test("findings of something else than the rules, such as a plan, say nothing of the rules", async () => {
  const document = copy(wrong(mistakes));
  document.ruling = { findings: document.ruling.findings, undecided: [], changes: [] };
  const page = await show({ documents: [document] });
  assert.deepEqual(await page.locator("h3").allTextContents(), ["Errors 4", "Warnings 1"]);
  assert.equal(await page.getByText("The text cannot be read").count(), 0);
});

test("a plan that findings forbid leaves the verdict of the rules as it is", async () => {
  const planned = copy(accepted);
  for (const document of planned.documents) document.plan = { baseline: "empty", findings: [finding()], codes: [] };
  const sentences = async (props) => (await show(props)).locator(".trellis-checked").allInnerTexts();
  assert.deepEqual(await sentences(planned), await sentences(accepted));
});
