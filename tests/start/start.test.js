// `make start`, as a newcomer runs it: from the first line to a page that answers, and Ctrl-C. `make test-start` runs this.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { resolve } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What is printed at most, the progress of cargo and rustup apart. */
const LINES = 140;
const OF_CARGO = /^\s*(Compiling|Finished|Downloading|Downloaded|Blocking|Updating|Locking|Fresh|Installing|Installed|info:)\b/;
/** What make itself says when a signal ends it. */
const OF_MAKE = /^make(\[\d+\])?: \*\*\* \[.*start\] (Interrupt|Error \d+)$/;

/** A port that was free a moment ago. */
async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}

/** Whether somebody listens there. */
async function listens(port) {
  const socket = connect(port, "127.0.0.1");
  return await new Promise((resolve) => socket.once("connect", () => resolve(true)).once("error", () => resolve(false))).finally(() => socket.destroy());
}

/** Whether a process of the group is left. */
function isAlive(group) {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

/** `make start` in a process group of its own, as a terminal starts it. */
async function start(t, port) {
  const make = spawn("make", ["start", `PORT=${port}`], { cwd: ROOT, detached: true, stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => isAlive(make.pid) && process.kill(-make.pid, "SIGKILL"));
  let printed = "";
  const address = new RegExp(`http://127\\.0\\.0\\.1:${port}/$`, "m");
  const serving = new Promise((resolve, reject) => {
    for (const stream of [make.stdout, make.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        printed += text;
        process.stdout.write(text);
        if (address.test(printed)) resolve();
      });
    }
    make.once("exit", (code) => reject(new Error(`make start ended with ${code}`)));
  });
  await serving;
  return { make, printed: () => printed };
}

/** Opens the page in Chromium, chooses an example with mistakes and one without, and looks at the plan of that. */
async function use(t, port) {
  // `make start` has installed the package by now, and not before.
  const { launch } = await import("../../web/browser/chromium.js");
  const browser = await launch();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  const choose = async (name) => {
    await page.waitForSelector("[data-state=reviewed][data-whole=true]");
    await page.getByRole("button", { name: "Examples" }).click();
    await page.locator(".v-list-item-title").getByText(name, { exact: true }).click();
    await page.waitForSelector("[data-state=reviewed][data-whole=true]");
  };
  await choose("five-mistakes");
  await page.locator("[data-part=error] .trellis-rule").getByText("ALI-INF-003").waitFor();
  assert.equal(await page.locator("[data-part=error] .trellis-rule").count(), 5);
  await choose("two-zones");
  await page.getByRole("tab", { name: "Plan" }).click();
  await page.getByText("shoot--dev--two-zones-vpc").first().waitFor();
  await browser.close();
}

/** The program is a part. Somebody who asks for the rest is shown how to build it, and nobody else is. */
function namesWhatItLacks() {
  const program = resolve(ROOT, process.env.CARGO_TARGET_DIR ?? "target", "debug/trellis");
  const reported = (...words) => spawnSync(program, words, { cwd: ROOT, encoding: "utf8" });
  for (const words of [["run"], ["admission"], ["scan"], ["validate", "--engine", "sandbox", "examples/two-zones.yaml"]]) {
    const { status, stderr } = reported(...words);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /`make build` builds/, `trellis ${words.join(" ")}`);
  }
  assert.doesNotMatch(reported("scam").stderr, /make build/);
}

test("make start leads a newcomer from nothing to a page that answers, and Ctrl-C ends it", async (t) => {
  const port = await freePort();
  const { make, printed } = await start(t, port);

  const lines = printed().trimEnd().split("\n").filter((line) => !OF_CARGO.test(line));
  assert.ok(lines.length <= LINES, `${lines.length} lines:\n${lines.join("\n")}`);
  assert.match(lines.at(-1), new RegExp(`http://127\\.0\\.0\\.1:${port}/$`));
  for (const name of (await readdir(`${ROOT}/examples`)).filter((name) => name.endsWith(".yaml"))) {
    const [expected] = (await readFile(`${ROOT}/examples/${name}`, "utf8")).split("\n");
    const line = `examples/${name}: ${expected.replace("# expect: ", "")}`;
    assert.ok(lines.includes(line), `there is no line "${line}"`);
  }
  for (const shown of [/^error\[ALI-INF-003\]: networks\.zones/, /^ {2}\+ VPC shoot--dev--two-zones-vpc$/, /^\d+ changes: \d+ to create/]) {
    assert.ok(lines.some((line) => shown.test(line)), `nothing matches ${shown}`);
  }

  await use(t, port);
  namesWhatItLacks();

  const before = printed().length;
  const ended = once(make, "close");
  process.kill(-make.pid, "SIGINT");
  await ended;
  const errors = printed().slice(before).split("\n").filter((line) => line !== "" && !OF_MAKE.test(line));
  assert.deepEqual(errors, [], "the terminal shows more than what make says");
  assert.equal(isAlive(make.pid), false, "a process keeps running");
  assert.equal(await listens(port), false, "somebody still listens");
});
