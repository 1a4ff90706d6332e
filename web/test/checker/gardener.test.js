// Gardener's own rules next to the provider's, in a review.
import assert from "node:assert/strict";
import { test } from "node:test";
import { startChecker } from "trellis-policy/checker";
import { exampleText } from "./texts.js";
import { Policies } from "../../dist/checker/policies.js";
import { serve } from "../../dist/checker/serve.js";
import { Reviewer } from "../../dist/checker/review.js";
import { load, loadAddresses, loadGardener, loadInfrastructure } from "trellis-policy";

const five = await exampleText("five-mistakes");
const unsupported = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata:\n  name: a\n  namespace: b\nspec:\n  region: here\n  provider:\n    type: ironcore\n";

test("the first review does not wait for Gardener's rules, and shows when there is more to say", async (t) => {
  let more;
  const reported = new Promise((resolve) => (more = resolve));
  const checker = startChecker({ onMore: () => more() });
  t.after(() => checker.close());
  const first = (await checker.review({ text: five })).documents;
  assert.ok(first.every(({ isPreliminary }) => isPreliminary));
  assert.ok(first.every(({ ruling }) => ruling.findings.every(({ source }) => source === "alicloud")));
  assert.ok(first.every(({ ruling }) => ruling.scope.notChecked.includes("gardener")));
  const timer = setTimeout(() => {}, 60_000); // Node ends a process in which nothing is asked.
  await reported;
  clearTimeout(timer);
  const second = (await checker.review({ text: five })).documents;
  assert.ok(second.every(({ isPreliminary }) => isPreliminary === undefined));
  for (const { ruling } of second) {
    assert.deepEqual(ruling.scope.checked.map((entry) => entry.split(" ")[0]), ["gardener", "provider-alicloud"]);
    assert.ok(!ruling.scope.notChecked.includes("gardener"));
  }
});

test("a manifest for a stored Shoot is judged as kubectl apply sends it, at once", async (t) => {
  const live = five.replace("kind: Shoot\nmetadata:\n", "kind: Shoot\nmetadata:\n  uid: a\n");
  const text = five.replace("\n  region: eu-central-1\n", "\n");
  const reviewOf = async (input) => {
    const checker = startChecker();
    t.after(() => checker.close());
    return (await checker.review(input)).documents[1];
  };
  const immutable = ({ ruling }) => ruling.findings.filter(({ detail }) => detail === "field is immutable").map(({ pointer }) => pointer);
  const applied = await reviewOf({ text, old: live });
  assert.deepEqual([applied.isUpdate, applied.isApplied, applied.isPreliminary], [true, true, undefined]);
  assert.deepEqual(immutable(applied), []);
  const replaced = await reviewOf({ text: text.replace("kind: Shoot\nmetadata:\n", "kind: Shoot\nmetadata:\n  uid: a\n"), old: live, wait: true });
  assert.equal(replaced.isApplied, undefined);
  assert.deepEqual(immutable(replaced), ["/spec/region"]);
});

test("a value of an export that the profile lacks is open, and a resource version of a new Shoot is refused", async (t) => {
  const checker = startChecker();
  t.after(() => checker.close());
  const of = async (key, text = five) => (await checker.review({ text: text.replace("kind: Shoot\nmetadata:\n", `kind: Shoot\nmetadata:\n  ${key}\n`), wait: true })).documents[1];
  const { ruling } = await of("uid: a", five.replace("type: ecs.g7.large\n        image", "type: ecs.gone\n        image"));
  assert.ok(ruling.undecided.some(({ rule }) => rule === "ADM-MACH-010"), JSON.stringify(ruling.undecided));
  assert.ok(ruling.findings.every(({ rule }) => rule !== "ADM-MACH-010"));
  const [{ rule, isFixable }] = (await of("resourceVersion: '5'")).ruling.findings;
  assert.deepEqual([rule, isFixable], ["GDN-META-021", true]);
});

test("an old manifest leaves the image to Gardener as the new one does, and what only Gardener chose makes no error", async (t) => {
  const checker = startChecker();
  t.after(() => checker.close());
  const bare = five.replace(/\n {8}image:\n {10}name: .*\n {10}version: .*\n/, "\n");
  assert.notEqual(bare, five);
  const of = async (text, old) => (await checker.review({ text, old, wait: true })).documents[1].ruling;
  const same = await of(bare, bare);
  assert.deepEqual(same.findings.filter(({ rule }) => rule.startsWith("GDN-WRK") || rule.startsWith("GDN-UPD")), []);
  const lower = five.replace("version: 1.33.2\n  maintenance", "version: 1.32.0\n  maintenance");
  const open = five.replace("version: 1.33.2\n  maintenance", 'version: "1.33"\n  maintenance');
  const downgraded = await of(lower, five);
  assert.ok(downgraded.findings.some(({ rule }) => rule.startsWith("GDN-UPD")), "a downgrade is refused");
  const chosen = await of(lower, open);
  assert.ok(!chosen.findings.some(({ rule }) => rule.startsWith("GDN-UPD")), JSON.stringify(chosen.findings));
  assert.ok(chosen.undecided.some(({ rule, why }) => rule.startsWith("GDN-UPD") && why.includes("nobody knows here what Gardener chose")));
});

