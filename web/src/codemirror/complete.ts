/** Completion of Gardener's objects and of the configuration of a provider in them. */

import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import { indentUnit } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import type { Soon } from "../check/policy.js";
import type { Choice, ChoicePlace } from "../choices/place.js";
import type { JsonSchema, Schemas } from "../json-schema.js";
import type { CallOptions } from "../worker/interface.js";
import { choosing } from "./choosing.js";
import { refuseUnknown } from "./known-options.js";
import { shootOf, withinWhole } from "./onto.js";
import { type Position, positionAt } from "./position.js";
import { fieldElement } from "./render.js";
import { gardenerKinds, providerOf, remembered, rootOf } from "./root.js";
import { additional, attributesOf, childOf, describe, unwrapped } from "./schema.js";
import { theme } from "./theme.js";

export interface CompletionOptions {
  /** The schemas of a provider's configuration kinds, as `schemas` of `trellis-policy/schema` gives them. */
  schemas: (provider: string) => Soon<Schemas>;
  /** The provider of documents that name none. */
  provider?: (() => string | undefined) | undefined;
  /** Objects next to the text, such as the CloudProfile, whose regions, types and versions are offered: one, several, or a text. */
  context?: (() => Soon<string | object | undefined>) | undefined;
  /** The Shoot that the text is a part of, where that has neither `apiVersion` nor `kind`, as `onto` of a review. */
  onto?: (() => Soon<object | undefined>) | undefined;
  /**
   * The values to choose from at a place of the editor's text, as `choices` of a `Checker` finds them with what is next to the text.
   * Without it they are found on the page's thread, which reads the profiles of the text and of `context` for it.
   */
  choices?: ((text: string, place: ChoicePlace, options: CallOptions) => Soon<Choice[]>) | undefined;
}

export const COMPLETION_OPTIONS: Record<keyof CompletionOptions, true> = { schemas: true, provider: true, context: true, onto: true, choices: true };

/**
 * Offers the keys and values of Shoots, CloudProfiles and NamespacedCloudProfiles of any provider, with the configuration of
 * one whose schemas there are; in Seeds and BackupBuckets that configuration and what leads to it; and the keys and values of
 * documents that are a configuration themselves. What a Shoot can choose from its CloudProfile is offered where that is at
 * hand: in the text, or next to it. For an editor that has `autocompletion` of `@codemirror/autocomplete` and `yaml` of
 * `@codemirror/lang-yaml`.
 */
export function policyCompletion(options: CompletionOptions): Extension {
  refuseUnknown("policyCompletion", options, COMPLETION_OPTIONS);
  const data = [{ autocomplete: policyCompletionSource(options) }];
  return [EditorState.languageData.of(() => data), theme];
}

/** The same for an editor that chooses its sources itself, by `override`. */
export function policyCompletionSource(options: CompletionOptions): CompletionSource {
  refuseUnknown("policyCompletionSource", options, COMPLETION_OPTIONS);
  const { schemas, provider } = options;
  const configsOf = remembered(schemas);
  const choose = choosing(options);
  return async (asked: CompletionContext): Promise<CompletionResult | null> => {
    const { state, pos, explicit } = asked;
    const found = positionAt(state, pos);
    if (!found || (!explicit && found.from === pos && !/(?:- |: )$/.test(before(state, pos)))) return null;
    const position = withinWhole(found, await shootOf(options));
    const name = providerOf(position.textAt) ?? provider?.();
    const [gardener, configs] = await Promise.all([gardenerKinds(), configsOf(name)]);
    const root = rootOf(position.textAt, gardener, configs);
    const schema = root && follow(root, position.path);
    if (!schema) return null;
    const isItem = position.part === "key" && !schema.properties && position.path.at(-1) === "[]";
    if (position.part === "key" && !isItem) return result(position, keysOf(position, schema, state));
    const chosen = choicesOf(position, schema, await choose(state, position, untilChanged(asked)));
    return result(position, chosen.length > 0 ? chosen : valuesOf(position, schema));
  };
}

