import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

for (const name of ["types", "gardener"]) {
  test(`what \`${name}.js\` makes of the schemas is up to date`, async () => {
    const script = fileURLToPath(new URL(`../scripts/${name}.js`, import.meta.url));
    await promisify(execFile)(process.execPath, [script, "--check"]);
  });
}
