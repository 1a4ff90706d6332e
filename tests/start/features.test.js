// `make start` builds a part of what the tests build, and shares every published crate with them: each has the same features in both.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What `make start` asks of cargo for the program. */
const PART = /^PART := (.+)$/m.exec(readFileSync(`${ROOT}Makefile`, "utf8"))[1].split(" ");
/** What takes minutes to build, and a newcomer does not see. */
const LEFT_OUT = ["wasmtime ", "cranelift-codegen ", "kube-client ", "k8s-openapi ", "opentelemetry "];

/** The sets of features that a build asks for, by crate with its version. */
function features(more) {
  const options = ["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}|{f}", ...more];
  const crates = new Map();
  for (const line of execFileSync("cargo", options, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 }).split("\n")) {
    const [crate, set] = line.replace(/ \(\*\)$/, "").split("|");
    // Crates of this workspace stand in a folder.
    if (set !== undefined && !crate.includes("/")) crates.set(crate, (crates.get(crate) ?? new Set()).add(set));
  }
  return crates;
}

test("the part has neither a sandbox nor a client of clusters, and the whole has both", () => {
  const [whole, part] = [features(["--workspace"]), features(PART)].map((crates) => [...crates.keys()]);
  for (const name of LEFT_OUT) {
    assert.ok(whole.some((crate) => crate.startsWith(name)), `the whole lacks ${name}`);
    assert.ok(!part.some((crate) => crate.startsWith(name)), `the part has ${name}`);
  }
});

test("every published crate of the part has features that the whole has, so that cargo compiles it once", () => {
  const [whole, part] = [features(["--workspace"]), features(PART)];
  assert.ok(part.size > 100 && part.size < whole.size, `${part.size} of ${whole.size} crates`);
  const others = [...part].filter(([crate, sets]) => ![...sets].every((set) => whole.get(crate)?.has(set)));
  const reported = others.map(([crate, sets]) => `${crate}: ${[...sets]} and not ${[...(whole.get(crate) ?? [])]}`);
  assert.deepEqual(reported, [], "ask for what is missing in tests/Cargo.toml");
});
