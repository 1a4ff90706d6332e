import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vite";
import { about } from "./build/about.js";
import { compress } from "./build/compress.js";

/**
 * What a first visit is made of: each part is a file of its own, which `build/release.js` names. What is loaded later is in files of its
 * own, so that a visit has nothing in these that it does not need.
 */
const PARTS = [
  { name: "start", test: /[\\/]src[\\/]start\.ts$/ },
  { name: "vue", test: /node_modules[\\/](vue|@vue)[\\/]/ },
  { name: "vuetify", test: /node_modules[\\/](vuetify|@vuetify)[\\/]/ },
  { name: "codemirror", test: /node_modules[\\/](@codemirror|@lezer|style-mod|w3c-keyname|crelt|@marijn)[\\/]/ },
  { name: "page", test: /[\\/]src[\\/]main\.ts$/ },
].map((part, index, { length }) => ({ ...part, tags: ["$initial"], priority: length - index }));

export default defineConfig({
  base: "./",
  define: { ABOUT: JSON.stringify(await about()) },
  plugins: [vue(), compress()],
  worker: { format: "es" },
  build: {
    target: "es2022",
    // A module of WebAssembly in a data: URL would not be compiled while it downloads.
    assetsInlineLimit: 0,
    // Those of later parts are small, and a part that has its script has its styles.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    // Not how long plugins take, which it says on busy machines alone.
    rolldownOptions: { output: { codeSplitting: { groups: PARTS } }, checks: { bundlerTimings: false } },
  },
});
