/** What JSON Schemas say of a field. */

import type { JsonSchema, Schemas } from "../json-schema.js";
import { tokens } from "../yaml/tree.js";
import { member } from "../check/objects.js";

/** A field as people read of it. */
export interface Field {
  name: string;
  type: string;
  description: string;
  required: boolean;
  /** What the value can be, where there are but some. */
  values: string[];
  /** What else the value can be. */
  examples: string[];
  /** The value of a field that is not there, where the schema knows it. */
  standard: string | undefined;
  /** Of a field to avoid: why, and what to use instead, as far as the schema says it. */
  deprecated: string | undefined;
  /** Whether Gardener writes the field, and not a person. */
  isReadOnly: boolean;
}

/**
 * The field at a pointer into an object whose schema is `root`. What that leaves open has the schema of its own kind, if
 * `schemas` have one.
 */
export function fieldAt(object: unknown, pointer: string, root: JsonSchema | undefined, schemas: Schemas): Field | undefined {
  let value = object;
  let schema = root;
  let field: Field | undefined;
  for (const token of tokens(pointer)) {
    const inside: JsonSchema | undefined = schema && unwrapped(schema);
    const child = childOf(inside, token) ?? (Array.isArray(value) ? inside?.items : additional(inside));
    const required = inside?.required?.includes(token) ?? false;
    field = child && !Array.isArray(value) ? describe(token, child, required) : undefined;
    value = member(value, token);
    schema = child && unwrapped(child).properties ? child : (schemaOf(value, schemas) ?? child);
  }
  return field;
}

/** The schema of a member. */
export function childOf(schema: JsonSchema | undefined, name: string): JsonSchema | undefined {
  const properties = schema?.properties;
  return properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
}

/** The schema for an object's own kind. */
export function schemaOf(object: unknown, schemas: Schemas): JsonSchema | undefined {
  const kind = member(object, "kind");
  return typeof kind === "string" && Object.hasOwn(schemas, kind) ? schemas[kind] : undefined;
}

/** What OpenAPI wraps to say something next to it. */
export function unwrapped(schema: JsonSchema): JsonSchema {
  for (const wrapper of ["allOf", "anyOf", "oneOf"]) {
    const options: unknown = schema[wrapper];
    if (Array.isArray(options) && options.length === 1) return { ...unwrapped(options[0] as JsonSchema), ...schema };
  }
  return schema;
}

export function additional(schema: JsonSchema | undefined): JsonSchema | undefined {
  const found = schema?.["additionalProperties"];
  return typeof found === "object" && found !== null ? (found as JsonSchema) : undefined;
}

export function describe(name: string, wrapped: JsonSchema, required: boolean): Field {
  const schema = unwrapped(wrapped);
  const { description = "" } = schema;
  const standard: unknown = schema["default"];
  return {
    name,
    type: typeOf(schema),
    description,
    required,
    values: texts(schema["enum"]),
    examples: texts(schema["examples"]),
    // Zero, false and nothing go without saying.
    standard: standard && typeof standard !== "object" ? String(standard) : undefined,
    deprecated: schema.deprecated || description.startsWith("Deprecated:") ? (schema.deprecationMessage ?? "") : undefined,
    isReadOnly: schema["readOnly"] === true,
  };
}

function texts(values: unknown): string[] {
  return Array.isArray(values) ? values.map(String) : [];
}

/** What there is to say of a field in few words. */
export function attributesOf({ type, required, deprecated, isReadOnly }: Field): string {
  const said = [type, deprecated === undefined ? "" : "deprecated", isReadOnly ? "read-only" : required ? "required" : ""];
  return said.filter((part) => part).join(", ");
}

/** A type in words: `string`, `list of object`. */
function typeOf(schema: JsonSchema): string {
  const type: unknown = schema.type;
  // What has a text of its own form, such as a duration.
  if (schema.title !== undefined && type !== "object") return schema.title;
  const own = Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "";
  if (own !== "array") return own;
  const items = schema.items && typeOf(unwrapped(schema.items));
  return items ? `list of ${items}` : "list";
}
