/** A run in the simulated cloud, as its events show it. */

import { detailOf, type Finding, type Plan } from "trellis-policy";
import type { Progress, StepState } from "trellis-policy/vue";
import { strings } from "../strings.js";

/** What becomes of an infrastructure. */
export type Operation = "reconcile" | "delete";

/** Something that went wrong, and what fixes it. */
export interface Failure {
  step?: string;
  message: string;
}

/** How a run goes. */
export interface Run {
  /** Technical id of the network; absent until the program has begun. */
  id?: string;
  /** Namespace and name of the Shoot. */
  shoot: string;
  operation: Operation;
  /** What is done; absent until the cloud was looked at. */
  plan: Plan | undefined;
  progress: Progress;
  /** What was tried again, and why. */
  retries: string[];
  failures: Failure[];
  /** `unstarted` where the program did not take the request, and `lost` where the program answers no more. */
  state: "running" | "done" | "failed" | "refused" | "unstarted" | "lost";
}

/** How a run ended; `done` where everything is as it is wanted. */
interface Ending {
  kind: "done" | "refused" | "stale" | "failed" | "unsettled" | "stopped" | "outOfTime" | "unkept";
  /** What differs however often it is fixed, by id. */
  resources?: string[];
  /** Why the state cannot be kept. */
  why?: string;
}

/** A line of what the program answers while it works: the events of `trellis apply --format json`, and its beginning. */
type Event =
  | { event: "started"; id: string; shoot: string; operation: Operation }
  | { event: "planned"; plan: Plan }
  | { event: "stepStarted" | "waiting" | "stepDone"; step: string }
  | { event: "stepFailed"; step: string; message: string }
  | { event: "retrying"; why: string }
  | { event: "finished"; ending: Ending }
  | { event: "result"; ending: Ending; findings?: Finding[] }
  | { event: "error"; message: string };

/** How far a step is after an event. */
const STATES: Partial<Record<Event["event"], StepState>> = {
  stepStarted: "running",
  waiting: "running",
  stepDone: "done",
  stepFailed: "failed",
};

/** A run of which nothing is known yet. */
export function newRun(shoot: string, operation: Operation): Run {
  return { shoot, operation, plan: undefined, progress: {}, retries: [], failures: [], state: "running" };
}

/** Takes all events of a run to their end; it throws where the events end early. */
export async function take(run: Run, body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
  for await (const event of lines(body)) takeEvent(run, event);
  if (run.state === "running") throw new Error(strings.applyCut);
}

function takeEvent(run: Run, event: Event): void {
  switch (event.event) {
    case "started":
      Object.assign(run, { id: event.id, shoot: event.shoot, operation: event.operation });
      return;
    case "planned":
      // The last look finds nothing to do: what is to be seen is what was done.
      if (run.plan && event.plan.changes.length === 0) return;
      run.plan = event.plan;
      run.progress = {};
      return;
    case "retrying":
      run.retries.push(event.why);
      return;
    case "error":
      run.failures.push({ message: event.message });
      run.state = "failed";
      return;
    case "finished":
    case "result":
      end(run, event);
      return;
    case "stepFailed":
      run.failures.push({ step: event.step, message: event.message });
  }
  const state = STATES[event.event];
  if (state) run.progress = { ...run.progress, [event.step]: state };
}

function end(run: Run, event: Extract<Event, { ending: Ending }>): void {
  const { kind, resources = [], why = "" } = event.ending;
  run.state = kind === "done" ? "done" : kind === "refused" ? "refused" : "failed";
  const findings = "findings" in event ? (event.findings ?? []) : [];
  const errors = findings.filter(({ severity }) => severity === "error");
  const words = (finding: Finding): string => [finding.field, detailOf(finding), finding.remedy].filter((part) => part).join(": ");
  run.failures.push(...errors.map((finding) => ({ message: words(finding) })));
  // A step has shown what failed, and findings what refuses.
  if (event.event === "finished" && kind !== "done" && kind !== "failed" && kind !== "refused") {
    run.failures.push({ message: strings.ending[kind](resources.join(", ") || why) });
  }
}

/** The lines of a body, each of them JSON. */
async function* lines(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<Event> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value = "" } = await reader.read();
    const parts = (rest + value).split("\n");
    rest = done ? "" : (parts.pop() ?? "");
    for (const part of parts) if (part.trim() !== "") yield JSON.parse(part);
    if (done) return;
  }
}
