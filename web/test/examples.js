import { readFile } from "node:fs/promises";
import { parseAllDocuments } from "yaml";

/** The documents of an example, as plain objects. */
export async function example(name) {
  const text = await readFile(new URL(`../../examples/${name}`, import.meta.url), "utf8");
  return parseAllDocuments(text).map((document) => document.toJS());
}

/** The bytes of a provider's module. */
export function moduleBytes(provider) {
  return readFile(new URL(import.meta.resolve(`trellis-policy/${provider}.wasm`)));
}
