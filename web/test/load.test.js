import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { load, LoadError, providers } from "trellis-policy";
import { moduleBytes } from "./examples.js";

const EMPTY_MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

/** Serves `<type>/<status>` the module of alicloud with that content type and status. */
let server;
let origin;
before(async () => {
  const bytes = await moduleBytes("alicloud");
  server = createServer((request, response) => {
    const [status, type] = request.url.slice(1).split("/", 2);
    response.writeHead(Number(status), { "Content-Type": decodeURIComponent(type) }).end(bytes);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${server.address().port}`;
});
after(() => server.close());

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

test("an unknown provider is refused with those that there are", async () => {
  for (const provider of ["aws", "constructor", "", undefined]) {
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

test("what holds no module is refused with what would", async () => {
  const compiled = await WebAssembly.compile(await moduleBytes("alicloud"));
  const others = { "WebAssembly.Module": compiled, Object: {}, Number: 7, Blob: new Blob() };
  for (const [given, module] of Object.entries(others)) {
    const { message } = await refusal({ provider: "alicloud", module });
    assert.equal(message, `\`module\` is a URL, a Response or the bytes of a WebAssembly module, not ${given}`);
  }
  const { message } = await refusal({ provider: "alicloud", module: "alicloud.wasm" });
  assert.equal(message, "`module` is no absolute URL: `alicloud.wasm`");
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

test("a failed load can be tried again, and concurrent and later loads share one policy", async () => {
  await refusal({ provider: "alicloud", module: EMPTY_MODULE });
  const module = new URL(`${origin}/200/application%2Fwasm`);
  const [first, second] = await Promise.all([load({ provider: "alicloud", module }), load({ provider: "alicloud" })]);
  assert.equal(first, second);
  assert.equal(await load({ provider: "alicloud" }), first);
  assert.equal(first.info().provider, "alicloud");
});

test("a module with the wrong content type is loaded nevertheless", async () => {
  const module = new Response(await moduleBytes("equinixmetal"), { headers: { "Content-Type": "text/plain" } });
  const policy = await load({ provider: "equinixmetal", module });
  assert.equal(policy.info().provider, "equinixmetal");
});
