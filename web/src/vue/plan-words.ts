/** What the components say of plans. Words between backticks are shown as code. */

import type { Action } from "../documents.js";
import { count, numbers, sentence } from "./numbers.js";
import type { StepState } from "./plans.js";

const ACTIONS: Record<Action, string> = {
  create: "to create",
  associate: "to associate",
  adopt: "to adopt",
  update: "to update",
  replace: "to replace",
  delete: "to delete",
};

/** In English. */
export const plan = {
  graph: (resources: number, changes: number) =>
    `What there will be: ${count(resources, "resource")}, ${changes > 0 ? count(changes, "change") : "no changes"}`,
  keys: "Arrow keys move from resource to resource, right to what stands on it. Enter selects.",
  legend: "Legend",
  /** What becomes of a resource. */
  action: { ...ACTIONS, none: "unchanged" } satisfies Record<Action | "none", string> as Record<Action | "none", string>,
  /** How many changes there are of an action. */
  counted: (action: Action, number: number) => `${numbers.format(number)} ${ACTIONS[action]}`,
  state: { waiting: "waiting", running: "running", done: "done", failed: "failed" } satisfies Record<
    StepState,
    string
  > as Record<StepState, string>,
  foreign: "not ours",
  billed: "billed",
  disrupts: "disrupts",
  needs: (kinds: string[]) => `stands on ${kinds.join(", ")}`,
  zoomIn: "Larger",
  zoomOut: "Smaller",
  fit: "Fit",
  table: "As a table",
  caption: "Resources of the plan",
  kind: "Kind",
  name: "Name",
  change: "Change",
  standsOn: "Stands on",
  notes: "Notes",
  changes: "What changes",
  none: "Nothing changes.",
  left: (notes: number) => `Nothing is changed: ${count(notes, "difference is", "differences are")} left as found.`,
  gone: "Recorded, but gone",
  bill: "Billed by the hour",
  bills: (kind: string, before: number, after: number) =>
    `${sentence(kind)}: ${before === after ? `\`${after}\`` : `\`${before}\` → \`${after}\``}`,
  disruptions: "Disruptions",
  differences: "Left as it is",
  difference: (attribute: string, found: string | undefined, wanted: string | undefined) =>
    `\`${attribute}\` is ${found === undefined ? "not set" : `\`${found}\``}` +
    (wanted === undefined ? "" : `, and should be \`${wanted}\``),
  details: (attributes: number, calls: number) =>
    [attributes > 0 && count(attributes, "attribute"), calls > 0 && count(calls, "call")]
      .filter((part) => part)
      .join(", "),
  attributes: (kind: string, name: string) => `Attributes of ${kind} ${name}`,
  attribute: "Attribute",
  forces: "forces replacement",
  before: "Now",
  after: "Then",
  absent: "not set",
  unknown: "known when it is there",
  calls: "Calls",
  more: (number: number, total: number) => `Show ${numbers.format(number)} more of ${count(total, "change")}`,
};
