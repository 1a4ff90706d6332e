// Compresses a built page as well as can be, and says what a browser downloads, file by file: `node release.js FOLDER`.

import { stat } from "node:fs/promises";
import { relative } from "node:path";
import { compressAll, files, SMALL } from "./compress.js";

async function table(folder) {
  const rows = await Promise.all(
    (await files(folder)).map(async (file) => {
      const [raw, brotli] = await Promise.all([size(file), size(`${file}.br`)]);
      return { name: relative(folder, file), raw: raw ?? 0, brotli: brotli ?? raw ?? 0 };
    }),
  );
  rows.sort((a, b) => b.brotli - a.brotli);
  const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
  const lines = [...rows, { name: "all files", raw: sum("raw"), brotli: sum("brotli") }];
  const width = Math.max(...lines.map(({ name }) => name.length));
  const line = (name, raw, brotli) => `${name.padEnd(width)}  ${raw.padStart(9)}  ${brotli.padStart(9)}`;
  const heading = line("file", "raw", "brotli");
  return [heading, ...lines.map(({ name, raw, brotli }) => line(name, kilobytes(raw), kilobytes(brotli)))].join("\n");
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;

const size = (file) => stat(file).then(({ size }) => size, () => undefined);

const [folder] = process.argv.slice(2);
await compressAll(folder, SMALL);
console.log(await table(folder));