/** A signal that is aborted when the text changes, because what is offered then is asked for again. */
function untilChanged(asked: CompletionContext): AbortSignal {
  const controller = new AbortController();
  if (asked.aborted) controller.abort();
  else asked.addEventListener("abort", () => controller.abort(), { onDocChange: true });
  return controller.signal;
}

function result({ from }: Position, options: Completion[]): CompletionResult | null {
  return options.length > 0 ? { from, options, validFor: /^[\w./-]*$/ } : null;
}

function before(state: EditorState, pos: number): string {
  return state.doc.sliceString(Math.max(0, pos - 2), pos);
}

function unit(state: EditorState): string {
  const given = state.facet(indentUnit);
  return given.includes("\t") ? "  " : given;
}

/** The schema at a path. */
function follow(root: JsonSchema, path: string[]): JsonSchema | undefined {
  let schema: JsonSchema | undefined = unwrapped(root);
  for (const step of path) {
    const child: JsonSchema | undefined = step === "[]" ? schema.items : (childOf(schema, step) ?? additional(schema));
    if (!child) return undefined;
    // What a configuration is, it says in texts that are but the value.
    schema = unwrapped(child);
    if (step === "apiVersion" || step === "kind") schema = { enum: literalOf(schema), ...schema };
  }
  return schema;
}

/** The only value of a field whose description is that. */
function literalOf({ description = "" }: JsonSchema): string[] {
  const found = /^`([^`]+)`$/.exec(description)?.[1];
  return found === undefined ? [] : [found];
}

function keysOf(position: Position, schema: JsonSchema, state: EditorState): Completion[] {
  const properties = Object.entries(schema.properties ?? {});
  return properties
    .filter(([key]) => !position.siblings.includes(key))
    .map(([key, child]) => {
      const field = describe(key, child, schema.required?.includes(key) ?? false);
      return {
        label: key,
        type: field.deprecated === undefined ? "property" : "property deprecated",
        detail: attributesOf(field),
        boost: field.deprecated !== undefined || field.isReadOnly ? -1 : field.required ? 1 : 0,
        info: () => fieldElement(field),
        apply: written(key, unwrapped(child), position, state),
      };
    });
}

/** A key with what leads to its value. An editor with a line separator of its own splits no text at another one. */
function written(key: string, { type, properties, items }: JsonSchema, position: Position, state: EditorState): string {
  const { column, hasColon } = position;
  if (hasColon) return key;
  if (column === undefined) return `${key}: `;
  const below = `${key}:${state.lineBreak}${" ".repeat(column)}${unit(state)}`;
  if (items || type === "array") return `${below}- `;
  return properties || type === "object" ? below : `${key}: `;
}

function valuesOf(position: Position, schema: JsonSchema): Completion[] {
  const given: unknown = schema["enum"] ?? (schema["const"] === undefined ? undefined : [schema["const"]]) ?? schema["examples"];
  const isBoolean = schema.type === "boolean" || (Array.isArray(schema.type) && schema.type.includes("boolean"));
  const values: unknown[] = Array.isArray(given) ? given : isBoolean ? [true, false] : [];
  const field = describe(position.path.at(-1) ?? "", schema, false);
  return values.map((value) => ({
    label: String(value),
    type: "enum",
    info: () => fieldElement(field),
    apply: typeof value === "string" ? scalar(value) : String(value),
  }));
}

/** What the CloudProfile offers, in its order. */
function choicesOf(position: Position, schema: JsonSchema, choices: Choice[]): Completion[] {
  const field = describe(position.path.at(-1) ?? "", schema, false);
  return choices.map(({ value, detail, isDeprecated }, rank) => ({
    label: value,
    type: isDeprecated ? "enum deprecated" : "enum",
    detail,
    boost: isDeprecated ? -1 : 0,
    sortText: String(rank).padStart(6, "0"),
    info: () => fieldElement(field),
    apply: scalar(value),
  }));
}

/** A text as YAML has it. */
function scalar(text: string): string {
  return isAmbiguous(text) ? JSON.stringify(text) : text;
}

/** Whether YAML would take a text for something else. */
function isAmbiguous(text: string): boolean {
  return !/^(?:[A-Za-z]|\d+\.\d+\.\d)[\w./-]*$/.test(text) || /^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
}
