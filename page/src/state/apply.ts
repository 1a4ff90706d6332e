/** Carries plans out in the simulator of the program that serves the page, where it has one. */

import { onScopeDispose, reactive, ref, shallowRef } from "vue";
import type { Finding, Plan } from "trellis-policy";
import type { Progress, StepState } from "trellis-policy/vue";
import { strings } from "../strings.js";

/** What becomes of an infrastructure. */
export type Operation = "reconcile" | "delete";

/** What the program tells of its simulator. */
export interface Applied {
  /** The objects that were applied last. */
  manifests: object[];
  /** The recorded state. */
  state: Record<string, string>;
}

/** Something that went wrong, and what mends it. */
export interface Failure {
  step?: string;
  message: string;
}

/** How a run ended; `done` where everything is as it is wanted. */
interface Ending {
  kind: "done" | "refused" | "stale" | "failed" | "unsettled" | "stopped" | "outOfTime" | "unkept";
  /** What differs however often it is mended, by id. */
  resources?: string[];
  /** Why the state cannot be kept. */
  why?: string;
}

/** A line of what the program answers while it works: the events of `trellis apply --format json`. */
type Event =
  | { event: "planned"; plan: Plan }
  | { event: "stepStarted" | "waiting" | "stepDone"; step: string }
  | { event: "stepFailed"; step: string; message: string }
  | { event: "retrying"; why: string }
  | { event: "finished"; ending: Ending }
  | { event: "result"; ending: Ending; findings?: Finding[] }
  | { event: "error"; message: string };

/** How a run goes. */
export interface Run {
  operation: Operation;
  /** What is done; absent until the cloud was looked at. */
  plan: Plan | undefined;
  progress: Progress;
  /** What was tried again, and why. */
  retries: string[];
  failures: Failure[];
  state: "running" | "done" | "failed" | "refused";
}

/** How far a step is after an event. */
const STATES: Partial<Record<Event["event"], StepState>> = {
  stepStarted: "running",
  waiting: "running",
  stepDone: "done",
  stepFailed: "failed",
};

/** Most that is shown of an answer that is none. */
const MOST = 500;

export type Applying = ReturnType<typeof useApply>;

/** What can be applied and what was. `look` asks the program, which need not have a simulator. */
export function useApply() {
  const applied = shallowRef<Applied>();
  /** The objects that were applied last to their end: what the next plan starts from. */
  const base = shallowRef<object[]>([]);
  const run = ref<Run>();
  const stop = new AbortController();
  let isAsked = false;
  onScopeDispose(() => stop.abort());

  /** Asks once, and after every run. */
  async function look(): Promise<void> {
    if (isAsked && !applied.value) return;
    isAsked = true;
    try {
      const response = await fetch("apply/state", { signal: stop.signal });
      applied.value = response.ok ? await response.json() : undefined;
      if (run.value?.state === undefined || run.value.state === "done") base.value = applied.value?.manifests ?? [];
    } catch {
      applied.value = undefined;
    }
  }

  async function start(operation: Operation, manifests: object[]): Promise<void> {
    if (run.value?.state === "running") return;
    const now: Run = reactive({ operation, plan: undefined, progress: {}, retries: [], failures: [], state: "running" });
    run.value = now;
    try {
      const response = await fetch("apply", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ manifests, operation }),
        signal: stop.signal,
      });
      if (!response.ok || !response.body) throw new Error((await response.text()).slice(0, MOST));
      for await (const event of lines(response.body)) take(now, event);
      if (now.state === "running") throw new Error(strings.applyCut);
    } catch (thrown) {
      now.failures.push({ message: thrown instanceof Error ? thrown.message : String(thrown) });
      now.state = "failed";
    }
    await look();
  }

  return { applied, base, run, look, start, leave: () => void (run.value = undefined) };
}

function take(run: Run, event: Event): void {
  switch (event.event) {
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
  const words = ({ field, detail, remedy }: Finding): string => [field, detail, remedy].filter((part) => part).join(": ");
  run.failures.push(...errors.map((finding) => ({ message: words(finding) })));
  // A step has told what failed, and findings what refuses.
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
