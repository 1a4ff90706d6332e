// Writes a brotli and a gzip form next to each file of a build, which `trellis serve` hands out.

import { readdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const COMPRESSED = /\.(css|html|js|json|svg|wasm)$/;

/** How well files are compressed, of each form: in no time, or as small as they get. */
export const QUICK = { brotli: 4, gzip: constants.Z_BEST_SPEED };
export const SMALL = { brotli: constants.BROTLI_MAX_QUALITY, gzip: constants.Z_BEST_COMPRESSION };

/** Below this many bytes, a compressed form does not pay. */
const LEAST = 1024;

export function compress() {
  let folder = "";
  return {
    name: "compress",
    apply: "build",
    configResolved: ({ root, build }) => void (folder = resolve(root, build.outDir)),
    closeBundle: () => compressAll(folder, QUICK),
  };
}

/** Writes the compressed forms of all files of a folder. */
export async function compressAll(folder, quality) {
  for (const file of await files(folder)) await compressed(file, quality);
}

/** The files of a folder and the folders in it that are worth compressing. */
export async function files(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && COMPRESSED.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function compressed(file, { brotli, gzip: level }) {
  const bytes = await readFile(file);
  if (bytes.length < LEAST) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotli };
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level }));
}
