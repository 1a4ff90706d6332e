/** What has become of the versions of a CloudProfile. */

import { textAt } from "../check/objects.js";
import { listAt } from "./specs.js";

export type Stage = "unavailable" | "preview" | "supported" | "deprecated" | "expired";

export interface Lifecycle {
  stage: Stage;
  /** The day on which the version expires or expired, if it does. */
  expiry: string | undefined;
}

/** How a version stands at a time. */
export function lifecycleOf(version: unknown, now: Date): Lifecycle {
  const stages = listAt(version, "lifecycle").map((stage) => ({
    stage: stageOf(textAt(stage, "classification")),
    start: textAt(stage, "startTime"),
  }));
  const expiry = textAt(version, "expirationDate") ?? stages.find(({ stage }) => stage === "expired")?.start;
  const hasBegun = (start: string | undefined): boolean => start === undefined || Date.parse(start) <= now.getTime();
  const classified = stageOf(textAt(version, "classification"));
  const own = stages.length > 0 ? (stages.filter(({ start }) => hasBegun(start)).at(-1)?.stage ?? "unavailable") : classified;
  const stage = expiry !== undefined && hasBegun(expiry) ? "expired" : own;
  return { stage, expiry: expiry?.slice(0, "2000-01-01".length) };
}

function stageOf(classification: string | undefined): Stage {
  switch (classification) {
    case "unavailable":
    case "preview":
    case "deprecated":
    case "expired":
      return classification;
    default:
      return "supported";
  }
}

/** The same in words; nothing for a version that is simply supported. */
export function lifecycleWords({ stage, expiry }: Lifecycle): string {
  if (stage === "expired") return expiry === undefined ? "expired" : `expired ${expiry}`;
  const words = stage === "unavailable" ? "not available yet" : stage === "supported" ? "" : stage;
  const end = expiry === undefined ? "" : `expires ${expiry}`;
  return [words, end].filter((part) => part).join(", ");
}
