import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { develop, pack } from "./project.js";

let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "trellis-project-"));
});
after(() => rm(folder, { recursive: true }));

test("a development server that says nothing is given up", async () => {
  const vite = join(folder, "node_modules/vite/bin");
  await mkdir(vite, { recursive: true });
  await writeFile(join(vite, "vite.js"), "setInterval(() => {}, 1_000);");
  await assert.rejects(develop(folder, 100), /development server does not start/);
});

test("a package that cannot be packed leaves no folder behind", async (context) => {
  const outer = process.env.TMPDIR;
  context.after(() => (outer === undefined ? delete process.env.TMPDIR : (process.env.TMPDIR = outer)));
  const [empty, temporary] = [join(folder, "empty"), join(folder, "temporary")];
  await Promise.all([mkdir(empty), mkdir(temporary)]);
  process.env.TMPDIR = temporary;
  await assert.rejects(pack(empty), /npm pack .* failed/);
  const left = await readdir(temporary);
  assert.deepEqual(left.filter((name) => name.startsWith("trellis-")), []);
});
