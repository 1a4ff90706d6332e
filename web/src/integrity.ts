/** Hashes of modules, as HTML writes them: https://www.w3.org/TR/sri-2/ */

import { LoadError } from "./errors.js";

/** The algorithms, the strongest first, and how many characters a hash has. */
const ALGORITHMS = { sha512: 88, sha384: 64, sha256: 44 } as const;

type Algorithm = keyof typeof ALGORITHMS;

/** The hashes of which a module has one: those of the strongest algorithm that the text names. */
export function parseIntegrity(text: unknown): { algorithm: Algorithm; hashes: string[] } {
  const found = typeof text === "string" ? text.trim().split(/\s+/) : [];
  const hashes = found.map((hash) => {
    const [, algorithm, value] = /^(sha256|sha384|sha512)-([A-Za-z0-9+/]+={0,2})$/.exec(hash) ?? [];
    if (algorithm === undefined || value?.length !== ALGORITHMS[algorithm as Algorithm]) {
      throw new LoadError(
        `\`integrity\` is \`sha256-\`, \`sha384-\` or \`sha512-\` with the hash in base64, as in \`modules\` of this package, not \`${hash}\``,
      );
    }
    return { algorithm, value };
  });
  const algorithm = (Object.keys(ALGORITHMS) as Algorithm[]).find((name) => hashes.some((hash) => hash.algorithm === name));
  if (algorithm === undefined) throw new LoadError(`\`integrity\` is a text such as \`sha384-…\`, not ${String(text) || "an empty text"}`);
  return { algorithm, hashes: hashes.flatMap((hash) => (hash.algorithm === algorithm ? [hash.value] : [])) };
}

/** Refuses bytes that have none of the hashes. */
export async function requireIntegrity(bytes: BufferSource, integrity: string, from: string): Promise<void> {
  const { algorithm, hashes } = parseIntegrity(integrity);
  const subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle;
  if (subtle === undefined) {
    throw new LoadError(`\`integrity\` cannot be checked here: browsers compute hashes for pages that come by https or from localhost alone`);
  }
  const digest = await subtle.digest(`SHA-${algorithm.slice("sha".length)}`, bytes);
  const found = btoa(String.fromCharCode(...new Uint8Array(digest)));
  if (hashes.includes(found)) return;
  throw new LoadError(
    `${from} is not the module that \`integrity\` names: it has \`${algorithm}-${found}\`. Serve the file of this version of the package, or correct \`integrity\``,
  );
}
