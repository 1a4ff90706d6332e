/** What an edit changes in the objects of a control plane. */

import { groupOf, isEqual, member, textAt } from "../check/objects.js";
import { expectAnswer } from "./answer.js";
import { keyOf } from "./key.js";
import { diffLines, type ManifestLine } from "./lines.js";
import { masked } from "./mask.js";
import { type Names, namesOf, type Rendered } from "./objects.js";
import { yamlOf } from "./text.js";

/** An object that differs. */
export interface ManifestChange extends Names {
  state: "added" | "removed" | "changed";
  /** The name of its managed resource; `Machines` where it is of the machines of worker pools. */
  resource: string;
  /** Whether the edit makes pods that run start again: those of a workload whose pod template differs. */
  restarts: boolean;
  /** The lines of both, values of Secrets masked; the mask of another value says so. */
  lines: ManifestLine[];
}

/** The kinds of the group `apps` whose controllers replace pods that are not of their template. */
const WORKLOADS = new Set(["Deployment", "DaemonSet", "StatefulSet"]);

/**
 * The objects that differ between two answers of `render`, by managed resource, in the order of the later one; those that
 * were removed stand behind the others of their managed resource. No value of a Secret is in it.
 */
export function manifestsDiff(before: Rendered, after: Rendered): ManifestChange[] {
  for (const answer of [before, after]) expectAnswer(answer, "manifestsDiff", "render");
  return groupsDiff(groupsOf(before), groupsOf(after));
}

/** Objects with what they are called, by the names of the groups in which they stand. */
export type Groups = { name: string; objects: Called[] }[];

interface Called {
  names: Names;
  object: unknown;
}

function groupsOf({ managedResources = [] }: Rendered): Groups {
  return managedResources.map(({ name, objects }) => ({ name, objects: objects.map((object) => ({ names: namesOf(object), object })) }));
}

/** The objects that differ, by group. */
export function groupsDiff(before: Groups, after: Groups): ManifestChange[] {
  const [old, now] = [byGroup(before), byGroup(after)];
  const groups = [...new Set([...now.keys(), ...old.keys()])];
  return groups.flatMap((group) => {
    const was = old.get(group) ?? new Map<string, Called>();
    const is = now.get(group) ?? new Map<string, Called>();
    const changed = [...is].flatMap(([key, called]) => changeOf(group, called.names, was.get(key)?.object, called.object));
    const removed = [...was].flatMap(([key, { names, object }]) => (is.has(key) ? [] : changeOf(group, names, object, undefined)));
    return [...changed, ...removed];
  });
}

/** The objects of each group by their keys. */
function byGroup(groups: Groups): Map<string, Map<string, Called>> {
  return new Map(groups.map(({ name, objects }) => [name, new Map(objects.map((called) => [keyOf(name, called.names), called]))]));
}

function changeOf(resource: string, names: Names, before: unknown, after: unknown): ManifestChange[] {
  if (isEqual(before, after)) return [];
  const state = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  const old = before === undefined ? "" : yamlOf(masked(before));
  const now = after === undefined ? "" : yamlOf(masked(after, before === undefined ? undefined : { object: before }));
  const lines = diffLines(old, now);
  return [{ state, resource, ...names, restarts: startsAnew(before, after), lines }];
}

function startsAnew(before: unknown, after: unknown): boolean {
  if (!isWorkload(before) || !isWorkload(after)) return false;
  const [old, now] = [member(before, "spec"), member(after, "spec")];
  // Without pods before or after, none starts again; by this strategy only those that somebody deletes do.
  if (member(old, "replicas") === 0 || member(now, "replicas") === 0) return false;
  if (textAt(now, "updateStrategy", "type") === "OnDelete") return false;
  return !isEqual(member(old, "template"), member(now, "template"));
}

function isWorkload(object: unknown): boolean {
  return groupOf(textAt(object, "apiVersion") ?? "") === "apps" && WORKLOADS.has(textAt(object, "kind") ?? "");
}
