import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";
import { about } from "./build/about.js";
import { compress } from "./build/compress.js";

/** What the page is made of: each part is a file of its own, which `build/release.js` names. */
const PARTS = [
  { name: "vue", test: /node_modules[\\/](vue|@vue)[\\/]/, priority: 2 },
  { name: "vuetify", test: /node_modules[\\/](vuetify|@vuetify)[\\/]/, priority: 1 },
  // What compares texts is for few visits.
  { name: "codemirror", test: /node_modules[\\/](@codemirror(?![\\/]merge)|@lezer|style-mod|w3c-keyname|crelt|@marijn)[\\/]/ },
];

export default defineConfig({
  base: "./",
  define: { ABOUT: JSON.stringify(await about()) },
  plugins: [vue(), compress()],
  worker: { format: "es" },
  build: {
    target: "es2022",
    // A module of WebAssembly in a data: URL would not be compiled while it downloads.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Not how long plugins take, which it says on busy machines alone.
    rolldownOptions: { output: { codeSplitting: { groups: PARTS } }, checks: { bundlerTimings: false } },
  },
});
