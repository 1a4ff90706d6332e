// Says after a build what a browser downloads, file by file.

import { stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { files } from "./compress.js";

export function report() {
  let folder = "";
  return {
    name: "report",
    apply: "build",
    configResolved: ({ root, build }) => void (folder = resolve(root, build.outDir)),
    closeBundle: { order: "post", sequential: true, handler: async () => console.log(await table(folder)) },
  };
}

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
