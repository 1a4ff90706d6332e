/** What there is to choose from at a position, from the function that finds it. */

import type { EditorState } from "@codemirror/state";
import { choicesAt, isChosen } from "../choices/offers.js";
import type { Choice } from "../choices/place.js";
import type { CompletionOptions } from "./complete.js";
import { type Position, placeOf } from "./position.js";

type Choosing = (state: EditorState, position: Position, signal: AbortSignal) => Promise<Choice[]>;
type Sources = Pick<CompletionOptions, "choices" | "context">;

/** Finds the choices at positions; none where the signal is aborted, or they cannot be had. */
export function choosing({ context, choices = onThread(context) }: Sources): Choosing {
  return async ({ doc }, position, signal) => {
    const place = placeOf(position);
    // A long text is not even copied for places where nothing is to be chosen.
    if (signal.aborted || !isChosen(place)) return [];
    try {
      return await choices(doc.toString(), place, { signal });
    } catch {
      return [];
    }
  };
}

function onThread(context: Sources["context"]): NonNullable<Sources["choices"]> {
  return async (text, place) => {
    // It brings what reads a text, which no editor needs that asks a checker.
    const { profilesIn } = await import("../choices/profiles.js");
    return choicesAt(place, profilesIn(text, await besides(context)), new Date());
  };
}

/** What is next to the text; nothing where that cannot be had. */
async function besides(context: Sources["context"]): Promise<string | object | undefined> {
  try {
    return await context?.();
  } catch {
    return undefined;
  }
}
