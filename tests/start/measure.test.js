// The table of minutes: `.ci/measure` writes it, and `make help` reads it.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = "before\n\n<!-- minutes -->\n| command | state | minutes | measured |\n|---|---|---|---|\n<!-- /minutes -->\n\nafter\n";

/** A folder with the script, the Makefile and a table without rows. */
function checkout(t) {
  const folder = mkdtempSync(join(tmpdir(), "trellis-measure-"));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "docs"));
  cpSync(join(ROOT, ".ci"), join(folder, ".ci"), { recursive: true });
  cpSync(join(ROOT, "Makefile"), join(folder, "Makefile"));
  writeFileSync(join(folder, "docs/performance.md"), PAGE);
  return {
    measure: (...command) => spawnSync(join(folder, ".ci/measure"), command, { encoding: "utf8" }),
    rows: () => readFileSync(join(folder, "docs/performance.md"), "utf8").split("\n").filter((line) => line.startsWith("| `")),
    page: () => readFileSync(join(folder, "docs/performance.md"), "utf8"),
    help: () => execFileSync("make", ["help"], { cwd: folder, encoding: "utf8" }),
  };
}

test("a measurement writes its row, a later one replaces that row alone, and make help names the minutes", (t) => {
  const { measure, rows, help, page } = checkout(t);
  for (const state of ["from nothing", "warm", "from nothing"]) assert.equal(measure("make start", state, "true").status, 0);
  assert.equal(measure("make soak PARTS=fuzz", "warm", "true").status, 0);
  const today = new Date().toISOString().slice(0, 10);
  assert.deepEqual(rows(), [
    `| \`make start\` | from nothing | 0.0 | ${today} |`,
    `| \`make start\` | warm | 0.0 | ${today} |`,
    `| \`make soak PARTS=fuzz\` | warm | 0.0 | ${today} |`,
  ]);
  assert.match(help(), /^make start +Build trellis.* \(minutes: 0\.0 from nothing, 0\.0 warm\)$/m);
  assert.match(help(), /^make soak +Run in full.* \(minutes: 0\.0 fuzz\)$/m);
  assert.match(help(), /^make build +Build target[^(]*$/m);
  assert.ok(page().startsWith("before\n") && page().endsWith("\n\nafter\n"));
});

test("a command that fails, or that is missing, writes nothing", (t) => {
  const { measure, page } = checkout(t);
  assert.notEqual(measure("make start", "warm", "false").status, 0);
  const usage = measure("make start");
  assert.equal(usage.status, 2);
  assert.match(usage.stderr, /\.ci\/measure NAME STATE COMMAND/);
  assert.equal(page(), PAGE);
});
