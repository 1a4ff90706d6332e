/** A JSON Schema as `schemas` hands it out: in one piece, without references. */
export interface JsonSchema {
  title?: string;
  description?: string;
  type?: string;
  properties?: { [name: string]: JsonSchema };
  items?: JsonSchema;
  required?: string[];
  [keyword: string]: unknown;
}

/** Schemas of configuration kinds, by kind. */
export interface Schemas {
  [kind: string]: JsonSchema;
}
