import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { load, LoadError } from "trellis-policy";
import { startWorker } from "trellis-policy/worker";
import { example, moduleBytes } from "./examples.js";
import { nodeWorker } from "../dist/worker/node.js";
import { begins } from "./hostile/calls.js";
import { hostileModule } from "./hostile/module.js";

/** A worker that is closed after the tests. */
async function started(options) {
  const worker = await startWorker(options);
  after(() => worker.close());
  return worker;
}

const hostile = async (options) =>
  started({ provider: "alicloud", module: await hostileModule(), worker: () => nodeWorker(new URL("hostile/thread.js", import.meta.url)), ...options });
const calls = async (worker) => JSON.parse(await worker.call("count", "{}")).calls;

test("a worker gives the answers of the policy", async () => {
  const [object] = await example("five-mistakes.yaml");
  const [policy, worker] = await Promise.all([load({ provider: "alicloud" }), started({ provider: "alicloud" })]);
  assert.deepEqual(await worker.validate({ object }), policy.validate({ object }));
  assert.deepEqual(await worker.default({ object }), policy.default({ object }));
  assert.deepEqual(await worker.addresses({ object }), await policy.addresses({ object }));
  const add = [{ name: "eu-central-1c" }];
  assert.deepEqual(await worker.zones({ object, add }), await policy.zones({ object, add }));
  assert.deepEqual(await worker.rollout({ object, oldObject: object }), await policy.rollout({ object, oldObject: object }));
  assert.deepEqual(await worker.rules(), await policy.rules());
  assert.deepEqual(await worker.info(), policy.info());
});

test("calls are answered in their order", async () => {
  const worker = await hostile();
  assert.deepEqual(await Promise.all([calls(worker), calls(worker), calls(worker)]), [1, 2, 3]);
});

test("a request that is no JSON is answered without the worker", async () => {
  const worker = await started({ provider: "alicloud" });
  assert.equal((await worker.validate({ object: 1n })).error.code, "Malformed");
});

test("a call that is not of texts is malformed, and the worker goes on", async () => {
  const worker = await hostile();
  assert.equal(await calls(worker), 1);
  for (const [name, request] of [["count", {}], ["count", undefined], ["count", () => {}], [7, "{}"]]) {
    assert.equal(JSON.parse(await worker.call(name, request)).error.code, "Malformed");
  }
  assert.equal(await calls(worker), 2);
});

test("a policy that traps is answered for, and the worker goes on", async () => {
  const worker = await hostile();
  assert.equal(JSON.parse(await worker.call("trap", "{}")).error.code, "PolicyTrapped");
  assert.equal(await calls(worker), 1);
});

test("a call that takes too long is answered, and calls that wait get a new worker", async (t) => {
  const worker = await hostile({ timeout: 5_000 });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const begun = begins("loop");
  const open = [worker.call("loop", "{}"), calls(worker)];
  await begun;
  t.mock.timers.tick(5_000);
  const [late, next] = await Promise.all(open);
  assert.equal(JSON.parse(late).error.code, "DeadlineExceeded");
  assert.match(JSON.parse(late).error.message, /5000 ms/);
  assert.equal(next, 1);
});

test("closing answers what is open and what follows", async () => {
  const worker = await hostile();
  const begun = begins("loop");
  const open = [worker.call("loop", "{}"), worker.call("count", "{}")];
  await begun;
  worker.close();
  for (const answer of await Promise.all([...open, worker.call("count", "{}")])) {
    const { error } = JSON.parse(answer);
    assert.equal(error.code, "WorkerFailed");
    assert.match(error.message, /closed/);
  }
});

test("an aborted call rejects, and is not made if it still waits", async () => {
  const worker = await hostile();
  const abort = new AbortController();
  const [first, second] = [calls(worker), worker.call("count", "{}", { signal: abort.signal })];
  abort.abort(new Error("superseded"));
  await assert.rejects(second, /superseded/);
  assert.equal(await first, 1);
  assert.equal(await calls(worker), 2);
  const late = AbortSignal.abort(new Error("too late"));
  await assert.rejects(worker.validate({ object: {} }, { signal: late }), /too late/);
});

