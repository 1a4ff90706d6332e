import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** The names of the files that Vite makes of a program; `how` goes to its bundler. */
async function built(code, how = {}) {
  const program = { resolveId: (id) => (id === "program" ? id : undefined), load: (id) => (id === "program" ? code : undefined) };
  const { output } = await build({
    root: fileURLToPath(new URL("../", import.meta.url)),
    configFile: false,
    logLevel: "warn",
    plugins: [{ name: "program", ...program }],
    build: { write: false, rolldownOptions: { input: "program", ...how } },
  });
  return output.map(({ fileName }) => fileName);
}

const asking = (entry) => `import { isProvider } from "${entry}"; globalThis.isThere = isProvider("aws");`;

const isData = (name) => /\.(wasm|json)$/.test(name);

test("a bundle that asks whether there is a policy holds no module and no words", async () => {
  assert.deepEqual((await built(asking("trellis-policy/schema"))).filter(isData), []);
});

test("a bundle that asks by the main entry point holds neither, where the bundler loads no file whose names nobody imports", async () => {
  const files = await built(asking("trellis-policy"), { experimental: { lazyBarrel: true } });
  assert.deepEqual(files.filter(isData), []);
});

test("a bundle that loads the policy of one provider holds its module", async () => {
  const files = await built(`import { load } from "trellis-policy/aws"; globalThis.policy = load();`);
  assert.deepEqual(files.filter((name) => name.endsWith(".wasm")).map((name) => name.replace(/-[\w-]{8}\./, ".")), ["assets/aws_bg.wasm"]);
});
