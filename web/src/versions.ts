/** Versions of this package side by side, of which the one is chosen that admission runs. */

import { releaseOf } from "./versions/release.js";

export { LoadError } from "./errors.js";
export type { Admission, Mode } from "./versions/admission.js";
export type { Choice } from "./versions/choice.js";
export { choose, type ChooseOptions } from "./versions/choose.js";
export type { Release } from "./versions/release.js";

/** This version of the package. Its code is loaded once it is chosen. */
export const release = releaseOf({ worker: () => import("./worker.js"), checker: () => import("./checker.js") });