test("a call is aborted while the worker for addresses starts", async () => {
  let asked;
  const starts = new Promise((resolve) => (asked = resolve));
  const idle = { postMessage: asked, terminate() {}, addEventListener() {} };
  const threads = [nodeWorker(new URL("../dist/worker-thread-node.js", import.meta.url))];
  const worker = await started({ provider: "alicloud", timeout: Infinity, worker: () => threads.pop() ?? idle });
  const abort = new AbortController();
  const answer = worker.addresses({ object: {} }, { signal: abort.signal });
  await starts;
  abort.abort(new Error("superseded"));
  await assert.rejects(answer, /superseded/);
});

test("a start that is aborted or takes too long ends its worker", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const abort = new AbortController();
  const reason = new Error("the page was left");
  for (const [options, end, refusal] of [
    [{ signal: abort.signal }, () => abort.abort(reason), (thrown) => thrown === reason],
    [{ timeout: 500 }, () => t.mock.timers.tick(500), { name: "LoadError", message: /cannot be started: .* 500 ms/ }],
  ]) {
    let ended = 0;
    let asked;
    const starts = new Promise((resolve) => (asked = resolve));
    const worker = () => ({ postMessage: asked, terminate: () => (ended += 1), addEventListener() {} });
    const refused = assert.rejects(startWorker({ provider: "alicloud", worker, ...options }), refusal);
    await starts;
    end();
    await refused;
    assert.equal(ended, 1);
  }
});

test("a call with wrong options is answered", async () => {
  const worker = await started({ provider: "alicloud" });
  for (const options of [{ signal: 5 }, null, { sgnal: 1 }]) {
    assert.equal((await worker.validate({ object: {} }, options)).error.code, "Malformed");
    assert.equal((await worker.addresses({ object: {} }, options)).error.code, "Malformed");
  }
});

test("a signal of the start ends no call", async () => {
  const abort = new AbortController();
  const worker = await started({ provider: "alicloud", module: await hostileModule(), signal: abort.signal });
  abort.abort();
  assert.equal(await calls(worker), 1);
});

test("a worker that cannot be started is a load error", async () => {
  await assert.rejects(startWorker({ provider: "ironcore" }), LoadError);
  await assert.rejects(startWorker({ provider: "alicloud", module: new Uint8Array(8) }), LoadError);
  const module = await moduleBytes("equinixmetal");
  await assert.rejects(startWorker({ provider: "alicloud", module }), /not the policy of `alicloud`/);
});

test("a time limit that is none is refused by its name", async () => {
  for (const timeout of [0, -1, NaN, "5 s", null]) {
    await assert.rejects(startWorker({ provider: "alicloud", timeout }), (error) => {
      assert.ok(error instanceof LoadError);
      assert.match(error.message, /`timeout` is a number of milliseconds above 0/);
      return true;
    });
  }
});

/** A worker that dies of every call but the first of all, and says so as browsers do. */
class Mortal extends EventTarget {
  static born = 0;
  #calls = 0;
  constructor() {
    super();
    Mortal.born += 1;
  }
  postMessage(message) {
    const event =
      "start" in message || this.#calls++ === 0
        ? Object.assign(new Event("message"), { data: "start" in message ? { started: true } : { answer: "{}" } })
        : Object.assign(new Event("error"), { message: "out of memory" });
    queueMicrotask(() => this.dispatchEvent(event));
  }
  terminate() {}
}

test("a worker of one's own is used, and one that dies answers the open call and is replaced", async () => {
  const worker = await started({ provider: "alicloud", worker: () => new Mortal() });
  const texts = await Promise.all([1, 2, 3].map(() => worker.call("validate", "{}")));
  assert.deepEqual(JSON.parse(texts[1]).error, { code: "WorkerFailed", message: "the worker failed: out of memory" });
  assert.deepEqual([texts[0], texts[2]], ["{}", "{}"]);
  assert.equal(Mortal.born, 2);
});

for (const timeout of ["10000", "Infinity"]) {
  test(`a process waits for an open answer, and for no idle worker, with timeout ${timeout}`, async () => {
    const script = fileURLToPath(new URL("idle-worker.js", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, timeout], { timeout: 60_000 });
    assert.equal(stdout, "alicloud\n");
  });
}
