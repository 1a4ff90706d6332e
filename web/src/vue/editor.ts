/** The editor of manifests, for applications that have CodeMirror's packages. */

import "./tokens.css";

export { default as ManifestEditor } from "./ManifestEditor.vue";
export { yamlSyntax } from "../codemirror/syntax.js";
export type { Syntax, SyntaxName, SyntaxSpan } from "../syntax.js";
