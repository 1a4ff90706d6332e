/** Editors that show but a part of a Shoot: what the rest of it says counts, too. */

import { textAt } from "../check/objects.js";
import type { CompletionOptions } from "./complete.js";
import type { Position } from "./position.js";

/** The Shoot that the text is a part of; nothing where that cannot be had. */
export async function shootOf({ onto }: Pick<CompletionOptions, "onto">): Promise<object | undefined> {
  try {
    return await onto?.();
  } catch {
    return undefined;
  }
}

/** A position in a part as one in the whole Shoot. */
export function withinWhole(position: Position, shoot: object | undefined): Position {
  const { path, siblings } = position;
  if (!shoot || ["apiVersion", "kind"].some((key) => position.textAt(key) !== undefined || (path.length === 0 && siblings.includes(key)))) return position;
  const rest = (...keys: string[]): string | undefined => textAt(shoot, ...keys);
  return {
    ...position,
    // With one of these, the text would be no part.
    siblings: path.length === 0 ? [...siblings, "apiVersion", "kind"] : siblings,
    textAt: (...keys) => position.textAt(...keys) ?? rest(...keys),
    textsNear: (depth, ...keys) => {
      const found = position.textsNear(depth, ...keys);
      const above = path.slice(0, depth);
      // A list of the text takes the place of the Shoot's.
      if (found.length > 0 || above.includes("[]")) return found;
      const text = rest(...above, ...keys);
      return text === undefined ? [] : [text];
    },
  };
}
