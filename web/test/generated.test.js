import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

for (const [name, source] of [["types", "the schemas"], ["gardener", "the schemas"], ["licences", "the crates"]]) {
  test(`what \`${name}.js\` makes of ${source} is up to date`, async () => {
    const script = fileURLToPath(new URL(`../scripts/${name}.js`, import.meta.url));
    await promisify(execFile)(process.execPath, [script, "--check"]);
  });
}

test("each file of code and of types names its licence at the top, but for those of the modules", async () => {
  for (const folder of ["dist/", "judging/dist/"]) {
    const root = new URL(`../${folder}`, import.meta.url);
    const names = (await readdir(root, { recursive: true })).filter((name) => /\.(js|d\.ts)$/.test(name) && !name.startsWith("policies/"));
    assert.ok(names.length > 200);
    for (const name of names) {
      const [top] = /^(\/\/.*\n)*/.exec(await readFile(new URL(name, root), "utf8"));
      assert.match(top, /^\/\/ SPDX-License-Identifier: Apache-2\.0$/m, folder + name);
    }
  }
});
