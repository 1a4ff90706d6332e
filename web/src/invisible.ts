/** Characters that nobody sees, or that turn the order of what stands around them. */

/** Controls, spaces that look like others, characters without width, and those that set a direction. */
const CLASS =
  "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u00a0\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180e" +
  "\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\u3164\\ufeff\\uffa0\\ufff9-\\ufffc\\u{e0000}-\\u{e0fff}";

/** All such characters of a text. */
export const INVISIBLE = new RegExp(`[${CLASS}]`, "gu");

/** How such a character is shown, such as `U+202E`. */
export function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A text in which such characters are codes. */
export function visible(text: string): string {
  return text.replace(INVISIBLE, codeOf);
}

/** A text in parts: those at odd places are such characters. */
export function splitInvisible(text: string): string[] {
  return text.split(new RegExp(`([${CLASS}])`, "u"));
}
