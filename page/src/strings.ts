/**
 * Every word of the page that is not one of a component of `trellis-policy/vue`, of a policy, or of CodeMirror. Those that a first visit
 * needs are here; parts that are loaded later have theirs in `strings/dialogs.ts`, `strings/preview.ts` and `strings/cloud.ts`.
 */

import { bar } from "./strings/bar.js";
import { results } from "./strings/results.js";
import { texts } from "./strings/texts.js";
import { visit } from "./strings/visit.js";

export const strings = { ...bar, ...texts, ...results, ...visit };
