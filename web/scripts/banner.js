// Writes the licence at the top of the code and the types in `dist/`, because a bundle or an editor shows one file alone. The files of
// `dist/policies/` stay as `cargo xtask wasm` wrote them, because it compares them with its own.

import { readdir, readFile, writeFile } from "node:fs/promises";

const DIST = new URL("../dist/", import.meta.url);
const TAG = "SPDX-License-Identifier:";

/** What a file without a tag begins with. It is one line, so that a directive below it stays at the top. */
const { license } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));

for (const name of await readdir(DIST, { recursive: true })) {
  if (!/\.(js|d\.ts)$/.test(name) || name.startsWith("policies/")) continue;
  const file = new URL(name, DIST);
  const text = await readFile(file, "utf8");
  if (!text.includes(TAG)) await writeFile(file, `// ${TAG} ${license}\n${text}`);
}
