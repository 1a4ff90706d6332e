import { readFile } from "node:fs/promises";
import type { Read } from "./module.js";

/** Node cannot fetch files. */
export const readFileOrFetch: Read = (url) => (url.protocol === "file:" ? readFile(url) : fetch(url));
