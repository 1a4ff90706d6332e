/** The command line that judges what the page judges. */

import type { EditorName, Texts } from "./workspace.js";

/** What else a person chose on the page. */
interface Chosen {
  gardenerVersion: string | undefined;
  kubernetes: string | undefined;
  /** The file that lists the fields of the garden's API server. */
  fields: string | undefined;
}

/** The name of a text as a file. */
export function nameOfFile(name: EditorName, text: string): string {
  return `${name}.${/^\s*[{[]/.test(text) ? "json" : "yaml"}`;
}

/** The command, with the names that downloads of the texts have. */
export function commandOf(texts: Texts, { gardenerVersion, kubernetes, fields }: Chosen): string {
  const file = (name: EditorName): string => nameOfFile(name, texts[name]);
  return [
    "trellis validate",
    file("manifest"),
    // An upgrade is judged as an update of the manifest itself.
    ...(texts.before !== "" && kubernetes === undefined ? ["--old", file("before")] : []),
    ...(texts.context === "" ? [] : ["--with", file("context")]),
    ...(gardenerVersion === undefined ? [] : ["--gardener-version", gardenerVersion]),
    ...(fields === undefined ? [] : ["--openapi", quoted(fields)]),
    ...(kubernetes === undefined ? [] : ["--kubernetes", kubernetes]),
  ].join(" ");
}

/** The command that judges a file. */
export function commandFor(name: string): string {
  return `trellis validate ${quoted(name)}`;
}

/** A word as shells read it. */
function quoted(word: string): string {
  return /^[\w.,:/+@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
