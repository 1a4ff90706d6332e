// The page of the components' tests.
import assert from "node:assert/strict";
import axe from "axe-core";
import { bundled } from "../../browser/bundled.js";

/** Light and dark, as the person prefers it or as Vuetify's theme is, on narrow and wide pages. */
const LOOKS = [
  { width: 320, colorScheme: "light", variables: {} },
  { width: 1600, colorScheme: "dark", variables: {} },
  { width: 1600, colorScheme: "dark", variables: vuetify("255, 255, 255", "0, 0, 0", "24, 103, 192", "176, 0, 32") },
  { width: 320, colorScheme: "light", variables: vuetify("33, 33, 33", "255, 255, 255", "33, 150, 243", "207, 102, 121") },
];

function vuetify(surface, ink, primary, error) {
  return {
    "--v-theme-background": surface,
    "--v-theme-surface": surface,
    "--v-theme-on-surface": ink,
    "--v-theme-primary": primary,
    "--v-theme-error": error,
  };
}

const SETTINGS = {
  define: { __VUE_OPTIONS_API__: false, __VUE_PROD_DEVTOOLS__: false, __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false },
  build: { minify: false },
};

/** Opens the page; the caller closes it. */
export async function open() {
  const { newPage, load, ...rest } = await bundled(new URL("page/", import.meta.url), SETTINGS);
  const page = await newPage();
  /** Loads the page again, with a component on it. */
  const show = async (name, props, { width = 1000, strings } = {}) => {
    await page.mouse.move(0, 0);
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    await load(page);
    await page.evaluate(([name, props, strings]) => window.page.show(name, props, strings), [name, props, strings]);
    return page;
  };
  return { show, ...rest };
}

/** Asserts that axe finds nothing wrong with a page at WCAG 2.1 AA, and that nothing is wider than it. */
export async function assertAccessible(page) {
  await page.evaluate(axe.source);
  for (const { width, colorScheme, variables } of LOOKS) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate(async (variables) => {
      for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
      const runOnly = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"] };
      const { violations } = await window.axe.run(document, { runOnly });
      const { scrollWidth, clientWidth } = document.documentElement;
      return { violations, surplus: scrollWidth - clientWidth };
    }, variables);
    const lines = found.violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
    );
    assert.deepEqual(lines, [], `${width} pixels, ${colorScheme}, ${JSON.stringify(variables)}`);
    assert.equal(found.surplus, 0, `more than ${width} pixels`);
  }
}

/** What the component has emitted so far. */
export function emitted(page) {
  return page.evaluate(() => window.page.emitted);
}
