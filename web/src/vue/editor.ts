/** The editor of manifests, for applications that have CodeMirror's packages. */

import "./tokens.css";

export { invisibleCharacters } from "../codemirror/invisible.js";
export { yaml } from "../codemirror/language.js";
export { editorTheme } from "./editor-theme.js";
export { default as ManifestEditor } from "./ManifestEditor.vue";
export { yamlSyntax } from "../codemirror/syntax.js";
export type { Syntax, SyntaxName, SyntaxSpan } from "../syntax.js";
