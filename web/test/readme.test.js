import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { serve } from "../browser/server.js";

const read = (file) => readFile(new URL(file, import.meta.url), "utf8");
const readme = await read("../README.md");
const { name, exports, peerDependencies } = JSON.parse(await read("../package.json"));

test("what an editor needs besides the package is in the README", async () => {
  const folder = new URL("../dist/codemirror/", import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith(".js"));
  const codes = await Promise.all(files.map((file) => readFile(new URL(file, folder), "utf8")));
  const imported = codes.flatMap((code) => Array.from(code.matchAll(/from "(@[^"]+)"/g), ([, needed]) => needed));
  const needed = [...new Set(imported)].sort();
  assert.ok(needed.every((name) => name in peerDependencies));
  assert.ok(readme.includes(`npm install ${needed.join(" ")}\n`), needed.join(" "));
});

test("the README names every function of the package", async () => {
  const entries = Object.entries(exports).filter(([entry, { types }]) => types && !entry.endsWith("-thread"));
  for (const [entry] of entries) {
    for (const exported of Object.keys(await import(entry.replace(".", name)))) {
      assert.match(readme, new RegExp(`\\b${exported}\\b`), `${exported} of ${entry}`);
    }
  }
});

test("pages of tests have the README's Content-Security-Policy, and styles at most beside it", async () => {
  const server = await serve({ "/dist/": "." });
  try {
    const [policy] = /^default-src .*$/m.exec(readme);
    const served = async (path) => (await fetch(server.url + path)).headers.get("Content-Security-Policy");
    assert.equal(await served("/"), policy);
    const styles = (await served("/dist/")).slice(`${policy}; `.length);
    assert.equal(await served("/dist/"), `${policy}; ${styles}`);
    assert.match(styles, /^style-src [^;]+$/);
    assert.ok(readme.includes(`\`${styles}\``));
  } finally {
    server.close();
  }
});
