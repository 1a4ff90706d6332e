// What the page says of itself: its version, and how many rules each policy has.

import { readdir, readFile } from "node:fs/promises";

const WEB = new URL("../../web/", import.meta.url);
const POLICIES = new URL("dist/policies/", WEB);

const json = async (url) => JSON.parse(await readFile(url, "utf8"));

/** Read when the page is built, so that a browser loads no policy for it. */
export async function about() {
  const { version } = await json(new URL("package.json", WEB));
  const names = (await readdir(POLICIES)).filter((name) => name.endsWith(".rules.json")).sort();
  const rules = await Promise.all(
    names.map(async (name) => [name.replace(".rules.json", ""), Object.keys(await json(new URL(name, POLICIES))).length]),
  );
  return { version, rules: Object.fromEntries(rules) };
}
