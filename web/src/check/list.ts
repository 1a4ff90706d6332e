/** A list of objects, of which `check` judges each item, such as what `kubectl get` prints. */

import { pathOf } from "../detail.js";
import type { DefaultChange, ErrorAnswer, PatchOperation, Scope, Verdict } from "../documents.js";
import { patchJson } from "../yaml/patch.js";
import { readJson } from "../yaml/json.js";
import { type Part, partsOf } from "../yaml/items.js";
import { toJson } from "../yaml/tree.js";
import type { Subject } from "./all.js";
import type { Checked, CheckedFinding } from "./answer.js";
import { calledOf, identityOf } from "./identity.js";
import { GARDENER } from "./join.js";
import { jsonOf } from "./judge.js";
import { type TextObject, secretOf, textAt } from "./objects.js";
import { companionsOf, contextOf } from "./references.js";
import { twiceIn } from "./twice.js";
import { kindsOf } from "./roles.js";

/** What goes with a list. */
interface Whole {
  object: unknown;
  /** JSON text of the list before, or of the one object that was there. */
  old: string | undefined;
  context: Record<string, string>;
}

/** What a person can do about a value that cannot be read. */
const CORRECT = "Correct the value: until then, nobody can judge the object.";

/** What was said of an item, whose pointer in the list is `at`. */
interface Item {
  at: string;
  checked: Checked;
}

/** The object of a JSON text, or the items of a list. A list may be long: what is too large of it is for the policies to say. */
export function partsIn(json: string): Part[] {
  return partsOf(readJson(json, () => 1, Number.POSITIVE_INFINITY) ?? []);
}

/** Checks the items of a list, and joins what is said of them. */
export async function checkItems(
  parts: Part[],
  { object, old, context }: Whole,
  check: (subject: Subject) => Promise<Checked | ErrorAnswer>,
): Promise<Checked | ErrorAnswer> {
  const items = parts.map(objectOf);
  const olds = new Map((old === undefined ? [] : partsIn(old)).map(objectOf).map((found) => [identityOf(found.object), found.json]));
  const others = [...items, ...objectsIn(context)];
  const twice = twiceIn(items);
  const judged: Item[] = [];
  const left: string[] = [];
  let refused: ErrorAnswer | undefined;
  for (const [index, { at, problems }] of parts.entries()) {
    const item = items[index];
    if (!item) continue;
    const other = twice.get(index);
    if (other) {
      const message = `the list has another ${calledOf(item.object)}, at \`${pathOf(parts[other.first]?.at ?? "")}\``;
      if (!other.isCopy) judged.push({ at, checked: unjudged(item.object, { message, pointer: "/metadata/name", remedy: "Remove one of the two." }) });
      continue;
    }
    const identity = identityOf(item.object);
    const before = identity === undefined ? undefined : olds.get(identity);
    const answer = await check({ ...item, old: before, context: contextFor(item.object, context, others), others, isSound: problems.length === 0 });
    if (!("error" in answer)) judged.push({ at, checked: answer });
    else if (answer.error.pointer !== undefined) judged.push({ at, checked: unjudged(item.object, answer.error) });
    else if (answer.error.code !== "UnsupportedKind") return { error: { ...answer.error, pointer: at } };
    else {
      refused ??= answer;
      const kind = textAt(item.object, "kind");
      left.push(kind === undefined ? `${pathOf(at)}, which has no kind` : `${pathOf(at)}, a ${kind}`);
    }
  }
  if (judged.length === 0 && refused) return refused;
  return joined(object, judged, left);
}

/** An item that is not judged as it is, such as a Secret whose values are no base64: its error is the finding, and the other items are judged. */
function unjudged(object: unknown, { message, pointer = "", remedy = CORRECT, fix }: Omit<ErrorAnswer["error"], "code">): Checked {
  const finding: CheckedFinding = { severity: "error", type: "Denied", field: "", pointer, detail: message, remedy, source: GARDENER, ...(fix && { fix }) };
  return { verdict: "reject", findings: [finding], undecided: [], changes: [], object: object as object, scope: { checked: [], notChecked: [] } };
}

