/** As much of the objects next to an object as a policy reads, because a CloudProfile is long, and most policies look at a few fields. */

import type { Info } from "../documents.js";
import { tokens } from "../yaml/tree.js";
import { member } from "./objects.js";

/** What a policy reads of the context of an object, by function, as `info` lists it; all where it lists nothing. */
export interface Reads {
  default?: readonly string[] | undefined;
  validate?: readonly string[] | undefined;
}

/** Objects by role, as JSON text. */
type Context = Record<string, string>;

export function readsOf({ default: defaults, validate }: Info["reads"], kind: string): Reads {
  return { default: defaults?.[kind], validate: validate?.[kind] };
}

/** As much of a context as is at some pointers. */
export function cut(context: Context, pointers: readonly string[]): Context {
  const found = Object.entries(context).map(([role, json]) => [role, cutOne(pointers, role, json)] as const);
  return Object.fromEntries(found.flatMap(([role, json]) => (json === undefined ? [] : [[role, json]])));
}

/** What was cut, by the pointers, the role and the text: the next key asks for the same. A text alone is the key, because it is hashed once. */
const known = new WeakMap<readonly string[], Map<string, Map<string, string>>>();
const KEPT = 4;

function cutOne(pointers: readonly string[], role: string, json: string): string | undefined {
  const paths = pointers.map(tokens).filter(([first]) => first === role).map(([, ...path]) => path);
  if (paths.length === 0) return undefined;
  if (paths.some((path) => path.length === 0)) return json;
  const roles = known.get(pointers) ?? new Map<string, Map<string, string>>();
  known.set(pointers, roles);
  const made = roles.get(role) ?? new Map<string, string>();
  roles.set(role, made);
  const before = made.get(json);
  if (before !== undefined) return before;
  if (made.size >= KEPT) made.clear();
  const found = JSON.stringify(only(JSON.parse(json), paths));
  made.set(json, found);
  return found;
}

/** A value with no more than what is at some paths; `*` stands for all entries of a list. */
function only(value: unknown, paths: string[][]): unknown {
  if (paths.some((path) => path.length === 0)) return value;
  if (Array.isArray(value)) {
    const inside = paths.filter(([first]) => first === "*").map(([, ...path]) => path);
    return inside.length > 0 ? value.map((entry) => only(entry, inside)) : [];
  }
  // The policy reports what is of a wrong type.
  if (typeof value !== "object" || value === null) return value;
  const keys = [...new Set(paths.flatMap(([first]) => first ?? []))].filter((key) => member(value, key) !== undefined);
  return Object.fromEntries(keys.map((key) => [key, only(member(value, key), paths.filter(([first]) => first === key).map(([, ...path]) => path))]));
}
