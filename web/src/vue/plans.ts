/** What people read of a plan, in addition to what it says itself. */

import { visible } from "../invisible.js";
import type { Action, Plan, ResourceChange, PlannedResource } from "../documents.js";

/** How far a step is, or what is made by steps. */
export type StepState = "waiting" | "running" | "done" | "failed";

/** How far the steps of a plan are, by their ids. A step that is not among them waits. */
export type Progress = Readonly<Record<string, StepState>>;

/** What is drawn in the place of an error. */
export const NO_PLAN: Plan = { changes: [], resources: [], state: {}, steps: [] };

/** The actions, in the order in which they are counted. */
export const ACTIONS: readonly Action[] = ["create", "associate", "adopt", "update", "replace", "delete"];

/** What stands for an action where there is room for a sign alone. */
export const SIGNS: Record<Action | "none", string> = {
  create: "+",
  associate: "⇄",
  adopt: "↳",
  update: "~",
  replace: "±",
  delete: "−",
  none: "",
};

/** What stands for a state. */
export const STATE_SIGNS: Record<StepState, string> = { waiting: "…", running: "▸", done: "✓", failed: "✕" };

/** How many resources of a kind are charged by the hour, now and then. */
export interface Billed {
  kind: string;
  before: number;
  after: number;
}

/** What is charged by the hour, by kind, without what others have made. */
export function billedOf({ resources }: Plan): Billed[] {
  const kinds = new Map<string, Billed>();
  for (const { kind, action, billed, foreign } of resources) {
    if (!billed || foreign) continue;
    const found = kinds.get(kind) ?? { kind, before: 0, after: 0 };
    kinds.set(kind, found);
    if (action !== "create") found.before += 1;
    if (action !== "delete") found.after += 1;
  }
  return [...kinds.values()];
}

/** How many changes there are of each action. */
export function countsOf({ changes }: Plan): { action: Action; count: number }[] {
  const count = (action: Action): number => changes.filter((change) => change.action === action).length;
  return ACTIONS.map((action) => ({ action, count: count(action) })).filter(({ count }) => count > 0);
}

/** How far each change is. One without steps is made by those of what it stands on, if any. */
export function statesOf({ changes, resources }: Plan, progress: Progress): Map<string, StepState> {
  const found = new Map<string, StepState>();
  const byId = new Map(changes.map((change) => [change.id, change]));
  const needs = new Map(resources.map(({ id, needs }) => [id, needs]));
  const stateOf = (change: ResourceChange): StepState => {
    const known = found.get(change.id);
    if (known) return known;
    found.set(change.id, "done");
    const states =
      change.steps.length > 0
        ? change.steps.map((step) => progress[step] ?? "waiting")
        : change.action === "delete"
          ? (needs.get(change.id) ?? []).flatMap((id) => byId.get(id) ?? []).map(stateOf)
          : [];
    const state = change.steps.length > 0 ? allOf(states) : anyOf(states);
    found.set(change.id, state);
    return state;
  };
  changes.forEach(stateOf);
  return found;
}

/** The state of what needs all of the steps. */
function allOf(states: StepState[]): StepState {
  if (states.includes("failed")) return "failed";
  if (states.every((state) => state === "done")) return "done";
  return states.some((state) => state !== "waiting") ? "running" : "waiting";
}

/** The state of what goes with any of several others. */
function anyOf(states: StepState[]): StepState {
  if (states.length === 0) return "done";
  return (["done", "running", "failed"] as const).find((state) => states.includes(state)) ?? "waiting";
}

/**
 * What distinguishes a resource from others of its kind, in a few letters: the place that its id names, such as the zone in
 * `zones/eu-central-1a/eip`, else what its name has behind the beginning that most names share. A resource that is the only one of its
 * kind needs no such rest of a name.
 */
export function labelsOf(resources: readonly PlannedResource[]): Map<string, string> {
  const names = resources.filter(({ foreign, name }) => !foreign && name !== "").map(({ name }) => name);
  const shared = names.length > 1 ? sharedStart(names) : "";
  const kinds = new Map<string, number>();
  for (const { kind } of resources) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const label = ({ id, kind, name, foreign }: PlannedResource): string => {
    const [, place, ...rest] = id.split("/");
    if (place !== undefined && rest.length > 0) return visible(place);
    if (foreign || shared === "" || !name.startsWith(shared)) return visible(name);
    return kinds.get(kind) === 1 ? "" : visible(`…${name.slice(shared.length)}`);
  };
  return new Map(resources.map((resource) => [resource.id, label(resource)]));
}

/** The words that the first name and at least half of all begin with; none has nothing behind them. */
function sharedStart(names: string[]): string {
  const [first = ""] = names;
  const starts = Array.from(first.matchAll(/-/g), ({ index }) => first.slice(0, index + 1)).reverse();
  return starts.find((start) => 2 * names.filter((name) => name.startsWith(start)).length > names.length) ?? "";
}
