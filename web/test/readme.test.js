import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { classified, infrastructures, loadAddresses, modules, mutated, plannedFurther, providers, rendered } from "trellis-policy";
import { parse } from "yaml";
import { serve } from "../browser/server.js";
import { shoot } from "./checker/texts.js";

const read = (file) => readFile(new URL(file, import.meta.url), "utf8");
const readme = await read("../README.md");
const { name, exports, dependencies, peerDependencies } = JSON.parse(await read("../package.json"));

/** What stands between the marks of a name. */
function marked(mark) {
  const [, found = ""] = readme.split(new RegExp(`<!-- /?${mark} -->\\n`));
  return found;
}

/** The packages that a file imports, by itself and by the files of this package that it imports. */
async function needed(file, seen = new Set()) {
  if (seen.has(file.href)) return [];
  seen.add(file.href);
  const code = await readFile(file, "utf8");
  const imports = Array.from(code.matchAll(/(?:from|import) ?\(?"([^"\s]+)"/g), ([, name]) => name);
  const found = imports.map((name) => (name.startsWith(".") ? needed(new URL(name, file), seen) : [name]));
  return (await Promise.all(found)).flat();
}

test("the README says what an entry point needs besides the package", async () => {
  const table = marked("needed");
  for (const [entry, target] of Object.entries(exports)) {
    if (!target.default || entry.endsWith("-thread")) continue;
    const file = new URL(target.default.replace("./", "../"), import.meta.url);
    const peers = [...new Set(await needed(file))].filter((name) => !(name in dependencies)).sort();
    assert.ok(peers.every((peer) => peer in peerDependencies), `${entry}: ${peers}`);
    const row = `| \`${entry.replace(".", name)}\` | ${peers.map((peer) => `\`${peer}\``).join(" ")} |`;
    assert.equal(table.includes(row), peers.length > 0, `${row} belongs into the README, where there are packages`);
  }
});

test("the README says which providers there are, and what is there for each", async () => {
  const addressings = await Promise.all(providers.map(async (provider) => [provider, (await loadAddresses({ provider })).rollout({ object: {}, oldObject: {} })]));
  const showsNodes = new Map(addressings.map(([provider, { error }]) => [provider, error?.code !== "UnknownFunction"]));
  const word = (is) => (is ? "yes" : "not yet");
  const rows = providers.map((provider) => {
    const cells = [true, true, showsNodes.get(provider), classified.includes(provider), infrastructures.includes(provider), rendered.includes(provider)].map(word);
    return `| \`${provider}\` | ${cells.join(" | ")} |`;
  });
  assert.deepEqual(marked("providers").trim().split("\n").slice(2), rows);
});

test("each module has an entry point of its own", () => {
  for (const module of Object.keys(modules)) {
    const { types, default: code } = exports[`./${module.replace("-", "/")}`];
    assert.deepEqual([types, code], [`./dist/generated/entries/${module}.d.ts`, `./dist/generated/entries/${module}.js`]);
  }
});

test("the module of an entry point that `modules` lacks is there", async () => {
  const forNode = [...mutated.map((provider) => `${provider}/mutations`), ...plannedFurther.map((provider) => `${provider}/plans`)];
  for (const entry of forNode) {
    const { module } = await import(`${name}/${entry}`);
    assert.match(module.integrity, /^sha\d+-/);
    assert.ok(!(module.name in modules) && module.bytes > 0);
  }
});

test("every program of the README compiles", () => {
  const found = [...readme.matchAll(/(?<=^```ts\n)[^]*?(?=^```$)/gm)];
  assert.ok(found.length > 10);
  // Errors name the lines of the README.
  const padded = ({ 0: code, index }) => readme.slice(0, index).replaceAll(/[^\n]/g, "") + code;
  const files = new Map(found.map((one, index) => [fileURLToPath(new URL(`readme-${index}.ts`, import.meta.url)), padded(one)]));
  const options = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, noEmit: true, skipLibCheck: true },
    ...{ target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.NodeNext, lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"], types: [] },
    // The older version has the same types.
    paths: { "trellis-policy-older/*": [fileURLToPath(new URL("../dist/*.d.ts", import.meta.url))] },
  };
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram([...files.keys()], options, host));
  const complaints = diagnostics.map(({ file, start, messageText }) => {
    const line = file && file.getLineAndCharacterOfPosition(start).line + 1;
    return `README.md:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
  assert.deepEqual(complaints, []);
});

test("the README's defaults keep a rollout from taking for a change what one version leaves out", async () => {
  const [code] = readme.slice(readme.indexOf("## Defaults first")).match(/(?<=```ts\n)[^]*?(?=```)/);
  const { outputText } = ts.transpileModule(code, { compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 } });
  const entry = import.meta.resolve("trellis-policy");
  const { defaulted } = await import(`data:text/javascript,${encodeURIComponent(outputText.replaceAll('"trellis-policy"', JSON.stringify(entry)))}`);
  const older = parse(shoot());
  older.spec.provider.workers[0].cri = { name: "containerd" };
  const edited = parse(shoot());
  const { rollout } = await loadAddresses({ provider: "alicloud" });
  const change = (of) => rollout({ object: of(edited), oldObject: of(older) }).pools[0].change;
  assert.equal(change((shoot) => shoot), "rolled");
  assert.equal(change((shoot) => defaulted(shoot, { spec: {} })), "unchanged");
});

test("the README names every function of the package", async () => {
  const entries = Object.entries(exports).filter(([entry, { types }]) => types && !entry.endsWith("-thread"));
  for (const [entry] of entries) {
    for (const exported of Object.keys(await import(entry.replace(".", name)))) {
      assert.match(readme, new RegExp(`\\b${exported}\\b`), `${exported} of ${entry}`);
    }
  }
});

test("each link of the README leads to a place in it, because the package holds no other page", () => {
  const places = Array.from(readme.matchAll(/^#+ (.+)$/gm), ([, heading]) => heading.toLowerCase().replaceAll(/[^\w -]/g, "").replaceAll(" ", "-"));
  const targets = Array.from(readme.matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target);
  assert.ok(targets.length > 20);
  assert.deepEqual(targets.filter((target) => !places.includes(target.replace(/^#/, ""))), []);
});

test("pages of tests have the README's Content-Security-Policy, and at most styles in addition to it", async () => {
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
