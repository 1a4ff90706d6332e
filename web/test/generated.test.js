import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

for (const [name, source] of [["types", "the schemas"], ["gardener", "the schemas"], ["licences", "the crates"]]) {
  test(`what \`${name}.js\` makes of ${source} is up to date`, async () => {
    const script = fileURLToPath(new URL(`../scripts/${name}.js`, import.meta.url));
    await promisify(execFile)(process.execPath, [script, "--check"]);
  });
}
