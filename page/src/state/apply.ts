/** Carries plans out in the simulator of the program that serves the page, where it has one. */

import { computed, onScopeDispose, reactive, ref, shallowRef } from "vue";
import type { Plan } from "trellis-policy";
import type { Progress, StepState } from "trellis-policy/vue";

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

/** A line of what the program answers while it works. */
type Event =
  | { event: "observing" }
  | { event: "planned"; plan: Plan }
  | { event: "stepStarted" | "waiting" | "stepDone" | "stepSkipped"; step: string }
  | { event: "stepFailed"; step: string; message: string }
  | { event: "retrying"; step: string; why: string }
  | { event: "failed"; message: string }
  | { event: "finished"; ending: string };

/** How a run goes. */
export interface Run {
  operation: Operation;
  /** What is done; absent until the cloud was looked at. */
  plan: Plan | undefined;
  progress: Progress;
  /** What was tried again, and why. */
  retries: string[];
  failures: Failure[];
  state: "running" | "done" | "failed";
}

const STATES: Partial<Record<Event["event"], StepState>> = {
  stepStarted: "running",
  waiting: "running",
  stepDone: "done",
  stepFailed: "failed",
};

export type Applying = ReturnType<typeof useApply>;

/** What can be applied and what was. `look` asks the program, which need not have a simulator. */
export function useApply() {
  const applied = shallowRef<Applied>();
  const run = ref<Run>();
  const isAvailable = computed(() => applied.value !== undefined);
  const stop = new AbortController();
  onScopeDispose(() => stop.abort());

  async function look(): Promise<void> {
    try {
      const response = await fetch("apply/state", { signal: stop.signal });
      applied.value = response.ok ? await response.json() : undefined;
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
      if (!response.ok || !response.body) throw new Error(await response.text());
      for await (const event of lines(response.body)) take(now, event);
      if (now.state === "running") throw new Error("the answer ended early");
    } catch (thrown) {
      now.failures.push({ message: thrown instanceof Error ? thrown.message : String(thrown) });
      now.state = "failed";
    }
    await look();
  }

  return { applied, isAvailable, run, look, start, leave: () => void (run.value = undefined) };
}

function take(run: Run, event: Event): void {
  switch (event.event) {
    case "planned":
      // The last look finds nothing to do: what is to be seen is what was done.
      if (run.plan && event.plan.changes.length === 0) break;
      run.plan = event.plan;
      run.progress = {};
      break;
    case "retrying":
      run.retries.push(event.why);
      break;
    case "failed":
      run.failures.push({ message: event.message });
      break;
    case "finished":
      run.state = event.ending === "done" && run.failures.length === 0 ? "done" : "failed";
      break;
    case "stepFailed":
      run.failures.push({ step: event.step, message: event.message });
  }
  const state = STATES[event.event];
  if (state && "step" in event) run.progress = { ...run.progress, [event.step]: state };
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
