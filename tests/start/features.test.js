// `make start` builds a part of what the tests build, and shares every published crate with them: each has the same features in both.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** What `make local` asks of cargo, in the words of the Makefile. */
const PART = ["--exclude", "trellis-kubernetes", "--no-default-features", "--features", "local"];

/** The sets of features that a build asks for, by crate with its version. */
function features(more) {
  const options = ["tree", "--workspace", "--edges", "normal,build", "--prefix", "none", "--format", "{p}|{f}", ...more];
  const crates = new Map();
  for (const line of execFileSync("cargo", options, { cwd: ROOT, encoding: "utf8", maxBuffer: 1 << 26 }).split("\n")) {
    const [crate, set] = line.replace(/ \(\*\)$/, "").split("|");
    // Crates of this workspace stand in a folder.
    if (set !== undefined && !crate.includes("/")) crates.set(crate, (crates.get(crate) ?? new Set()).add(set));
  }
  return crates;
}

test("every published crate of the part has features that the whole has, so that cargo compiles it once", () => {
  const [whole, part] = [features([]), features(PART)];
  assert.ok(part.size > 100 && part.size < whole.size, `${part.size} of ${whole.size} crates`);
  const others = [...part].filter(([crate, sets]) => ![...sets].every((set) => whole.get(crate)?.has(set)));
  const told = others.map(([crate, sets]) => `${crate}: ${[...sets]} and not ${[...(whole.get(crate) ?? [])]}`);
  assert.deepEqual(told, [], "ask for what is missing in tests/Cargo.toml");
});
