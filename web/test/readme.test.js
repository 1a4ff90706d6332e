import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { serve } from "../browser/server.js";

const read = (file) => readFile(new URL(file, import.meta.url), "utf8");
const readme = await read("../README.md");
const { name, exports, peerDependencies } = JSON.parse(await read("../package.json"));

test("what an editor needs besides the package is in the README", () => {
  assert.ok(readme.includes(`npm install ${Object.keys(peerDependencies).join(" ")}\n`));
});

test("the README names every function of the package", async () => {
  const entries = Object.entries(exports).filter(([entry, { types }]) => types && entry !== "./worker-thread");
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