test("a scope names only what the Shoot has", async (t) => {
  const checker = startChecker();
  t.after(() => checker.close());
  const [, { ruling }] = (await checker.review({ text: five, wait: true })).documents;
  assert.ok(!ruling.scope.notChecked.includes("the seed"));
  const [, more] = (await checker.review({ text: five.replace("  region: eu", "  seedName: ali\n  region: eu"), wait: true })).documents;
  assert.ok(more.ruling.scope.notChecked.includes("the seed"));
});

test("a review that waits has all rules at once", async (t) => {
  const checker = startChecker();
  t.after(() => checker.close());
  const [{ isPreliminary, ruling }] = (await checker.review({ text: five, wait: true })).documents;
  assert.equal(isPreliminary, undefined);
  assert.ok(ruling.scope.parts.includes("structure"));
});

test("a Shoot of a provider without a policy is judged by Gardener's rules, once they are there", async (t) => {
  const checker = startChecker();
  t.after(() => checker.close());
  const [first] = (await checker.review({ text: unsupported })).documents;
  assert.deepEqual([first.ruling, first.unsupported, first.isPreliminary], [undefined, "ironcore", true]);
  const [{ ruling, skipped, provider }] = (await checker.review({ text: unsupported, wait: true })).documents;
  assert.deepEqual(skipped, { because: "provider", found: "ironcore" });
  assert.equal(provider, undefined);
  assert.equal(ruling.scope.notChecked[0], "ironcore's rules");
  assert.ok(ruling.findings.every(({ source }) => source === "gardener"));
});

test("findings of both are in the order of the text, at their lines", async (t) => {
  const checker = startChecker();
  t.after(() => checker.close());
  const text = five.replace("\n  region: eu-central-1\n", "\n  region: mars-1\n").replace("type: ecs.g7.large\n        image", "type: ecs.doesnotexist\n        image");
  const [, { ruling }] = (await checker.review({ text, wait: true })).documents;
  const places = ruling.findings.filter(({ range }) => range).map(({ source, line }) => [source, line]);
  assert.deepEqual(places, [...places].sort(([, one], [, other]) => one - other));
  const lines = text.split("\n");
  const of = (source) => places.filter(([whose]) => whose === source).map(([, line]) => lines[line - 1].trim());
  assert.ok(of("gardener").includes("region: mars-1"), of("gardener").join());
  assert.ok(of("gardener").includes("type: ecs.doesnotexist"), of("gardener").join());
  assert.ok(of("alicloud").includes("workers: 10.250.1.0/19"), of("alicloud").join());
});

test("the rules of Gardener have words", async (t) => {
  const checker = startChecker();
  t.after(() => checker.close());
  const rules = await checker.rules("gardener");
  assert.ok(rules.length > 0 && rules.every(({ id, summary }) => /^[A-Z]+-/.test(id) && summary !== ""));
});

test("where Gardener's rules cannot be had, the provider's answer stands, says so, and each review tries again", async () => {
  let isThere = false;
  const gardener = async () => {
    if (!isThere) throw new Error("no net");
    return loadGardener();
  };
  const reviewer = new Reviewer(new Policies({ load, loadAddresses, loadInfrastructure, loadGardener: gardener }, () => {}));
  const review = async () => (await reviewer.review({ text: five })).documents[1];
  assert.equal((await review()).isPreliminary, true);
  assert.equal(await reviewer.fetchMore(), true, "why they are not there is worth a review");
  const { isPreliminary, gardenerError, ruling } = await review();
  assert.deepEqual([isPreliminary, gardenerError, ruling.verdict], [undefined, "no net", "reject"]);
  assert.ok(ruling.scope.notChecked.includes("gardener"));
  assert.equal(await reviewer.fetchMore(), false, "that is known already");
  isThere = true;
  assert.equal(await reviewer.fetchMore(), true);
  assert.equal((await review()).gardenerError, undefined);
  assert.equal(await reviewer.fetchMore(), false);
});

