// Compiles the Vue components of `src/vue/` to `dist/vue/`: an ES module a source, one stylesheet. Their types are
// written there by vue-tsc before.

import { existsSync } from "node:fs";
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import vue from "@vitejs/plugin-vue";
import { build } from "vite";

const WEB = new URL("../", import.meta.url);
const DIST = new URL("dist/vue/", WEB);
const path = (url) => fileURLToPath(new URL(url, WEB));

/** The exports of the package; the editor is an entry of its own, for it needs CodeMirror. */
const entries = ["index", "editor"]
  .map((name) => path(`src/vue/${name}.ts`))
  .filter((file) => existsSync(file));

/** Everything but the components themselves stays an import: packages, and the modules next to them, which tsc compiles. */
const external = {
  name: "external",
  enforce: "pre",
  resolveId: (id, importer) =>
    importer !== undefined && /^\.\.\/|^[\w@]/.test(id) ? { id, external: true, moduleSideEffects: false } : undefined,
};

await build({
  root: path("."),
  configFile: false,
  logLevel: "warn",
  define: { "process.env.NODE_ENV": "process.env.NODE_ENV" },
  plugins: [external, vue({ isProduction: true })],
  build: {
    outDir: path("dist/vue"),
    emptyOutDir: false,
    target: "es2022",
    minify: false,
    cssMinify: false,
    cssCodeSplit: false,
    lib: { entry: entries, formats: ["es"], cssFileName: "style" },
    rolldownOptions: {
      // Not how long plugins take, which it says on busy machines alone.
      checks: { bundlerTimings: false },
      output: {
        preserveModules: true,
        preserveModulesRoot: path("src/vue"),
        entryFileNames: ({ name }) => `${name.replace(/\.vue(_vue_type_script.*)?$/, (_, script) => (script ? ".setup" : ""))}.js`,
      },
    },
  },
});

// Types have the names of the modules that they are of, and no styles.
for (const file of await readdir(DIST)) {
  if (!file.endsWith(".d.ts")) continue;
  const text = await readFile(new URL(file, DIST), "utf8");
  await writeFile(new URL(file, DIST), text.replace(/^import .*\.css";\n/gm, "").replace(/(["']\.\/\w+)\.vue(["'])/g, "$1.js$2"));
  await rename(new URL(file, DIST), new URL(file.replace(/\.vue\.d\.ts$/, ".d.ts"), DIST));
}
