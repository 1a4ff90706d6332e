/** The same as `index.ts`, with modules read from files. */

import type { load as Load } from "./index.js";
import { loadOnce } from "./load.js";
import { readFileOrFetch } from "./read-node.js";

export { LoadError, providers } from "./index.js";

export const load: typeof Load = (options) => loadOnce(options, readFileOrFetch);
