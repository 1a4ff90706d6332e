// Empties `dist/` of what an older build left there, except the modules, which `cargo xtask wasm` writes.

import { readdir, rm } from "node:fs/promises";

const DIST = new URL("../dist/", import.meta.url);

for (const name of await readdir(DIST).catch(() => [])) {
  if (name !== "policies") await rm(new URL(name, DIST), { recursive: true });
}
