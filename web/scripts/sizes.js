// Says how large each module of the package is, as it is and in a download with brotli, in KB of 1000 bytes.

import { readdir, readFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";

const POLICIES = new URL("../dist/policies/", import.meta.url);

const kilobytes = (bytes) => (bytes / 1000).toFixed(1).padStart(7);

console.log(`${"file".padEnd(36)}     KB  brotli`);
for (const name of (await readdir(POLICIES)).filter((name) => /\.(wasm|json)$/.test(name)).sort()) {
  const bytes = await readFile(new URL(name, POLICIES));
  // Node compresses at the highest quality unless asked otherwise.
  console.log(`${name.padEnd(36)}${kilobytes(bytes.length)} ${kilobytes(brotliCompressSync(bytes).length)}`);
}
