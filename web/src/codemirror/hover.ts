/** What rules and fields mean, where the pointer rests. */

import { forEachDiagnostic } from "@codemirror/lint";
import type { EditorState, Extension, Text } from "@codemirror/state";
import { type EditorView, type Tooltip, hoverTooltip } from "@codemirror/view";
import { textAt } from "../check/objects.js";
import { type Range, embed } from "../yaml/index.js";
import { documentsOf } from "./documents.js";
import { expected } from "./expected.js";
import { wholeOf } from "./fragment.js";
import { refuseUnknown } from "./known-options.js";
import { HOVER_OPTIONS, type HoverOptions } from "./options.js";
import { element, fieldElement, ruleElement } from "./render.js";
import { gardenerKinds, rootOf } from "./root.js";
import { type Field, fieldAt, schemaOf } from "./schema.js";
import { theme } from "./theme.js";
import type { ExplainedRule } from "../rules.js";

/**
 * Shows, of the rules whose findings are under the pointer, why they are there and how to fix what they find; of a
 * field, its type and description.
 */
export function policyHover(options: HoverOptions): Extension {
  refuseUnknown("policyHover", options, HOVER_OPTIONS);
  return hovering(options);
}

/** The same, for who has looked at the options. */
export function hovering(options: HoverOptions): Extension {
  expected(options.policy);
  expected(options.schemas);
  const source = async (view: EditorView, pos: number): Promise<Tooltip | null> => {
    const { doc } = view.state;
    const [rules, found] = await Promise.all([rulesAt(view.state, pos, options), fieldUnder(doc, pos, options)]);
    if (view.state.doc !== doc || (rules.length === 0 && !found)) return null;
    const reported = typeof rules === "string" ? [element("section", "rule", rules)] : rules.map(ruleElement);
    const parts = [...reported, ...(found ? [fieldElement(found.field)] : [])];
    return {
      pos: found?.from ?? pos,
      end: found?.to ?? pos,
      above: true,
      create: () => ({ dom: element("div", "tooltip", ...parts) }),
    };
  };
  return [hoverTooltip(source, { hideOnChange: true, hoverTime: options.hoverTime ?? 300 }), theme];
}

/** The rules of the diagnostics at an offset, each once, without advice that the diagnostic itself gives; or why they are not known. */
async function rulesAt(state: EditorState, pos: number, { policy }: HoverOptions): Promise<ExplainedRule[] | string> {
  const messages = new Map<string, string>();
  forEachDiagnostic(state, ({ source, message }, from, to) => {
    if (source && from <= pos && pos <= to) messages.set(source, message);
  });
  if (messages.size === 0) return [];
  const answer = await (await policy).rules();
  // A package without words explains no rule. That is no failure, of which people should read.
  if ("error" in answer) return answer.error.code === "NotPackaged" ? [] : answer.error.message;
  const rules = new Map(answer.rules.map((rule) => [rule.id, rule]));
  return [...messages].flatMap(([id, message]) => {
    const rule = rules.get(id);
    return rule ? [{ ...rule, fix: message.includes(rule.fix) ? "" : rule.fix }] : [];
  });
}

/** The field whose key or value stands at an offset, if a schema knows it. */
async function fieldUnder(
  doc: Text,
  pos: number,
  options: HoverOptions,
): Promise<(Range & { field: Field }) | undefined> {
  const [gardener, schemas = {}] = await Promise.all([gardenerKinds(), options.schemas]);
  const at = options.fragment?.at ?? "";
  const document = documentsOf(doc, options.fragment).find(({ from, to }) => from <= pos && pos <= to);
  const found = document?.find(pos);
  if (!found || document?.json === undefined) return undefined;
  // The kind of the object may be known by the whole alone.
  const whole = (options.fragment && at !== "" && (await wholeOf(options.fragment))) || "{}";
  const json = at === "" ? document.json : embed(whole, at, document.json);
  if (json === undefined) return undefined;
  const object: unknown = JSON.parse(json);
  const root = schemaOf(object, schemas) ?? rootOf((...path) => textAt(object, ...path), gardener, {});
  const field = fieldAt(object, found.pointer, root, schemas);
  return field && { field, ...found.range };
}