/** What makes workers of a checker in this thread. */
const workerOf = (loaders) => () => {
  const listeners = {};
  const run = serve(loaders, (data) => setImmediate(() => listeners.message({ data })));
  return { addEventListener: (type, listener) => (listeners[type] = listener), postMessage: (message) => void run(structuredClone(message)), terminate() {} };
};

test("a review whose Gardener's rules could not be loaded hears of it when a later try succeeds", async (t) => {
  let isThere = false;
  const loaders = { load, loadAddresses, loadInfrastructure, loadGardener: () => (isThere ? loadGardener() : Promise.reject(new Error("no net"))) };
  const checker = startChecker({ worker: workerOf(loaders) });
  t.after(() => checker.close());
  const reported = () => new Promise((resolve) => void checker.review({ text: five }, { onMore: resolve }));
  // Why they are not there is worth a review.
  await reported();
  const [, { gardenerError }] = (await checker.review({ text: five })).documents;
  assert.equal(gardenerError, "no net");
  isThere = true;
  await reported();
  assert.equal((await checker.review({ text: five })).documents[1].gardenerError, undefined);
});

test("a review that waited for Gardener's rules says why they are not there, and hears of no later try", async (t) => {
  let isThere = false;
  const loaders = { load, loadAddresses, loadInfrastructure, loadGardener: () => (isThere ? loadGardener() : Promise.reject(new Error("no net"))) };
  const checker = startChecker({ worker: workerOf(loaders) });
  t.after(() => checker.close());
  const reported = [];
  const { documents } = await checker.review({ text: five, wait: true }, { onMore: () => reported.push("waited") });
  assert.deepEqual([documents[1].gardenerError, documents[1].isPreliminary], ["no net", undefined]);
  isThere = true;
  await new Promise((resolve) => void checker.review({ text: five }, { onMore: resolve }));
  assert.deepEqual(reported, []);
});

test("of reviews without Gardener's rules, the last 100 hear of a later try, so that a checker keeps no more", async (t) => {
  let isThere = false;
  const loaders = { load, loadAddresses, loadInfrastructure, loadGardener: () => (isThere ? loadGardener() : Promise.reject(new Error("no net"))) };
  const checker = startChecker({ worker: workerOf(loaders) });
  t.after(() => checker.close());
  const text = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: a}\n";
  await new Promise((resolve) => void checker.review({ text }, { onMore: resolve }));
  const reported = [];
  for (let at = 0; at < 103; at += 1) await checker.review({ text }, { onMore: () => reported.push(at) });
  isThere = true;
  await new Promise((resolve) => void checker.review({ text }, { onMore: resolve }));
  assert.deepEqual([reported.length, reported[0]], [99, 4], "the last review is one of them");
});

test("nothing is loaded for objects that Gardener's rules do not judge", async () => {
  const never = () => assert.fail("it is not needed");
  const reviewer = new Reviewer(new Policies({ load, loadAddresses, loadInfrastructure, loadGardener: never }, () => {}));
  const [{ isPreliminary, ruling }] = (await reviewer.review({ text: await exampleText("backupbucket") })).documents;
  assert.deepEqual([isPreliminary, ruling.verdict], [undefined, "accept"]);
  assert.equal(await reviewer.fetchMore(), false);
});

test("the fields of the garden's API server count in a review", async (t) => {
  const checker = startChecker();
  t.after(() => checker.close());
  const text = unsupported.replace("  region:", "  brandNew: 1\n  region:");
  const openapi = JSON.stringify({ Shoot: { apiVersion: {}, kind: {}, metadata: {}, spec: { brandNew: {}, provider: {} } } });
  const found = async (input) => {
    const { documents } = await checker.review({ text, wait: true, ...input });
    return documents[0].ruling.findings.filter(({ rule }) => rule?.startsWith("DEC-")).map(({ pointer, severity }) => [pointer, severity]);
  };
  assert.deepEqual(await found({}), [["/spec/brandNew", "warning"]]);
  assert.deepEqual(await found({ openapi }), [["/spec/region", "error"]]);
  await assert.rejects(checker.review({ text, openapi: {} }), { code: "Malformed" });
});

test("a review names the profiles of the context, and where their names stand", async (t) => {
  const checker = startChecker();
  t.after(() => checker.close());
  const context = "kind: CloudProfile\nmetadata: {name: a}\n---\nkind: NamespacedCloudProfile\nmetadata: {name: b, namespace: c}\n---\nkind: Project\nmetadata: {name: d}\n";
  const { contextProfiles } = await checker.review({ text: unsupported, context });
  const names = contextProfiles.map(({ kind, namespace, name, from, to }) => [kind, namespace, name, context.slice(from, to)]);
  assert.deepEqual(names, [["CloudProfile", undefined, "a", "a"], ["NamespacedCloudProfile", "c", "b", "b"]]);
});
