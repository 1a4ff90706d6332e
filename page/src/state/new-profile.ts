/** The profiles that New Shoot puts under Context. */

import type { ProfileDocument } from "./profiles.js";

/** Context, and what of it New Shoot put there. */
export interface Filled {
  context: string;
  put: string[];
}

/**
 * Context with the documents of a profile. What New Shoot put there before goes, as long as it is as it was put and the new Shoot does not need it; what a
 * person put there, or changed, stays, but for what a document takes the place of: it would count in its place.
 */
export function filled({ context, put }: Filled, documents: ProfileDocument[]): Filled {
  const isNeeded = (text: string): boolean => documents.some((document) => document.text.trim() === text.trim());
  const replaced = documents.flatMap(({ replaces }) => replaces);
  const kept = [...put.filter((text) => !isNeeded(text)), ...replaced].reduce(without, context);
  const lacking = documents.filter(({ from }) => from !== "context").map(({ text }) => text);
  const parts = [...(kept.trim() === "" ? [] : [`${kept.trimEnd()}\n`]), ...lacking];
  return { context: lacking.length === 0 ? kept : parts.join("---\n"), put: [...put.filter(isNeeded), ...lacking] };
}

/** A text without a whole document, and without the line that parts it from the others. */
function without(text: string, document: string): string {
  const own = document.trim();
  const at = text.indexOf(own);
  const [head, tail] = [text.slice(0, at), text.slice(at + own.length)];
  const isWhole = at >= 0 && /(?:^|\n---[ \t]*\n)\s*$/.test(head) && /^\s*(?:$|\n---[ \t]*(?:\n|$))/.test(tail);
  if (!isWhole) return text;
  if (head.trim() === "") return tail.replace(/^\s*---[ \t]*\n?/, "");
  return head.replace(/---[ \t]*\n\s*$/, "") + tail.replace(/^\s*\n(?=---)/, "");
}
