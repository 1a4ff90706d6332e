import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { LoadError, isProvider, load, loadAddresses, loadInfrastructure, modules, providers } from "trellis-policy";
import * as alone from "trellis-policy/alicloud";
import { startWorker } from "trellis-policy/worker";
import { moduleBytes } from "./examples.js";
import { hostileModule } from "./hostile/module.js";

const SHOOT = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", spec: { provider: { type: "alicloud" } } };
const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** Serves at `<status>/<type>` the module of alicloud with that content type and status, and at `never` nothing at all. */
let server;
let origin;
/** The requests for `never` that are open, how many there were, and what says that either changes. */
const open = new Set();
let asked = 0;
const changes = new EventEmitter();
before(async () => {
  const bytes = await moduleBytes("alicloud");
  server = createServer((request, response) => {
    const [status, type] = request.url.slice(1).split("/", 2);
    if (status === "never") {
      asked += 1;
      open.add(request);
      request.on("close", () => {
        open.delete(request);
        changes.emit("change");
      });
      return changes.emit("change");
    }
    response.writeHead(Number(status), { "Content-Type": decodeURIComponent(type) }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** The error that `load` rejects with. */
async function refusal(options) {
  const error = await load(options).then(
    () => assert.fail("the module was loaded"),
    (error) => error,
  );
  assert.ok(error instanceof LoadError, String(error));
  assert.equal(error.name, "LoadError");
  return error;
}

/** Waits until something is so of the requests for `never`. */
async function until(isSo) {
  while (!isSo()) await once(changes, "change", { signal: AbortSignal.timeout(30_000) });
}

test("an unknown provider is refused with those that there are", async () => {
  for (const provider of ["ironcore", "constructor", "", undefined]) {
    assert.match((await refusal({ provider })).message, new RegExp(providers.join(", ")));
  }
});

test("what is no WebAssembly is refused, with the reason", async () => {
  for (const module of [new Uint8Array(), new TextEncoder().encode("<!doctype html>")]) {
    const { message, cause } = await refusal({ provider: "alicloud", module });
    assert.match(message, /no WebAssembly module/);
    assert.ok(cause instanceof Error);
  }
});

const SOURCES = "a URL, a Response, the bytes of a WebAssembly module, a compiled one, or a promise of these";

test("what holds no module is refused with what would", async () => {
  const others = { Object: {}, 7: 7, null: null, "a function": () => {}, Blob: new Blob(), undefined: Promise.resolve() };
  for (const [given, module] of Object.entries(others)) {
    const { message } = await refusal({ provider: "alicloud", module });
    assert.equal(message, `\`module\` is ${SOURCES}, not ${given}`);
  }
  const { message } = await refusal({ provider: "alicloud", module: "alicloud.wasm" });
  assert.equal(message, "`module` is no absolute URL: `alicloud.wasm`");
  const { cause } = await refusal({ provider: "alicloud", module: Promise.reject(new Error("no network")) });
  assert.equal(cause.message, "no network");
});

test("an option that is none is refused by its name, with what it should be", async () => {
  const table = [
    [undefined, /^the options are an object such as .*, not undefined$/],
    [{ provider: "ironcore" }, /^ironcore is not supported yet; there are policies for alicloud, /],
    [{ provider: "" }, /^`provider` is a provider type, not ``; there are policies for alicloud, /],
    [{ provider: "alicloud", integritty: "sha384-" }, /^there is no option `integritty`; there are .*integrity/],
    [{ provider: "alicloud", timeout: 0 }, /^`timeout` is a number of milliseconds above 0, or Infinity, not `0`$/],
    [{ provider: "alicloud", timeout: Symbol("soon") }, /^`timeout` is .*, not `Symbol\(soon\)`$/],
    [{ provider: "alicloud", signal: {} }, /^`signal` is the signal of an AbortController, not Object$/],
    [{ provider: "alicloud", integrity: 7 }, /^`integrity` is .*, not 7$/],
    [{ provider: "alicloud", integrity: "" }, /^`integrity` is /],
    [{ provider: "alicloud", integrity: "md5-abc" }, /^`integrity` is .*, not `md5-abc`$/],
    [{ provider: "alicloud", integrity: "sha256-abc" }, /^`integrity` is .*, not `sha256-abc`$/],
  ];
  for (const start of [load, loadAddresses, loadInfrastructure, startWorker]) {
    for (const [options, message] of table) await assert.rejects(start(options), { name: "LoadError", message });
  }
  await assert.rejects(startWorker({ provider: "alicloud", worker: 7 }), { name: "LoadError", message: /^`worker` is a function/ });
  await assert.rejects(alone.load({ provider: "openstack" }), { name: "LoadError", message: /no option `provider`/ });
});

test("a text is a provider or not", () => {
  for (const provider of providers) assert.ok(isProvider(provider));
  for (const other of ["ironcore", "", "constructor", undefined, 7, [providers[0]]]) assert.ok(!isProvider(other), String(other));
});

test("a truncated module is refused", async () => {
  const bytes = await moduleBytes("alicloud");
  await refusal({ provider: "alicloud", module: bytes.subarray(0, bytes.length / 2) });
});

test("WebAssembly that is something else is refused", async () => {
  assert.match((await refusal({ provider: "alicloud", module: EMPTY_MODULE })).message, /not the policy of `alicloud`/);
});

test("the policy of another provider is refused", async () => {
  const module = await moduleBytes("equinixmetal");
  assert.match((await refusal({ provider: "alicloud", module })).message, /not the policy of `alicloud`/);
});

test("a failed download is refused with what was asked for", async () => {
  const missing = new URL(`${origin}/404/application%2Fwasm`);
  assert.match((await refusal({ provider: "alicloud", module: missing })).message, /404\/.* status 404/);
  assert.match((await refusal({ provider: "alicloud", module: await fetch(missing) })).message, /status 404/);
  const unreachable = await refusal({ provider: "alicloud", module: new URL("http://127.0.0.1:1/policy.wasm") });
  assert.match(unreachable.message, /cannot read http:\/\/127\.0\.0\.1:1\/policy\.wasm/);
  assert.ok(unreachable.cause instanceof Error);
});

test("a page served in place of the module is refused with its type", async () => {
  const module = new Response("<!doctype html>", { headers: { "Content-Type": "text/html" } });
  assert.match((await refusal({ provider: "alicloud", module })).message, /text\/html.*no WebAssembly module/);
});

test("the text of a URL is as good as the URL", async () => {
  const module = `${origin}/404/application%2Fwasm`;
  assert.match((await refusal({ provider: "alicloud", module })).message, /404\/.* status 404/);
});

test("callers who give the same module and hash share one policy, and others have their own", async () => {
  const module = new URL(`${origin}/200/application%2Fwasm`);
  const { integrity } = modules.alicloud;
  const [own, url, text, hashed] = await Promise.all([
    load({ provider: "alicloud" }),
    load({ provider: "alicloud", module }),
    load({ provider: "alicloud", module: module.href, timeout: 20_000 }),
    load({ provider: "alicloud", module, integrity }),
  ]);
  assert.equal(url, text);
  assert.equal(new Set([own, url, hashed]).size, 3);
  assert.equal(await load({ provider: "alicloud" }), own);
  for (const policy of [own, url, hashed]) assert.equal(policy.info().provider, "alicloud");
});

test("two modules of one provider answer side by side", async () => {
  const [real, hostile] = [await load({ provider: "alicloud" }), await load({ provider: "alicloud", module: await hostileModule() })];
  assert.equal(JSON.parse(hostile.call("count", "{}")).calls, 1);
  assert.equal(real.info().provider, "alicloud");
  assert.equal(JSON.parse(hostile.call("trap", "{}")).error.code, "PolicyTrapped");
  assert.equal(JSON.parse(hostile.call("count", "{}")).calls, 1);
  assert.equal(real.validate({ object: SHOOT }).verdict, (await alone.load()).validate({ object: SHOOT }).verdict);
});

test("a module comes as a URL, a text, a response, bytes, compiled, and as a promise of each", async () => {
  const bytes = await moduleBytes("equinixmetal");
  const url = new URL(import.meta.resolve("trellis-policy/equinixmetal.wasm"));
  const response = () => new Response(bytes, { headers: { "Content-Type": "application/wasm" } });
  const sources = [url, url.href, response(), bytes, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), await WebAssembly.compile(bytes)];
  for (const module of [...sources.map((source) => (source instanceof Response ? response() : source)), ...sources.map((source) => Promise.resolve(source))]) {
    const policy = await load({ provider: "equinixmetal", module });
    assert.equal(policy.info().provider, "equinixmetal");
  }
});

test("a failed load can be tried again", async () => {
  let isThere = false;
  const flaky = createServer(async (_, response) =>
    isThere ? response.setHeader("Content-Type", "application/wasm").end(await moduleBytes("alicloud")) : response.writeHead(503).end(),
  );
  await new Promise((resolve) => flaky.listen(0, "127.0.0.1", resolve));
  try {
    const module = `http://127.0.0.1:${flaky.address().port}/alicloud.wasm`;
    assert.match((await refusal({ provider: "alicloud", module })).message, /status 503/);
    isThere = true;
    assert.equal((await load({ provider: "alicloud", module })).info().provider, "alicloud");
  } finally {
    flaky.close();
  }
});

test("a module is compiled only if it has the hash that is asked for", async () => {
  const { integrity, bytes: size } = modules.alicloud;
  const bytes = await moduleBytes("alicloud");
  assert.equal(size, bytes.length);
  const other = `sha256-${"A".repeat(43)}=`;
  for (const module of [bytes, `${origin}/200/application%2Fwasm`]) {
    const policy = await load({ provider: "alicloud", module, integrity: `${other} ${integrity}` });
    assert.equal(policy.info().provider, "alicloud", "the strongest algorithm counts");
    const { message } = await refusal({ provider: "alicloud", module, integrity: other });
    assert.match(message, /is not the module that `integrity` names: it has `sha256-[^`]+`\. Serve/);
  }
  // What is no WebAssembly would be refused as that, if it were compiled first.
  assert.match((await refusal({ provider: "alicloud", module: new Uint8Array(8), integrity })).message, /is not the module/);
  const compiled = await WebAssembly.compile(bytes);
  assert.match((await refusal({ provider: "alicloud", module: compiled, integrity })).message, /give the bytes/);
  await assert.rejects(startWorker({ provider: "alicloud", module: bytes, integrity: other }), /is not the module/);
});

test("the table of modules has the size and hash of each file", async () => {
  for (const [name, { bytes, integrity, url }] of Object.entries(modules)) {
    const file = await readFile(url());
    assert.equal(bytes, file.length, name);
    assert.equal(integrity, `sha384-${createHash("sha384").update(file).digest("base64")}`, name);
  }
});

test("a server that never answers is given up after the time limit, and asked again by the next load", async (t) => {
  const module = `${origin}/never/1`;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  for (const start of [load, startWorker]) {
    const before = asked;
    const refused = assert.rejects(start({ provider: "alicloud", module, timeout: 50 }), {
      name: "LoadError",
      message: "the module `alicloud` has not come within 50 ms: check its server, or set `timeout`",
    });
    await until(() => asked === before + 1);
    t.mock.timers.tick(50);
    await refused;
    await until(() => open.size === 0);
  }
  assert.equal((await load({ provider: "alicloud" })).info().provider, "alicloud");
});

test("an aborted load rejects with the signal's reason, and ends when nobody else waits", async () => {
  const module = `${origin}/never/2`;
  const [one, other] = [new AbortController(), new AbortController()];
  const loads = [one, other].map(({ signal }) => load({ provider: "alicloud", module, signal }).catch((thrown) => thrown));
  await until(() => open.size === 1);
  one.abort("the page was left");
  assert.equal(await loads[0], "the page was left");
  assert.equal(open.size, 1, "the other one still waits");
  other.abort();
  assert.equal((await loads[1]).name, "AbortError");
  await until(() => open.size === 0);
  const before = asked;
  await assert.rejects(load({ provider: "alicloud", module, signal: AbortSignal.abort("at once") }), (thrown) => thrown === "at once");
  assert.equal(asked, before, "nothing is asked for");
  await assert.rejects(startWorker({ provider: "alicloud", module, signal: AbortSignal.timeout(50) }), { name: "TimeoutError" });
});

test("one who gives up does not end the load of others", async () => {
  let answer;
  const module = new Promise((resolve) => (answer = resolve));
  const patient = load({ provider: "alicloud", module });
  await assert.rejects(load({ provider: "alicloud", module, timeout: 20 }), LoadError);
  answer(await moduleBytes("alicloud"));
  assert.equal((await patient).info().provider, "alicloud");
});

test("the entry point of a provider has its policy without what other modules answer", async () => {
  const policy = await alone.load();
  assert.deepEqual(Object.keys(policy).sort(), ["call", "default", "info", "join", "merge", "rules", "validate"]);
  assert.equal(await alone.load(), policy);
  assert.ok((await policy.rules()).rules.length > 0);
  assert.equal(alone.module, modules.alicloud);
  for (const name of Object.keys(modules)) {
    const entry = await import(`trellis-policy/${name.replace("-", "/")}`);
    const start = entry.load ?? entry.loadAddresses ?? entry.loadInfrastructure ?? entry.loadRendering;
    assert.equal((await start()).info().provider, name.split("-")[0], name);
  }
});

test("what webhooks change is an entry point of its own, for Node", async () => {
  const { loadMutations, module } = await import("trellis-policy/alicloud/mutations");
  const policy = await loadMutations();
  assert.equal(await loadMutations(), policy);
  assert.deepEqual(Object.keys(policy).sort(), ["call", "info", "mutate"]);
  assert.deepEqual(policy.info().functions, ["info", "mutate"]);
  assert.ok(!(module.name in modules), "no page imports the module");
  const etcd = { apiVersion: "druid.gardener.cloud/v1alpha1", kind: "Etcd", metadata: { name: "etcd-events" }, spec: {} };
  const { patch } = policy.mutate({ webhook: "seedprovider", object: etcd });
  assert.deepEqual(patch.map(({ path }) => path), ["/spec/storageClass", "/spec/storageCapacity"]);
  const { exports } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  assert.deepEqual(Object.keys(exports["./alicloud/mutations"]), ["types", "node"]);
});

test("what plans every kind is an entry point of its own, for Node, and a page plans networks", async () => {
  const { loadPlans, module } = await import("trellis-policy/alicloud/plans");
  const [plans, networks] = [await loadPlans(), await loadInfrastructure({ provider: "alicloud" })];
  assert.ok(!(module.name in modules), "no page imports the module");
  const kinds = (policy) => policy.info().plans.map(({ kind }) => kind);
  assert.deepEqual(kinds(plans), ["Infrastructure", "BackupBucket", "BackupEntry", "DNSRecord", "Bastion"]);
  assert.deepEqual(kinds(networks), ["Infrastructure"]);
  assert.ok(networks.info().calls.every((call) => !call.startsWith("oss:")), "a network needs no bucket");
  const spec = { type: "alicloud", region: "eu-central-1", secretRef: { name: "backup", namespace: "garden" } };
  const backupBucket = { apiVersion: "extensions.gardener.cloud/v1alpha1", kind: "BackupBucket", metadata: { name: "backup", uid: "u" }, spec };
  const request = { request: { operation: "reconcile", backupBucket }, baseline: "empty" };
  assert.deepEqual(plans.plan(request).plan.changes.map(({ action }) => action), ["create"]);
  const { error } = networks.plan(request);
  assert.deepEqual([error.code, error.message.includes("it plans Infrastructure")], ["UnsupportedKind", true]);
});

test("info shows what the module answers and whose rules a verdict covers", async () => {
  const { provider, parity, functions, scope } = (await load({ provider: "alicloud" })).info();
  assert.equal(provider, "alicloud");
  assert.deepEqual(functions, ["default", "info", "rules", "validate"]);
  assert.deepEqual(scope, { checked: [parity], notChecked: ["gardener"] });
  const { scope: judged } = (await load({ provider: "alicloud" })).validate({ object: SHOOT });
  assert.deepEqual(judged, { checked: [parity], notChecked: ["gardener", "a Shoot without workers"] });
});

test("a module with the wrong content type is loaded nevertheless", async () => {
  const module = new Response(await moduleBytes("equinixmetal"), { headers: { "Content-Type": "text/plain" } });
  const policy = await load({ provider: "equinixmetal", module });
  assert.equal(policy.info().provider, "equinixmetal");
});
