// Makes the package with what judges, in `judging/`, of the files in `dist/` that its entry points reach. A module that it leaves
// out is an error there, which names this package. Its code has no spaces and comments, but for licences, because half of it are these.

import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { minifySync } from "vite";
import { providers } from "../dist/generated/providers.js";

const WEB = new URL("../", import.meta.url);
const JUDGING = new URL("judging/", WEB);
/** What the package leaves out of the exports: components, and the files with words and schemas. */
const LEFT_OUT = /^\.\/(vue|\*\.rules\.json|schemas\/)/;
/** The modules that it has. */
const MODULES = ["gardener", ...providers].map((name) => `${name}_bg.wasm`);

const { name, devDependencies: _, scripts: __, keywords, exports, ...whole } = JSON.parse(await readFile(new URL("package.json", WEB), "utf8"));
const here = `${name}-judging`;

/** The entries of an object that are not of Vue, which the package has no components for. */
const withoutVue = (members) => Object.fromEntries(Object.entries(members).filter(([member]) => member !== "vue"));

const manifest = {
  name: here,
  ...whole,
  description: "Policies of Gardener and its cloud providers for browsers and Node: only what judges and completes, in less than half the space",
  keywords: keywords.filter((word) => word !== "vue"),
  exports: Object.fromEntries(Object.entries(exports).filter(([entry]) => !LEFT_OUT.test(entry))),
  files: whole.files.filter((file) => file !== "schemas"),
  sideEffects: whole.sideEffects.filter((file) => !file.endsWith(".css")),
  peerDependencies: withoutVue(whole.peerDependencies),
  peerDependenciesMeta: withoutVue(whole.peerDependenciesMeta),
};

/** Copies a file, and those that it names. */
async function copy(path, copied) {
  if (copied.has(path)) return;
  copied.add(path);
  const [from, to] = [new URL(path, WEB), new URL(path, JUDGING)];
  await mkdir(new URL("./", to), { recursive: true });
  if (!/\.(js|d\.ts)$/.test(path)) return copyFile(from, to);
  const text = withoutFiles(await readFile(from, "utf8"), from);
  await writeFile(to, path.endsWith(".js") ? small(path, text) : text);
  const named = Array.from(text.matchAll(/(?:\bfrom|\bimport\(?|new URL\() ?"(\.[^"]+)"/g), ([, file]) => new URL(file, from).pathname.slice(WEB.pathname.length));
  for (const file of named) await copy(path.endsWith(".d.ts") ? file.replace(/\.js$/, ".d.ts") : file, copied);
}

/** The code with an error in the place of each file that the package leaves out. */
function withoutFiles(code, from) {
  let isChanged = false;
  const changed = code.replace(/new URL\("[^"]*\/([\w-]+(?:_bg\.wasm|\.rules\.json))", import\.meta\.url\)/g, (url, file) => {
    if (MODULES.includes(file)) return url;
    isChanged = true;
    return `absent(${[file, here, name].map((text) => JSON.stringify(text)).join(", ")})`;
  });
  if (!isChanged) return code;
  const depth = from.pathname.slice(new URL("dist/", WEB).pathname.length).split("/").length - 1;
  return changed.replace(/^(?=import )/m, `import { absent } from "${"../".repeat(depth) || "./"}absent.js";\n`);
}

/** The code without spaces and comments, but for the lines at its top. Bundlers find files by texts in quotes. */
function small(path, code) {
  const [top] = /^(\/\/.*\n)*/.exec(code);
  const { code: text } = minifySync(path, code, { module: true, compress: false, mangle: false });
  return `${top}${text.replace(/(?<=\b(?:new URL|import)\()`([^`$]+)`/g, '"$1"')}\n`;
}

await rm(JUDGING, { recursive: true, force: true });
await mkdir(JUDGING);
await writeFile(new URL("package.json", JUDGING), `${JSON.stringify(manifest, undefined, 2)}\n`);
for (const [from, to] of [["../LICENSE", "LICENSE"], ["THIRD-PARTY.md", "THIRD-PARTY.md"], ["judging.md", "README.md"]]) {
  await copyFile(new URL(from, WEB), new URL(to, JUDGING));
}
const targets = Object.values(manifest.exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)));
const copied = new Set();
for (const target of targets) if (target.startsWith("./dist/") && !target.includes("*")) await copy(target.slice("./".length), copied);
console.log(`${here}: ${copied.size} files`);
