// The package with what judges, as others get it: packed, installed in an empty project, and run there.

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { providers } from "trellis-policy";
import { npm, pack, runProgram } from "./project.js";

const LIMIT = 3_000_000;
const NAME = "trellis-policy-judging";

let packed;
let project;
before(async () => {
  packed = await pack(fileURLToPath(new URL("../judging/", import.meta.url)));
  project = join(packed.folder, "empty");
  await mkdir(project);
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await npm(project, "install", "--prefer-offline", "--no-audit", "--no-fund", packed.tarball);
});
after(() => packed?.remove());

/** What a program in the project calls `reported`. */
const reported = async (code) => JSON.parse(await runProgram(project, `${code}\nconsole.log(JSON.stringify(reported));`));

test("it holds the modules that judge, the code around them and nothing else, in 3 MB", async () => {
  const belongs = /^(dist\/[\w/-]+\.(js|d\.ts)|dist\/policies\/\w+_bg\.wasm|package\.json|README\.md|LICENSE|THIRD-PARTY\.md)$/;
  assert.deepEqual(packed.files.filter((file) => !belongs.test(file) || file.startsWith("dist/vue")), []);
  const modules = packed.files.filter((file) => file.endsWith(".wasm"));
  assert.deepEqual(modules.sort(), ["gardener", ...providers].map((name) => `dist/policies/${name}_bg.wasm`).sort());
  assert.ok(packed.unpackedSize <= LIMIT, `${packed.unpackedSize} bytes`);
  const { messages, pkg } = await publint({ pack: { tarball: await readFile(packed.tarball) }, strict: true });
  assert.deepEqual(messages.map((message) => formatMessage(message, pkg)), []);
  assert.ok(!("private" in pkg) && !("scripts" in pkg));
});

test("its entry points are those of the whole package, but for components and files of data", async () => {
  const exportsOf = async (file) => Object.keys(JSON.parse(await readFile(file, "utf8")).exports);
  const here = await exportsOf(join(project, "node_modules", NAME, "package.json"));
  const whole = await exportsOf(new URL("../package.json", import.meta.url));
  assert.deepEqual(whole.filter((entry) => !here.includes(entry)), ["./vue", "./vue/editor", "./vue.css", "./*.rules.json", "./schemas/*"]);
  assert.deepEqual(here.filter((entry) => !whole.includes(entry)), []);
});

test("`check` and a checker judge a Shoot, and complete it", async () => {
  const answers = await reported(`
    import { check } from "${NAME}";
    import { startChecker } from "${NAME}/checker";
    import { gardenerSchemas, graft, schemas } from "${NAME}/schema";
    import { parse } from "${NAME}/yaml";
    const networks = { vpc: { cidr: "10.250.0.0/16" }, zones: [{ name: "eu-central-1a", workers: "10.250.0.1/19" }] };
    const infrastructureConfig = { apiVersion: "alicloud.provider.extensions.gardener.cloud/v1alpha1", kind: "InfrastructureConfig", networks };
    const workers = [{ name: "cpu", minimum: 1, maximum: 2, machine: { type: "ecs.g7.large" }, zones: ["eu-central-1a"] }];
    const networking = { nodes: "10.250.0.0/16", pods: "172.16.0.0/16", services: "172.17.0.0/20" };
    const spec = { region: "eu-central-1", networking, provider: { type: "alicloud", infrastructureConfig, workers } };
    const object = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", metadata: { name: "small", namespace: "garden-dev" }, spec };
    const of = (findings) => [...new Set(findings.map(({ source }) => source))].sort();
    const { verdict, findings } = await check({ object });
    const checker = startChecker();
    const { documents: [{ ruling }] } = await checker.review({ text: JSON.stringify(object), wait: true });
    checker.close();
    const [configs, { Shoot }] = await Promise.all([schemas("alicloud"), gardenerSchemas()]);
    const grafted = graft(Shoot, configs).properties.spec.properties.provider.properties.infrastructureConfig;
    const reported = { check: [verdict, of(findings)], checker: [ruling.verdict, of(ruling.findings)], isGrafted: "networks" in grafted.properties, read: parse("a: 1").length };
  `);
  const judged = ["reject", ["alicloud", "gardener"]];
  assert.deepEqual(answers, { check: judged, checker: judged, isGrafted: true, read: 1 });
});

test("what its README imports is there", async () => {
  const readme = await readFile(join(project, "node_modules", NAME, "README.md"), "utf8");
  const [imports] = /(?<=```ts\n)[^]*?(?=```)/.exec(readme);
  const names = Array.from(imports.matchAll(/\{ (.+) \}/g), ([, names]) => names.split(", ")).flat();
  assert.ok(names.length > 4);
  assert.deepEqual(await reported(`${imports}const reported = [${names}].map((it) => typeof it);`), names.map(() => "function"));
});

test("what it leaves out is an error that names the package that has it", async () => {
  const answers = await reported(`
    import { load, loadAddresses, loadInfrastructure, loadRendering } from "${NAME}";
    import { loadMutations } from "${NAME}/alicloud/mutations";
    import { loadPlans } from "${NAME}/alicloud/plans";
    import { startChecker } from "${NAME}/checker";
    import { startWorker } from "${NAME}/worker";
    const provider = "alicloud";
    const object = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", metadata: { name: "small" }, spec: { provider: { type: provider } } };
    const failed = (load) => load({ provider }).then(() => "loaded", ({ name, message }) => [name, message]);
    const said = ({ error }) => [error?.code, error?.message];
    const [policy, worker, checker] = [await load({ provider }), await startWorker({ provider }), startChecker()];
    const { documents: [{ addressesError }] } = await checker.review({ text: JSON.stringify(object), addresses: true });
    const loads = await Promise.all([loadAddresses, loadInfrastructure, loadRendering, () => loadMutations(), () => loadPlans()].map(failed));
    const calls = [await policy.rules(), await policy.addresses({ object }), await worker.rules(), await worker.rollout({ object, oldObject: object })].map(said);
    worker.close();
    checker.close();
    const reported = { loads, calls, addressesError };
  `);
  const message = (file) => `${file} is in the package \`trellis-policy\`, and not in \`${NAME}\`, which only judges: install \`trellis-policy\` in its place`;
  const [addresses, rules] = ["alicloud-addresses_bg.wasm", "alicloud.rules.json"].map(message);
  const parts = ["addresses", "infrastructure", "rendering", "mutations", "plans"];
  assert.deepEqual(answers, {
    loads: parts.map((part) => ["LoadError", message(`alicloud-${part}_bg.wasm`)]),
    calls: [rules, addresses, rules, addresses].map((text) => ["NotPackaged", text]),
    addressesError: addresses,
  });
});
