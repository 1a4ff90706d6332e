/** A garden's OpenAPI document as names of fields, which is all that Gardener's rules on structure want of it. */

import { OF_ALL } from "./kinds.js";

/** The fields below a field by name: `*` for every key of a map, none where nothing is known of what is below. */
export interface FieldNames {
  [field: string]: FieldNames;
}

/** As much of a schema as matters here. */
interface Schema {
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean | Schema;
  "x-kubernetes-group-version-kind"?: { group?: string; version?: string; kind?: string }[];
}

const GROUP = "core.gardener.cloud";
const VERSION = "v1beta1";

/**
 * The names of the fields of the kinds that Gardener judges in a garden's OpenAPI document, for
 * `context.openapi`: that of `kubectl get --raw /openapi/v2`, or of `/openapi/v3/apis/core.gardener.cloud/v1beta1`. Throws a
 * `TypeError` for a document without these kinds.
 */
export function openapiNames(document: object): { [kind: string]: FieldNames } {
  const schemas = schemasOf(document);
  const found: { [kind: string]: FieldNames } = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const kind = kindOf(name, schema);
    if (kind !== undefined) found[kind] = namesOf(schema, schemas, new Set());
  }
  if (Object.keys(found).length === 0) {
    throw new TypeError(`the document describes no kind of ${GROUP}/${VERSION}: give the OpenAPI document of a garden's API server`);
  }
  return found;
}

/** What `context.openapi` is to be: a document, or names that were made of one. */
export function namesIn(openapi: object): object {
  const areNames = [...OF_ALL].some((kind) => kind in openapi) && !("definitions" in openapi) && !("components" in openapi);
  return areNames ? openapi : openapiNames(openapi);
}

/** The schemas by name, in version 2 and 3 of OpenAPI. */
function schemasOf(document: object): Record<string, Schema> {
  const { definitions, components } = document as {
    definitions?: Record<string, Schema>;
    components?: { schemas?: Record<string, Schema> };
  };
  return definitions ?? components?.schemas ?? {};
}

function kindOf(name: string, schema: Schema): string | undefined {
  const kinds = schema["x-kubernetes-group-version-kind"] ?? [];
  const reported = kinds.find(({ group, version }) => group === GROUP && version === VERSION)?.kind;
  return [...OF_ALL].find((kind) => kind === reported || name.endsWith(`.core.${VERSION}.${kind}`));
}

function namesOf(schema: Schema, schemas: Record<string, Schema>, above: Set<Schema>): FieldNames {
  const target = targetOf(schema, schemas);
  // What holds itself says nothing of what is below.
  if (target === undefined || above.has(target)) return {};
  const within = new Set(above).add(target);
  const of = (part: Schema): FieldNames => namesOf(part, schemas, within);
  const { properties, items, additionalProperties } = target;
  if (items) return of(items);
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, of(part)]));
  return typeof additionalProperties === "object" ? { "*": of(additionalProperties) } : {};
}

/** What a reference leads to, which OpenAPI wraps where it says something next to it. */
function targetOf(schema: Schema, schemas: Record<string, Schema>): Schema | undefined {
  const [only] = schema.allOf ?? [];
  const ref = schema.$ref ?? only?.$ref;
  return ref === undefined ? schema : schemas[ref.slice(ref.lastIndexOf("/") + 1)];
}