function objectOf({ root }: Part): TextObject {
  const json = root ? toJson(root) : "null";
  return { json, object: JSON.parse(json) };
}

/** The objects of a context, with the kinds that those without one have by their roles. */
function objectsIn(context: Record<string, string>): TextObject[] {
  return Object.entries(context).flatMap(([role, json]) => {
    const [kind] = kindsOf(role);
    return kind === undefined ? [] : [{ json, object: { kind, ...JSON.parse(json) } }];
  });
}

/** What an item refers to: what it names, among the items and in the context, and what has no name there. */
function contextFor(item: unknown, context: Record<string, string>, others: TextObject[]): Record<string, string> {
  const isForAll = ([role, json]: [string, string]): boolean => kindsOf(role).length === 0 || textAt(JSON.parse(json), "metadata", "name") === undefined;
  const secret = secretOf(item, others);
  return {
    ...Object.fromEntries(Object.entries(context).filter(isForAll)),
    ...jsonOf({ ...contextOf(item, others), ...companionsOf(item, others), ...(secret && { secret }) }),
  };
}

/** What is said of a list. */
function joined(list: unknown, items: Item[], left: string[]): Checked {
  const all = items.map(({ checked }) => checked);
  const truncated = distinct(all.flatMap((checked) => checked.truncated ?? []));
  const patch = items.map(({ at, checked }): PatchOperation => ({ op: "replace", path: at, value: checked.object as never }));
  return {
    verdict: worst(all.map(({ verdict }) => verdict)),
    findings: items.flatMap(({ at, checked }) => checked.findings.map((finding) => within(at, finding))),
    ...(truncated.length > 0 && { truncated }),
    undecided: items.flatMap(({ at, checked }) => checked.undecided.map((open) => ({ ...open, item: at }))),
    changes: items.flatMap(({ at, checked }) => checked.changes.map((change): DefaultChange => ({ ...change, pointer: at + change.pointer }))),
    object: JSON.parse(patchJson(JSON.stringify(list), patch) ?? JSON.stringify(list)) as object,
    scope: scopeOf(items, left),
  };
}

/** A finding of an item as one of the list. */
function within(at: string, finding: CheckedFinding): CheckedFinding {
  const { pointer, fields, fix, causedBy } = finding;
  const moved = (change: PatchOperation): PatchOperation => ({ ...change, path: at + change.path, ...(change.op === "move" && { from: at + change.from }) });
  return {
    ...finding,
    pointer: at + pointer,
    // The words of the existing extension do not say which item it is.
    field: pathOf(at + pointer),
    ...(fields && { fields: fields.map((field) => at + field) }),
    ...(fix && { fix: fix.map(moved) }),
    ...(causedBy && { causedBy: { ...causedBy, pointer: at + causedBy.pointer } }),
  };
}

function worst(verdicts: Verdict[]): Verdict {
  return (["reject", "undecided"] as const).find((verdict) => verdicts.includes(verdict)) ?? "accept";
}

/** What the verdicts cover together. */
function scopeOf(items: Item[], left: string[]): Scope {
  const scopes = items.map(({ checked }) => checked.scope);
  const parts = distinct(scopes.flatMap((scope) => scope.parts ?? []));
  const places = new Map<string, string[]>();
  for (const { at, checked } of items) {
    for (const { name, pointers } of checked.scope.sections ?? []) places.set(name, [...(places.get(name) ?? []), ...pointers.map((pointer) => at + pointer)]);
  }
  const sections = [...places].map(([name, pointers]) => ({ name, pointers }));
  return {
    checked: distinct(scopes.flatMap(({ checked }) => checked)),
    notChecked: distinct([...scopes.flatMap(({ notChecked }) => notChecked), ...left]),
    ...(parts.length > 0 && { parts }),
    ...(sections.length > 0 && { sections }),
  };
}

function distinct<T>(values: T[]): T[] {
  return [...new Set(values)];
}
