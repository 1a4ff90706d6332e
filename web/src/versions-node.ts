/** The same as `versions.ts`, with threads of Node. */

import { releaseOf } from "./versions/release.js";
import type { release as Release } from "./versions.js";

export { LoadError } from "./errors.js";
export { choose } from "./versions/choose.js";

export const release: typeof Release = releaseOf({ worker: () => import("./worker-node.js"), checker: () => import("./checker-node.js") });
