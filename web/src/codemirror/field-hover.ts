/** What fields mean, where the pointer rests, in an editor of any provider's objects. */

import type { Extension } from "@codemirror/state";
import { type EditorView, type Tooltip, hoverTooltip } from "@codemirror/view";
import { textAt } from "../check/objects.js";
import { choosing } from "./choosing.js";
import { COMPLETION_OPTIONS, type CompletionOptions } from "./complete.js";
import { excerptAt } from "./excerpt.js";
import { refuseUnknown } from "./known-options.js";
import { shootOf, withinWhole } from "./onto.js";
import { positionAt } from "./position.js";
import { choiceElement, element, fieldElement } from "./render.js";
import { type TextAt, gardenerKinds, providerOf, remembered, rootOf } from "./root.js";
import { fieldAt } from "./schema.js";
import { theme } from "./theme.js";

export interface FieldHoverOptions extends CompletionOptions {
  /** Milliseconds that the pointer rests before the tooltip shows; 300 by default. */
  hoverTime?: number | undefined;
}

/**
 * Shows, of a field of Gardener's objects and of a provider's configuration in them, its type and what it means; of a value
 * that the CloudProfile at hand lists, what that says of it.
 */
export function fieldHover(options: FieldHoverOptions): Extension {
  refuseUnknown("fieldHover", options, { ...COMPLETION_OPTIONS, hoverTime: true });
  const { schemas, provider, hoverTime = 300 } = options;
  const configsOf = remembered(schemas);
  const choose = choosing(options);
  const source = async ({ state }: EditorView, pos: number): Promise<Tooltip | null> => {
    const excerpt = excerptAt(state.doc, pos);
    if (!excerpt) return null;
    const { text, at } = excerpt;
    const reading = await reader();
    const document = reading?.parse(text).find(({ from, to }) => from <= at && at <= to);
    const found = document?.find(at);
    if (!reading || !found || document?.json === undefined) return null;
    const shoot = await shootOf(options);
    const object = reading.wholeObject(document.json, shoot);
    const of: TextAt = (...path) => textAt(object, ...path);
    const [gardener, configs] = await Promise.all([gardenerKinds(), configsOf(providerOf(of) ?? provider?.())]);
    const field = fieldAt(object, found.pointer, rootOf(of, gardener, configs), configs);
    if (!field) return null;
    const place = positionAt(state, pos);
    const position = place && withinWhole(place, shoot);
    const value = text.slice(found.range.from, found.range.to);
    const choices = position?.part === "value" ? await choose(state, position, new AbortController().signal) : [];
    const choice = choices.find((one) => one.value === value);
    const parts = [...(choice?.detail ? [choiceElement(choice)] : []), fieldElement(field)];
    const [start, end] = [found.range.from - at + pos, found.range.to - at + pos];
    return { pos: start, end, above: true, create: () => ({ dom: element("div", "tooltip", ...parts) }) };
  };
  return [hoverTooltip(source, { hideOnChange: true, hoverTime }), theme];
}

/** What reads the text; nothing while it cannot be loaded, which is tried again with the next hover. */
async function reader() {
  try {
    return await import("./reading.js");
  } catch {
    return undefined;
  }
}
