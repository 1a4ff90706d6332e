/** A JSON Schema as `schemas` hands it out: in one piece, without references. */
export interface JsonSchema {
  title?: string;
  description?: string;
  type?: string | string[];
  properties?: { [name: string]: JsonSchema };
  items?: JsonSchema;
  required?: string[];
  /** Whether the field is to be avoided; why, and what to use instead, is in `deprecationMessage`. */
  deprecated?: boolean;
  deprecationMessage?: string;
  [keyword: string]: unknown;
}

/** Schemas by kind; a kind need not have one. */
export interface Schemas {
  [kind: string]: JsonSchema | undefined;
}
