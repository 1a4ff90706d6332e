// What a checker makes of texts, policies and workers that misbehave.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { setEnvironmentData } from "node:worker_threads";
import { CheckError, startChecker } from "trellis-policy/checker";
import { isAnswer } from "../../dist/checker/messages.js";
import { nodeWorker } from "../../dist/worker/node.js";
import { begins } from "../hostile/calls.js";
import { hostileModule } from "../hostile/module.js";
import { exampleText, shoot } from "./texts.js";

// Making it takes longer than all that a thread does with it.
setEnvironmentData("hostile module", await hostileModule());

/** A checker that is closed after the tests. */
function started(options) {
  const checker = startChecker(options);
  after(() => checker.close());
  return checker;
}

const hostile = (options) =>
  started({ worker: () => nodeWorker(new URL("hostile-thread.js", import.meta.url), isAnswer), ...options });
const named = async (checker, name) => (await checker.review({ text: shoot(name) })).documents[0];
const failsWith = (code) => (error) => {
  assert.ok(error instanceof CheckError);
  assert.equal(error.code, code);
  return true;
};

test("a text that is too large is answered at once, without the worker", async () => {
  const checker = started({ worker: () => assert.fail("the worker is not asked") });
  const text = "a".repeat(10 << 20);
  const { documents } = await checker.review({ text });
  assert.equal(documents.length, 1);
  assert.match(documents[0].problems[0].message, /larger than 3 MiB/);
  assert.ok(documents[0].problems[0].remedy);
  assert.equal(await checker.edits(text, 0, []), undefined);
  assert.equal((await checker.zones({ text }, 0, [])).error.code, "TooLarge");
});

test("texts to compare with that are too large are problems of theirs", async () => {
  const checker = started();
  const large = "a".repeat(10 << 20);
  const { documents, old, context } = await checker.review({ text: shoot(), old: large, context: large });
  assert.equal(documents[0].ruling.verdict, "accept");
  for (const [problem] of [old, context]) assert.match(problem.message, /larger than 3 MiB/);
});

test("texts that are none have problems, and the next one is checked", async () => {
  const checker = started();
  const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
  for (let level = 0; level < 9; level += 1) {
    const [last, next] = ["abcdefghij"[level], "abcdefghij"[level + 1]];
    bomb.push(`${next}: &${next} [${Array(9).fill(`*${last}`).join(", ")}]`);
  }
  const table = [
    [bomb.join("\n"), /aliases repeat/],
    ["[".repeat(10_000), /nested more than/],
    ["- ".repeat(10_000), /nested more than/],
    ["a: \0", /character that is none/],
    [String.fromCharCode(...Array.from({ length: 4_096 }, (_, at) => (at * 7919) % 256)), /character that is none|not valid YAML/],
    ["é".repeat(2 << 20), /larger than 3 MiB/],
    [shoot().slice(0, 600), /not valid YAML/],
    ["? [a]\n: 1\n", /a key must be/],
  ];
  for (const [text, message] of table) {
    const { documents } = await checker.review({ text, old: text, context: text });
    const [problem] = documents.flatMap(({ problems }) => problems);
    if (text === shoot().slice(0, 600)) assert.ok(documents.length > 0);
    else assert.match(problem.message, message, text.slice(0, 40));
  }
  // Whether Gardener's rules, to which the profile is not known, are loaded by now, depends on the machine.
  const { findings } = (await named(checker, "fine")).ruling;
  assert.deepEqual(findings.filter(({ source }) => source === "alicloud"), []);
});

test("a text of thousands of objects that refer to each other is checked", async () => {
  const binding = (number) =>
    `{apiVersion: core.gardener.cloud/v1beta1, kind: SecretBinding, metadata: {name: b${number}}, provider: {type: alicloud}, secretRef: {name: s${number}}}`;
  const secret = (number) => `{apiVersion: v1, kind: Secret, metadata: {name: s${number}}}`;
  const documents = Array.from({ length: 1_500 }, (_, number) => [binding(number), secret(number)]).flat();
  const review = await started({ timeout: 60_000 }).review({ text: documents.map((text) => `--- ${text}\n`).join("") });
  assert.ok(review.documents.every(({ provider }) => provider === "alicloud"));
});

test("a policy that traps, or answers no JSON, is an error of the object, and the next check works", async () => {
  const checker = hostile();
  for (const name of ["trap", "nonsense"]) {
    const { ruling } = await named(checker, name);
    assert.equal(ruling.error.code, "PolicyTrapped");
    assert.equal(ruling.verdict, undefined);
    assert.equal((await named(checker, "fine")).ruling.verdict, "accept");
  }
});

