/** Reads what a URL names, in browsers and in Node. */

import type { Read } from "./module.js";

/** Node cannot fetch files. It is asked for its own module at run time, because bundlers for browsers have no such module. */
export const read: Read = (url, signal) => {
  const files = url.protocol === "file:" ? globalThis.process?.getBuiltinModule?.("node:fs/promises") : undefined;
  return files?.readFile(url, { signal }) ?? fetch(url, { signal });
};
