/** How the editor looks: colours of the application, each with a contrast of 4.5 to 1 and more. */

import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const surface = "rgb(var(--v-theme-surface, 255, 255, 255))";
const text = "rgb(var(--v-theme-on-surface, 20, 20, 20))";
const tinted = (opacity: number): string => `rgba(var(--v-theme-on-surface, 20, 20, 20), ${opacity})`;

const layout = {
  "&": { height: "100%", backgroundColor: surface, color: text, fontSize: "var(--trellis-text)" },
  ".cm-scroller": { fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace", lineHeight: "1.5" },
  ".cm-gutters": { backgroundColor: surface, color: tinted(0.68), borderRight: `1px solid ${tinted(0.12)}` },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: tinted(0.05) },
  "&.cm-focused": { outline: "2px solid rgb(var(--v-theme-primary, 91, 58, 158))", outlineOffset: "-2px" },
  ".cm-cursor": { borderLeftColor: text },
  ".cm-panels": { backgroundColor: surface, color: text, fontFamily: "system-ui, sans-serif" },
  ".cm-tooltip": { backgroundColor: surface, color: text, border: `1px solid ${tinted(0.3)}`, boxShadow: "0 2px 8px #0004" },
  ".cm-panels.cm-panels-top": { border: "0", borderBottom: `1px solid ${tinted(0.15)}` },
  ".cm-panels.cm-panels-bottom": { border: "0", borderTop: `1px solid ${tinted(0.15)}` },
  ".cm-panel": { fontFamily: "inherit", fontSize: "var(--trellis-text)" },
  ".cm-panel.cm-search": {
    display: "flex",
    flexWrap: "wrap",
    alignItems: "center",
    gap: "var(--trellis-space-2)",
    padding: "var(--trellis-space-2) 2.25rem var(--trellis-space-2) var(--trellis-space-3)",
  },
  // A line of its own for what takes the place of what is found.
  ".cm-panel.cm-search br": { content: "''", display: "block", flexBasis: "100%", height: "0" },
  ".cm-panel.cm-search :is(button, input, label)": { margin: "0", fontSize: "inherit" },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: "var(--trellis-space-1)" },
  ".cm-panels :is(.cm-button, .cm-textfield)": {
    color: text,
    backgroundColor: surface,
    backgroundImage: "none",
    border: `1px solid ${tinted(0.52)}`,
    borderRadius: "var(--trellis-radius)",
    padding: "var(--trellis-space-1) var(--trellis-space-2)",
    minHeight: "1.75rem",
  },
  ".cm-panels .cm-textfield": { flex: "1 1 10rem", maxWidth: "20rem" },
  ".cm-panels .cm-button:is(:hover, :active)": { backgroundColor: tinted(0.08), backgroundImage: "none" },
  ".cm-panels input[type=checkbox]": { accentColor: "rgb(var(--v-theme-primary, 91, 58, 158))" },
  ".cm-panels :focus-visible": { outline: `2px solid ${text}`, outlineOffset: "1px" },
  ".cm-panel.cm-search button[name=close]": {
    position: "absolute",
    top: "var(--trellis-space-2)",
    right: "var(--trellis-space-2)",
    width: "1.75rem",
    height: "1.75rem",
    color: text,
    fontSize: "var(--trellis-text-title)",
    borderRadius: "var(--trellis-radius)",
    cursor: "pointer",
  },
  ".cm-searchMatch": { backgroundColor: "#d9820055" },
  ".cm-searchMatch-selected": { backgroundColor: "#d98200aa" },
  ".cm-diagnosticAction": {
    backgroundColor: "rgb(var(--v-theme-primary, 91, 58, 158))",
    color: "rgb(var(--v-theme-on-primary, 255, 255, 255))",
    padding: "2px 8px",
  },
};

const highlight = (dark: boolean): HighlightStyle =>
  HighlightStyle.define([
    { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: dark ? "#8ecbff" : "#0b4f9c" },
    { tag: tags.string, color: dark ? "#ffcf99" : "#8a3b00" },
    { tag: [tags.content, tags.number, tags.bool, tags.null], color: dark ? "#c9e7b5" : "#24570f" },
    { tag: [tags.comment, tags.lineComment], color: dark ? "#a3ada3" : "#5a655a", fontStyle: "italic" },
    { tag: [tags.meta, tags.keyword, tags.typeName], color: dark ? "#e0b8ff" : "#6d1d9c" },
    { tag: [tags.punctuation, tags.separator, tags.bracket], color: "inherit" },
  ]);

const look = (dark: boolean): Extension => [
  EditorView.theme(layout, { dark }),
  syntaxHighlighting(highlight(dark)),
];
const looks = { light: look(false), dark: look(true) };

/** The colours for a light or a dark application. */
export function editorTheme(dark: boolean): Extension {
  return dark ? looks.dark : looks.light;
}
