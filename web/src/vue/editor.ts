/** The editor of manifests, for applications that have CodeMirror's packages. */

export { default as ManifestEditor } from "./ManifestEditor.vue";
