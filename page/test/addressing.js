// Addresses of the page, written and read.
import { readFile } from "node:fs/promises";
import { deflateRawSync, inflateRawSync } from "node:zlib";

/** The text of an example, as the page shows it: without the line that says what tests expect. */
export const example = async (name) =>
  (await readFile(new URL(`../../examples/${name}.yaml`, import.meta.url), "utf8")).replace(/^# expect: .*\n/, "");

/** A CloudProfile and an example that refers to it. */
export const withProfile = async (name) => `${(await example("five-mistakes")).split(/^---\n/m)[0]}---\n${await example(name)}`;

/** The part of an address that opens texts. */
export const hashOf = (shared) => `#state=${deflateRawSync(JSON.stringify(shared)).toString("base64url")}`;

/** What such a part holds: the JSON of its texts; the part itself where it is another one. */
export const stateOf = (hash) => (hash.startsWith("#state=") ? inflateRawSync(Buffer.from(hash.slice(7), "base64url")).toString() : hash);

/** What the address of a page holds. */
export const stateIn = (page) => stateOf(new URL(page.url()).hash);
