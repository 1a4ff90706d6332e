import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { loadGardener, LoadError, modules, providers } from "trellis-policy";
import { choose, release } from "trellis-policy/versions";
import { OLDER, writeOlder } from "./older.js";

const OBJECT = { apiVersion: "core.gardener.cloud/v1beta1", kind: "Shoot", spec: { provider: { type: "alicloud" } } };
const [FILE, OTHER] = ["1", "2"].map((digit) => digit.repeat(64));

/** The older version, of whose policy of alicloud a host loads FILE. */
let folder;
let older;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-versions-"));
  await writeOlder(join(folder, "older"), { alicloud: FILE });
  ({ release: older } = await import(pathToFileURL(join(folder, "older/dist/versions-node.js")).href));
});
after(() => rm(folder, { recursive: true }));

/** This version as a package has it that was built without the files of hosts. */
const plain = { ...release, digests: {} };

/** The `data` of a ConfigMap. */
function data(version, more = {}) {
  return { provider: "alicloud", version, parity: "v1.72.0-dev", mode: "enforce", ...more };
}

test("a release says which version it is, as its policies and the package do", async () => {
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  assert.equal(release.version, version);
  assert.equal((await loadGardener()).info().version, version);
  assert.deepEqual(release.providers, providers);
  for (const digest of Object.values(release.digests)) assert.match(digest, /^[0-9a-f]{64}$/);
});

test("of two versions, that is loaded which admission runs, with its own code", async () => {
  for (const chosen of [release, older]) {
    const choice = choose(data(chosen.version), [release, older]);
    assert.equal(choice.release, chosen);
    assert.equal(choice.difference, undefined);
    const policy = await choice.load();
    assert.equal(policy.info().version, chosen.version);
    assert.equal(policy.validate({ object: OBJECT }).verdict, "accept");
    assert.ok((await policy.rules()).rules.length > 0);
    assert.ok("error" in (await policy.addresses("{")), "another module of the version answers");
    assert.equal(await choice.load(), policy, "it is loaded once");
  }
});

test("a worker and a checker are those of the version that admission runs", async () => {
  const choice = choose(data(OLDER), [release, older]);
  const worker = await choice.startWorker({ timeout: 60_000 });
  try {
    assert.equal((await worker.info()).version, OLDER);
  } finally {
    worker.close();
  }
  const checker = await choice.startChecker();
  try {
    const review = await checker.review({ text: JSON.stringify(OBJECT) });
    assert.equal(review.documents[0].ruling.verdict, "accept");
  } finally {
    checker.close();
  }
});

test("a wrong option of another version's code is refused as one of this version", async () => {
  const choice = choose(data(OLDER), [release, older]);
  for (const start of [choice.load, choice.startWorker, choice.startChecker]) {
    const error = await start({ timeout: 0 }).catch((thrown) => thrown);
    assert.ok(error instanceof LoadError);
    assert.match(error.message, /^`timeout` is a number of milliseconds/);
  }
});

test("what admission says of itself is passed on", () => {
  const { admission } = choose(data(OLDER, { mode: "warn", digest: FILE, more: "of a newer host" }), [older]);
  assert.deepEqual(admission, { provider: "alicloud", version: OLDER, parity: "v1.72.0-dev", digest: FILE, mode: "warn" });
});

test("a version that is not there is refused with those that are", () => {
  assert.throws(() => choose(data("0.7.0"), [plain, older]), {
    name: "LoadError",
    message: `Admission judges with version 0.7.0 of the policy of alicloud, which is not here; there is version ${release.version}, version ${OLDER} (file 111111111111…). Add that version of the package, or choose the \`nearest\` one`,
  });
});

test("a provider that no version knows is refused, also where the nearest version would do", () => {
  assert.throws(() => choose(data("0.7.0", { provider: "ironcore" }), [release], { nearest: true }), {
    name: "LoadError",
    message: `no version here has a policy of \`ironcore\`, which admission runs; there is ${release.version} with ${providers.join(", ")}. Add one that has`,
  });
  assert.throws(() => choose(data("0.7.0"), []), /there is nothing\. Add one/);
});

