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
}

/** The field at a pointer into an object. The schema is that of the nearest object around it whose kind has one. */
export function fieldAt(object: unknown, pointer: string, schemas: Schemas): Field | undefined {
  let value = object;
  let schema = schemaOf(value, schemas);
  let field: Field | undefined;
  for (const token of tokens(pointer)) {
    const inside: JsonSchema | undefined = schema && unwrapped(schema);
    const child = inside?.properties?.[token] ?? (Array.isArray(value) ? inside?.items : additional(inside));
    const required = inside?.required?.includes(token) ?? false;
    field = child && !Array.isArray(value) ? describe(token, child, required) : undefined;
    value = member(value, token);
    schema = schemaOf(value, schemas) ?? child;
  }
  return field;
}

/** The schema for an object's own kind. */
function schemaOf(object: unknown, schemas: Schemas): JsonSchema | undefined {
  const kind = member(object, "kind");
  return typeof kind === "string" && Object.hasOwn(schemas, kind) ? schemas[kind] : undefined;
}

/** What OpenAPI wraps to say something beside it. */
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
  const values: unknown = schema["enum"];
  return {
    name,
    type: typeOf(schema),
    description: schema.description ?? "",
    required,
    values: Array.isArray(values) ? values.map(String) : [],
  };
}

/** A type in words: `string`, `list of object`. */
function typeOf(schema: JsonSchema): string {
  const type: unknown = schema.type;
  const own = Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : "";
  if (own !== "array") return own;
  const items = schema.items && typeOf(unwrapped(schema.items));
  return items ? `list of ${items}` : "list";
}
