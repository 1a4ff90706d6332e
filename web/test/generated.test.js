import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

test("the types are those of the schemas", async () => {
  const script = fileURLToPath(new URL("../scripts/types.js", import.meta.url));
  await promisify(execFile)(process.execPath, [script, "--check"]);
});