test("who asks for the nearest version gets it with a sentence that says so", async () => {
  const choice = choose(data("0.7.0"), [plain, older], { nearest: true });
  assert.equal(choice.release, plain);
  assert.equal(choice.difference, `Admission judges with version 0.7.0 of the policy of alicloud. This is version ${release.version}, which may answer otherwise.`);
  assert.equal((await choice.load()).info().version, release.version);
  assert.equal(choose(data(OLDER), [release, older], { nearest: true }).difference, undefined);
  assert.equal(choose(data(`${release.version}-dev`), [release, older], { nearest: true }).release, older);
});

test("the same version of another file is not the same where both digests are known", () => {
  const all = [release, older];
  assert.equal(choose(data(OLDER, { digest: FILE }), all).release, older);
  assert.throws(() => choose(data(OLDER, { digest: OTHER }), all), /judges with version \S+ \(file 222222222222…\).* there is .*\(file 111111111111…\)/);
  const { release: chosen, difference } = choose(data(OLDER, { digest: OTHER }), all, { nearest: true });
  assert.equal(chosen, older);
  assert.match(difference, /\(file 222222222222…\).*\(file 111111111111…\)/);
  const unknown = { ...older, digests: {} };
  assert.equal(choose(data(OLDER, { digest: OTHER }), [unknown]).difference, undefined);
});

test("a module with another hash than its version names is not compiled", async () => {
  const choice = choose(data(OLDER), [release, older]);
  const { url } = modules.alicloud;
  for (const start of [choice.load, choice.startWorker]) {
    const error = await start({ module: url() }).catch((thrown) => thrown);
    assert.ok(error instanceof LoadError, "the older version has a class of its own");
    assert.match(error.message, /is not the module that `integrity` names/);
  }
  await assert.rejects(choice.load({ signal: AbortSignal.abort("the page was left") }), (thrown) => thrown === "the page was left");
});

test("a module of another version is refused, whatever its hash", async () => {
  const { integrity, url } = modules.alicloud;
  const renamed = { ...release, version: "0.7.0" };
  const choice = choose(data("0.7.0"), [renamed]);
  for (const start of [choice.load, choice.startWorker]) {
    await assert.rejects(start({ module: url(), integrity }), {
      name: "LoadError",
      message: `the module says that it is version ${release.version}, not 0.7.0: serve the files of one version of the package together`,
    });
  }
  // The older code calls modules in another way.
  await assert.rejects(choose(data(OLDER), [older]).load({ module: url(), integrity }), /give `alicloud_bg.wasm` of this version of the package/);
});

test("a release whose code is called in another way is refused with what can choose it", () => {
  const newer = { contract: 2, version: "3.0.0" };
  assert.throws(() => choose(data(release.version), [release, newer]), {
    name: "LoadError",
    message: `\`choose\` of version ${release.version} cannot use version 3.0.0, whose code is called in another way: take \`choose\` from the newest version that is here`,
  });
  for (const none of [undefined, "0.1.0", {}]) assert.throws(() => choose(data("0.1.0"), [none]), /^LoadError: a release is `release` of/);
});

test("code that cannot be loaded is refused with its version", async () => {
  const lost = () => Promise.reject(new Error("no network"));
  const choice = choose(data(release.version), [{ ...release, code: lost, worker: lost, checker: lost }]);
  for (const start of [choice.load, choice.startWorker, choice.startChecker]) {
    const error = await start().catch((thrown) => thrown);
    assert.ok(error instanceof LoadError);
    assert.equal(error.message, `the code of version ${release.version} cannot be loaded: no network`);
  }
});

test("what is no data of the ConfigMap is refused with what is missing", () => {
  for (const none of [undefined, null, "0.1.0"]) assert.throws(() => choose(none, [release]), /what admission runs is the `data` of its ConfigMap/);
  for (const name of ["provider", "version", "mode"]) {
    assert.throws(() => choose(data("0.1.0", { [name]: undefined }), [release]), { name: "LoadError", message: new RegExp(`^\`${name}\` of the ConfigMap's \`data\` is undefined`) });
  }
});
