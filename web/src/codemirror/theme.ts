import { EditorView } from "@codemirror/view";

/**
 * The class of what a diagnostic of ours underlines. CodeMirror's own line is an image in a `data:` URL, which a strict
 * Content-Security-Policy does not load.
 */
export function markClass(severity: "error" | "warning" | "info"): string {
  return `cm-trellis-mark cm-trellis-${severity}`;
}

/** A base that themes can go beyond by the classes `cm-trellis-…`. */
export const theme = EditorView.baseTheme({
  ".cm-lintRange.cm-trellis-mark": {
    backgroundImage: "none",
    textDecorationLine: "underline",
    textDecorationStyle: "wavy",
    textDecorationSkipInk: "none",
  },
  // Where several stand at one place, the worst counts: the last of these that holds.
  ".cm-lintRange.cm-trellis-info": { textDecorationColor: "#888" },
  "&light .cm-lintRange.cm-trellis-warning": { textDecorationColor: "#c60" },
  "&dark .cm-lintRange.cm-trellis-warning": { textDecorationColor: "#fb4" },
  "&light .cm-lintRange.cm-trellis-error": { textDecorationColor: "#d11" },
  "&dark .cm-lintRange.cm-trellis-error": { textDecorationColor: "#f66" },
  ".cm-trellis-tooltip": { padding: "4px 8px", maxWidth: "40em", lineHeight: "1.4" },
  ".cm-trellis-finding": { display: "inline-block", maxWidth: "40em", verticalAlign: "top", whiteSpace: "normal" },
  ".cm-trellis-detail, .cm-trellis-remedy, .cm-trellis-default": { display: "block" },
  ".cm-trellis-remedy, .cm-trellis-default": { opacity: "0.85" },
  ".cm-trellis-tooltip p": { margin: "4px 0" },
  ".cm-trellis-rule + .cm-trellis-field": { borderTop: "1px solid #8888", marginTop: "6px", paddingTop: "6px" },
  ".cm-trellis-deprecated .cm-trellis-name": { textDecoration: "line-through" },
  ".cm-tooltip-autocomplete li:has(.cm-completionIcon-deprecated) .cm-completionLabel": { textDecoration: "line-through" },
  ".cm-trellis-id": { fontWeight: "bold" },
  ".cm-trellis-name": { fontWeight: "bold" },
  ".cm-trellis-type": { opacity: "0.7", fontStyle: "italic" },
  ".cm-trellis-code, .cm-trellis-name": { fontFamily: "monospace", borderRadius: "3px", padding: "0 2px" },
  "&light .cm-trellis-code": { backgroundColor: "#0000000d" },
  "&dark .cm-trellis-code": { backgroundColor: "#ffffff1a" },
});
