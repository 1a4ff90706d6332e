/** Completion of a provider's configuration. */

import type { Completion, CompletionContext, CompletionResult, CompletionSource } from "@codemirror/autocomplete";
import { indentUnit } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import type { Soon } from "../check/policy.js";
import { configProviderOf } from "../check/provider.js";
import type { JsonSchema, Schemas } from "../json-schema.js";
import { isHost, outlineOf, unnamed } from "./outline.js";
import { type Position, positionAt } from "./position.js";
import { fieldElement } from "./render.js";
import { additional, describe, unwrapped } from "./schema.js";

export interface CompletionOptions {
  /** The schemas of a provider's configuration kinds, as `schemas` of `trellis-policy/schema` gives them. */
  schemas: (provider: string) => Soon<Schemas>;
  /** The provider of documents that name none. */
  provider?: (() => string | undefined) | undefined;
}

/**
 * Offers the keys and values of a provider's configuration, and of what leads to it, in Shoots, CloudProfiles,
 * NamespacedCloudProfiles, Seeds, BackupBuckets and documents that are a configuration themselves, to an editor that has
 * `autocompletion` of `@codemirror/autocomplete` and `yaml` of `@codemirror/lang-yaml`.
 */
export function policyCompletion(options: CompletionOptions): Extension {
  const data = [{ autocomplete: policyCompletionSource(options) }];
  return EditorState.languageData.of(() => data);
}

/** The same for an editor that chooses its sources itself, by `override`. */
export function policyCompletionSource({ schemas, provider }: CompletionOptions): CompletionSource {
  const loaded = new Map<string, Promise<Schemas>>();
  const schemasOf = (name: string): Promise<Schemas> => {
    const before = loaded.get(name);
    if (before) return before;
    const soon = Promise.resolve(name).then(schemas);
    loaded.set(name, soon);
    // There may be no such provider, or no connection, which is tried again.
    soon.catch(() => loaded.delete(name));
    return soon.catch(() => ({}));
  };
  return async ({ state, pos, explicit }: CompletionContext): Promise<CompletionResult | null> => {
    const position = positionAt(state, pos);
    if (!position || (!explicit && position.from === pos && !/(?:- |: )$/.test(before(state, pos)))) return null;
    const name = providerOf(position) ?? provider?.();
    const root = rootOf(position, name === undefined ? {} : await schemasOf(name));
    const schema = root && follow(root, position.path);
    if (!schema) return null;
    const isItem = position.part === "key" && !schema.properties && position.path.at(-1) === "[]";
    const options = position.part === "value" || isItem ? valuesOf(position, schema) : keysOf(position, schema, unit(state));
    return options.length > 0 ? { from: position.from, options, validFor: /^[\w./-]*$/ } : null;
  };
}

function before(state: EditorState, pos: number): string {
  return state.doc.sliceString(Math.max(0, pos - 2), pos);
}

function unit(state: EditorState): string {
  const given = state.facet(indentUnit);
  return given.includes("\t") ? "  " : given;
}

/** The provider that a document names. */
function providerOf({ textAt }: Position): string | undefined {
  switch (textAt("kind")) {
    case "Shoot":
    case "BackupBucket":
      return textAt("spec", "provider", "type");
    case "Seed":
      return textAt("spec", "backup", "provider") ?? textAt("spec", "provider", "type");
    case "CloudProfile":
      return textAt("spec", "type");
    case "NamespacedCloudProfile":
      return configProviderOf(textAt("spec", "providerConfig", "apiVersion"));
    default:
      return configProviderOf(textAt("apiVersion"));
  }
}

/** The schema of a document. */
function rootOf({ textAt }: Position, configs: Schemas): JsonSchema | undefined {
  const kind = textAt("kind");
  if (kind === undefined) return unnamed;
  if (isHost(kind)) {
    const group = textAt("apiVersion");
    return group === undefined || group.startsWith("core.gardener.cloud/") ? outlineOf(kind, configs) : undefined;
  }
  return Object.hasOwn(configs, kind) ? configs[kind] : undefined;
}

/** The schema at a path. */
function follow(root: JsonSchema, path: string[]): JsonSchema | undefined {
  let schema: JsonSchema | undefined = unwrapped(root);
  for (const step of path) {
    const { items, properties }: JsonSchema = schema;
    const own: JsonSchema | undefined = properties && Object.hasOwn(properties, step) ? properties[step] : undefined;
    const child: JsonSchema | undefined = step === "[]" ? items : (own ?? additional(schema));
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

function keysOf(position: Position, schema: JsonSchema, indentation: string): Completion[] {
  const properties = Object.entries(schema.properties ?? {});
  return properties
    .filter(([key]) => !position.siblings.includes(key))
    .map(([key, child]) => {
      const field = describe(key, child, schema.required?.includes(key) ?? false);
      return {
        label: key,
        type: "property",
        detail: field.required ? `${field.type}, required` : field.type,
        boost: field.required ? 1 : 0,
        info: () => fieldElement(field),
        apply: written(key, unwrapped(child), position, indentation),
      };
    });
}

/** A key with what leads to its value. */
function written(key: string, { type, properties, items }: JsonSchema, position: Position, indentation: string): string {
  const { column, hasColon } = position;
  if (hasColon) return key;
  if (column === undefined) return `${key}: `;
  const below = `${key}:\n${" ".repeat(column)}${indentation}`;
  if (items || type === "array") return `${below}- `;
  return properties || type === "object" ? below : `${key}: `;
}

function valuesOf(position: Position, schema: JsonSchema): Completion[] {
  const given: unknown = schema["enum"] ?? (schema["const"] === undefined ? undefined : [schema["const"]]);
  const isBoolean = schema.type === "boolean" || (Array.isArray(schema.type) && schema.type.includes("boolean"));
  const values: unknown[] = Array.isArray(given) ? given : isBoolean ? [true, false] : [];
  const field = describe(position.path.at(-1) ?? "", schema, false);
  return values.map((value) => ({
    label: String(value),
    type: "enum",
    info: () => fieldElement(field),
    apply: typeof value === "string" && isAmbiguous(value) ? JSON.stringify(value) : String(value),
  }));
}

/** Whether YAML would take a text for something else. */
function isAmbiguous(text: string): boolean {
  return !/^[A-Za-z][\w./-]*$/.test(text) || /^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
}
