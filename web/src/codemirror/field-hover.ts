/** What fields mean, where the pointer rests, in an editor of any provider's objects. */

import type { Extension } from "@codemirror/state";
import { type EditorView, type Tooltip, hoverTooltip } from "@codemirror/view";
import { textAt } from "../check/objects.js";
import { type CompletionOptions, besides } from "./complete.js";
import { documentsOf } from "./documents.js";
import { choicesAt } from "./offers.js";
import { positionAt } from "./position.js";
import { profilesIn } from "./profiles.js";
import { choiceElement, element, fieldElement } from "./render.js";
import { type TextAt, gardenerKinds, providerOf, remembered, rootOf } from "./root.js";
import { fieldAt } from "./schema.js";
import { theme } from "./theme.js";

export interface FieldHoverOptions extends CompletionOptions {
  /** Milliseconds that the pointer rests before the tooltip shows; 300 by default. */
  hoverTime?: number | undefined;
}

/**
 * Tells of a field of Gardener's objects, and of a provider's configuration in them, its type and what it means; of a value
 * that the CloudProfile at hand lists, what that says of it.
 */
export function fieldHover({ schemas, provider, context, hoverTime = 300 }: FieldHoverOptions): Extension {
  const configsOf = remembered(schemas);
  const source = async ({ state }: EditorView, pos: number): Promise<Tooltip | null> => {
    const { doc } = state;
    const document = documentsOf(doc).find(({ from, to }) => from <= pos && pos <= to);
    const found = document?.find(pos);
    if (!found || document?.json === undefined) return null;
    const object: unknown = JSON.parse(document.json);
    const at: TextAt = (...path) => textAt(object, ...path);
    const [gardener, configs, others] = await Promise.all([
      gardenerKinds(),
      configsOf(providerOf(at) ?? provider?.()),
      besides(context),
    ]);
    const field = fieldAt(object, found.pointer, rootOf(at, gardener, configs), configs);
    if (!field) return null;
    const position = positionAt(state, pos);
    const text = doc.sliceString(found.range.from, found.range.to);
    const profiles = position?.part === "value" ? profilesIn(doc.toString(), others) : [];
    const choice = position && choicesAt(position, profiles, new Date()).find(({ value }) => value === text);
    const parts = [...(choice?.detail ? [choiceElement(choice)] : []), fieldElement(field)];
    return { pos: found.range.from, end: found.range.to, above: true, create: () => ({ dom: element("div", "tooltip", ...parts) }) };
  };
  return [hoverTooltip(source, { hideOnChange: true, hoverTime }), theme];
}
