/** Characters that nobody sees are shown by their number, and turn nothing round. */

import type { Extension } from "@codemirror/state";
import { EditorView, highlightSpecialChars } from "@codemirror/view";
import { INVISIBLE, codeOf } from "../invisible.js";

/** Shows such characters as their number, such as `U+202E`. */
export function invisibleCharacters(): Extension {
  return [highlightSpecialChars({ specialChars: INVISIBLE, render }), theme];
}

function render(code: number, description: string | null): HTMLElement {
  const made = document.createElement("span");
  made.className = "cm-trellis-invisible";
  made.textContent = codeOf(String.fromCodePoint(code));
  made.title = description ?? made.textContent;
  made.setAttribute("aria-label", made.title);
  return made;
}

const theme = EditorView.baseTheme({
  ".cm-trellis-invisible": {
    margin: "0 1px",
    padding: "0 2px",
    border: "1px solid currentcolor",
    borderRadius: "3px",
    fontSize: "0.8em",
    unicodeBidi: "isolate",
  },
  "&light .cm-trellis-invisible": { color: "#b00020" },
  "&dark .cm-trellis-invisible": { color: "#ff8a80" },
});
