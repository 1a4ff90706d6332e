// Writes the list of the Rust crates that are linked into the modules, with their licences. `--check` writes nothing and fails
// when the committed list is stale.

import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const COMMAND = "npm run licences --workspace web";
const LIST = new URL("../THIRD-PARTY.md", import.meta.url);
const MANIFEST = fileURLToPath(new URL("../../wasm/Cargo.toml", import.meta.url));
/** The feature of the crate `trellis-wasm` with the modules of the package. */
const FEATURE = "downloads";
/** The licence of the package itself, of which it holds the text. */
const OWN = "Apache-2.0";
/** What the MIT licence says of a work, below the names of its authors. */
const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN
CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** What cargo knows of the crates for WebAssembly. */
async function metadata() {
  const args = ["metadata", "--locked", "--format-version", "1", "--filter-platform", "wasm32-unknown-unknown", "--manifest-path", MANIFEST];
  const { stdout } = await promisify(execFile)("cargo", args, { maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

/**
 * The crates that are linked into the modules. What cargo resolves has the features of the whole workspace, of which the modules
 * have fewer: they are followed from the crate that builds the modules.
 */
function linked({ packages, resolve }) {
  const crates = new Map(packages.map((crate) => [crate.id, crate]));
  const nodes = new Map(resolve.nodes.map((node) => [node.id, node]));
  const features = new Map();
  const visit = (id, wanted) => {
    const before = features.get(id);
    const all = new Set([...(before ?? []), ...wanted]);
    if (before?.size === all.size) return;
    features.set(id, all);
    const crate = crates.get(id);
    const parts = partsOf(crate, all);
    for (const declared of crate.dependencies.filter(({ kind }) => kind === null)) {
      const name = declared.rename ?? declared.name;
      const inner = parts.flatMap((part) => (part.startsWith(`${name}/`) ? part.slice(name.length + 1) : []));
      if (declared.optional && inner.length === 0 && !parts.includes(`dep:${name}`)) continue;
      const found = dependencyOf(nodes.get(id), declared, crates);
      const weak = parts.flatMap((part) => (part.startsWith(`${name}?/`) ? part.slice(name.length + 2) : []));
      if (found) visit(found, [...declared.features, ...(declared.uses_default_features ? ["default"] : []), ...inner, ...weak]);
    }
  };
  visit(resolve.root, [FEATURE]);
  // Those of the workspace come from nowhere else.
  return [...features.keys()].map((id) => crates.get(id)).filter(({ source }) => source !== null);
}

/** The features of a crate that others switch on, and what they ask of its dependencies. */
function partsOf({ features }, wanted) {
  const parts = new Set(wanted);
  // A set is walked to its end, which moves.
  for (const part of parts) for (const more of features[part] ?? []) parts.add(more);
  return [...parts];
}

/** The crate that a dependency is for WebAssembly, unless it only runs while the compiler does. */
function dependencyOf(node, declared, crates) {
  const isMeant = ({ pkg, dep_kinds: kinds }) =>
    crates.get(pkg).name === declared.name && kinds.some(({ kind, target }) => kind === null && target === declared.target);
  const found = node.deps.find(isMeant)?.pkg;
  const isMacro = crates.get(found)?.targets.some(({ kind }) => kind.includes("proc-macro"));
  return isMacro ? undefined : found;
}

/** The text of the list. */
async function generate() {
  const crates = linked(await metadata()).sort((a, b) => a.name.localeCompare(b.name, "en") || a.version.localeCompare(b.version, "en"));
  const rows = crates.map(({ name, version, license }) => `| ${name} | ${version} | ${license.replaceAll("/", " OR ")} |\n`);
  const texts = await Promise.all(crates.filter(({ license }) => !isUnderOwn(license)).map(textsOf));
  return `<!-- Generated by \`${COMMAND}\`. -->

# What the modules are made of

The WebAssembly modules of this package hold code of these Rust crates. Where a crate may be used under several licences, ${OWN} is
chosen, whose text is in the file \`LICENSE\`. The texts of other licences stand below.

| crate | version | licence |
|---|---|---|
${rows.join("")}
They hold code of the standard library of Rust as well, which is under MIT OR ${OWN}; its part \`compiler_builtins\` is under MIT AND
${OWN} WITH LLVM-exception AND (MIT OR ${OWN}). \`dist/policies/bindings.js\` is written by wasm-bindgen.
${texts.join("")}`;
}

/** Whether a crate may be used under the licence of this package alone. */
function isUnderOwn(license) {
  return !license.includes(" AND ") && license.split(/ OR |\//).includes(OWN);
}

/** The texts of a crate's licences, but for the one that this package has itself. A crate may name a licence and hold no text. */
async function textsOf({ name, authors, manifest_path: manifest, license }) {
  const folder = dirname(manifest);
  const files = (await readdir(folder)).filter((file) => /^(LICEN[CS]E|COPYING|UNLICENSE)/i.test(file) && !/apache/i.test(file)).sort();
  if (files.length === 0 && license !== "MIT") throw new Error(`the crate ${name} is under ${license} and has no text of it`);
  const named = `MIT License\n\nCopyright (c) ${authors.map((author) => author.replace(/ <.*/, "")).join(", ")}\n\n${MIT}`;
  const texts = files.length === 0 ? [named] : await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
  const blocks = texts.map((text) => `\n\`\`\`text\n${text.replaceAll(/[ \t\r]+$/gm, "").trim()}\n\`\`\`\n`);
  return `\n## ${name}\n${blocks.join("")}`;
}

const wanted = await generate();
const found = await readFile(LIST, "utf8").catch(() => "");
if (!process.argv.includes("--check")) {
  await writeFile(LIST, wanted);
  console.log("licences: 1 file written");
} else if (found !== wanted) {
  console.error(`THIRD-PARTY.md is stale; run \`${COMMAND}\` and commit the result`);
  process.exitCode = 1;
} else {
  console.log("licences: 1 file up to date");
}
