// An older version of the package: a copy whose modules and code name another version, and call each other in another way.

import { createHash } from "node:crypto";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const WEB = fileURLToPath(new URL("../../", import.meta.url));

/** The version of the package. */
export const { version: VERSION } = JSON.parse(await readFile(join(WEB, "package.json"), "utf8"));

/** The version of the copy, as long as that of the package: modules hold it as bytes. */
export const OLDER = VERSION.replace(/[1-9]/, (digit) => String(Number(digit) - 1));

/** Writes the copy into a folder that does not exist. Of `digests` it says that hosts load these files. */
export async function writeOlder(folder, digests = {}) {
  await mkdir(join(folder, "node_modules"), { recursive: true });
  for (const part of ["dist", "schemas", "README.md", "package.json"]) await cp(join(WEB, part), join(folder, part), { recursive: true });
  await symlink(dirname(fileURLToPath(import.meta.resolve("yaml/package.json"))), join(folder, "node_modules/yaml"));
  const policies = join(folder, "dist/policies");
  for (const file of await readdir(policies)) if (file.endsWith("_bg.wasm")) await age(policies, file);
  await edit(join(policies, "bindings.js"), "wasm.call(", "wasm.ask_(");
  await edit(join(folder, "dist/module.js"), '"call"', '"ask_"');
  await edit(join(folder, "dist/generated/version.js"), VERSION, OLDER);
  await writeFile(join(policies, "digests.js"), `export const digests = ${JSON.stringify(digests)};\n`);
  const { scripts: _, ...manifest } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ ...manifest, version: OLDER }));
}

/** Makes a module that of the older version, with its hash. */
async function age(folder, file) {
  const before = await readFile(join(folder, file), "latin1");
  const bytes = Buffer.from(once(once(before, VERSION, OLDER), "\x04call", "\x04ask_"), "latin1");
  await writeFile(join(folder, file), bytes);
  const code = join(folder, file.replace("_bg.wasm", ".js"));
  await edit(code, /sha384-[^"]+/.exec(await readFile(code, "utf8"))[0], `sha384-${createHash("sha384").update(bytes).digest("base64")}`);
}

async function edit(file, from, to) {
  await writeFile(file, once(await readFile(file, "utf8"), from, to));
}

/** The text with what stands in it once replaced. */
function once(text, from, to) {
  const [before, after, ...more] = text.split(from);
  if (after === undefined || more.length > 0) throw new Error(`\`${from}\` stands there ${more.length === 0 ? "not at all" : "more than once"}`);
  return before + to + after;
}