test("a check that takes too long ends its worker, and what waits gets a new one", async (t) => {
  const checker = hostile({ timeout: 15_000 });
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const begun = begins("loop");
  const [late, next] = [named(checker, "loop"), named(checker, "fine")];
  await begun;
  let isOpen = true;
  const ended = assert.rejects(late, failsWith("DeadlineExceeded")).finally(() => (isOpen = false));
  // That the policy is loaded, from which on the time counts, may be heard of later than of the call.
  while (isOpen) {
    t.mock.timers.tick(15_000);
    await setImmediate();
  }
  await ended;
  assert.equal((await next).ruling.verdict, "accept");
});

test("a worker that dies fails the check, and the next one gets a new worker", async () => {
  const checker = hostile();
  await assert.rejects(named(checker, "die"), failsWith("WorkerFailed"));
  assert.equal((await named(checker, "fine")).ruling.verdict, "accept");
});

test("what is thrown in the worker does not quote the text", async () => {
  const checker = hostile();
  await assert.rejects(named(checker, "throw"), (error) => {
    assert.equal(error.message, "the check failed: Error");
    return failsWith("WorkerFailed")(error);
  });
});

test("a policy that cannot be loaded is an error of its objects, and is tried again", async () => {
  const checker = hostile();
  const text = `${await exampleText("equinix-metal")}---\n${shoot()}`;
  const first = await checker.review({ text });
  const [{ ruling }] = first.documents;
  assert.deepEqual(ruling.error, { code: "PolicyUnavailable", message: "policy.wasm was answered with status 404" });
  assert.equal(first.documents.at(-1).ruling.verdict, "accept");
  const [again] = (await checker.review({ text })).documents;
  // This worker has Alibaba Cloud's policy for every provider: that it refuses shows that it was asked.
  assert.equal(again.ruling.error.code, "OtherProvider");
});

test("what is aborted rejects, and is not done if it still waits", async () => {
  const checker = hostile({ timeout: 60_000 });
  const [first, last] = [new AbortController(), new AbortController()];
  const given = { text: shoot("fine") };
  const open = checker.review(given, { signal: first.signal });
  // Would take forever.
  const waiting = checker.review({ text: shoot("loop") }, { signal: last.signal });
  first.abort(new Error("superseded"));
  last.abort(new Error("superseded, too"));
  await assert.rejects(open, /^Error: superseded$/);
  await assert.rejects(waiting, /superseded, too/);
  assert.equal((await named(checker, "fine")).ruling.verdict, "accept");
});

test("closing rejects what is open and what follows", async () => {
  const checker = hostile();
  const begun = begins("loop");
  const open = [named(checker, "loop"), named(checker, "fine")];
  await begun;
  checker.close();
  for (const call of [...open, named(checker, "fine")]) {
    await assert.rejects(call, (error) => failsWith("WorkerFailed")(error) && /closed/.test(error.message));
  }
});

test("a worker that cannot be made fails the check", async () => {
  const refuse = () => {
    throw new Error("no workers here");
  };
  await assert.rejects(named(started({ worker: refuse }), "fine"), failsWith("WorkerFailed"));
});

test("a time limit that is none is refused", () => {
  const wrong = (options, message) => assert.throws(() => startChecker(options), { name: "LoadError", message });
  for (const timeout of [0, -1, NaN, "5 s"]) wrong({ timeout }, /`timeout` is a number/);
  wrong({ worker: {} }, /`worker` is a function/);
  wrong({ timout: 5 }, /there is no option `timout`/);
  wrong(null, /the options are an object/);
});

test("what is malformed is refused by name", async () => {
  const checker = started();
  const wrong = (call, message) => assert.rejects(call, (error) => failsWith("Malformed")(error) && message.test(error.message));
  await wrong(checker.review(), /the input is an object/);
  await wrong(checker.review({}), /`text` is a text, not undefined/);
  await wrong(checker.review({ text: "a: 1", applied: 5 }), /`applied` is a string, not 5/);
  await wrong(checker.review({ text: "a: 1", aplied: "" }), /no member `aplied`/);
  await wrong(checker.edits(5, 0, []), /`text` is a text, not 5/);
  await wrong(checker.review({ text: "a: 1" }, { signal: 5 }), /`signal` is the signal of an AbortController, not 5/);
  await wrong(checker.rules("alicloud", { sgnal: undefined }), /no option `sgnal`/);
});

test("a process waits for an open check, also while a policy is loaded, and for no idle worker", async () => {
  const script = fileURLToPath(new URL("idle-checker.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 60_000 });
  assert.equal(stdout, "accept\n");
});
