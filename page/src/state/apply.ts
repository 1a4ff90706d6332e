/** The simulated cloud of the program that serves the page, where it has one: its networks, and the run that goes on. */

import { computed, onScopeDispose, reactive, shallowRef } from "vue";
import { newRun, type Operation, type Run, take } from "./run.js";

/** A network in the simulated cloud. */
export interface Network {
  /** Technical id. */
  id: string;
  /** Namespace and name of its Shoot. */
  shoot: string;
  /** The objects that were applied last; none where the network does not exist. */
  manifests: object[];
  /** The recorded state. */
  state: Record<string, string>;
  /** How many resources of its own it has, once all are made. */
  resources: number;
  /** The last run; its ending is absent while the run goes on. */
  lastRun: { operation: Operation; ending: string | null } | null;
}

/** What the program says of its simulated cloud. */
export interface Cloud {
  /** Ids of resources that examples name, and that are there from the start. */
  given: string[];
  networks: Network[];
  /** The network whose run goes on. */
  running: string | null;
}

/** Most that is shown of an answer that is none. */
const MOST = 500;

/** Milliseconds between two looks at what other tabs do. */
const EVERY = 2000;

export type Applying = ReturnType<typeof useApply>;

/**
 * Whether the program serves the page, which says so in a header. The page is not to find out by a request that nobody answers: a
 * browser shows that as an error.
 */
export const isServed = performance
  .getEntriesByType("navigation")
  .some((entry) => entry instanceof PerformanceNavigationTiming && entry.serverTiming.some(({ name }) => name === "trellis"));

/** What can be applied and what was. `look` asks the program, which need not have a simulator. */
export function useApply() {
  const cloud = shallowRef<Cloud>();
  /** The run that is shown. */
  const run = shallowRef<Run>();
  const stop = new AbortController();
  /** What was reported last, so that the same twice changes nothing. */
  let reported = "";
  onScopeDispose(() => stop.abort());

  /** The networks that exist. */
  const networks = computed(() => cloud.value?.networks.filter(({ manifests }) => manifests.length > 0) ?? []);
  /** The Shoots as they were applied last. */
  const applied = computed(() => networks.value.flatMap(({ manifests }) => manifests.filter(isShoot)));

  async function look(): Promise<void> {
    if (!isServed) return;
    try {
      const response = await fetch("apply/state", { signal: stop.signal });
      const text = response.ok ? await response.text() : "";
      if (text === reported) return;
      cloud.value = text === "" ? undefined : JSON.parse(text);
      reported = text;
      if (isOutdated()) run.value = undefined;
    } catch {
      cloud.value = undefined;
      reported = "";
    }
    const running = cloud.value?.running;
    // Why a run did not begin stays in sight.
    if (run.value?.state === "unstarted") return;
    // A run that this tab did not start, or started before it was loaded again.
    if (running && run.value?.state !== "running") void show(running);
  }

  /** Whether the program knows nothing of the run that is shown: another program with another cloud has taken its place. */
  function isOutdated(): boolean {
    const { id, state, operation } = run.value ?? {};
    if (state === "lost") return cloud.value !== undefined;
    const isMade = id !== undefined && state !== "running" && operation === "reconcile";
    return isMade && cloud.value !== undefined && !cloud.value.networks.some((network) => network.id === id);
  }

  /** Looks now, and again and again at what other tabs do. */
  async function watchCloud(): Promise<void> {
    await look();
    if (!cloud.value) return;
    const timer = setInterval(() => document.visibilityState === "visible" && void look(), EVERY);
    stop.signal.addEventListener("abort", () => clearInterval(timer));
  }

  /** Shows the last run of a network, and follows it to its end. */
  async function show(id: string): Promise<void> {
    const network = cloud.value?.networks.find((network) => network.id === id);
    const answer = () => fetch(`apply/run/${encodeURIComponent(id)}`, { signal: stop.signal });
    await follow(newRun(network?.shoot ?? id, network?.lastRun?.operation ?? "reconcile"), answer);
  }

  async function start(operation: Operation, shoot: string, manifests: object[]): Promise<void> {
    if (run.value?.state === "running") return;
    const body = JSON.stringify({ manifests, operation });
    const headers = { "Content-Type": "application/json" };
    await follow(newRun(shoot, operation), () => fetch("apply", { method: "POST", headers, body, signal: stop.signal }));
  }

  async function follow(followed: Run, answer: () => Promise<Response>): Promise<void> {
    // The type of a plan is too deep to be unwrapped.
    const now = reactive(followed as object) as Run;
    run.value = now;
    try {
      const response = await answer();
      if (response.ok && response.body) await take(now, response.body);
      else {
        now.failures.push({ message: (await response.text()).slice(0, MOST) });
        now.state = "unstarted";
      }
    } catch (thrown) {
      if (stop.signal.aborted) return;
      now.failures.push({ message: thrown instanceof Error ? thrown.message : String(thrown) });
      // A connection that breaks is a TypeError.
      now.state = thrown instanceof TypeError ? "lost" : "failed";
    }
    await look();
  }

  return { cloud, networks, applied, run, watchCloud, look, show, start, leave: () => void (run.value = undefined) };
}

function isShoot(object: object): boolean {
  return "kind" in object && object.kind === "Shoot";
}
