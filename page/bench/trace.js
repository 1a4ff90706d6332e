// What Chromium's trace says of the main thread of a page.

const CATEGORIES = "toplevel,devtools.timeline,disabled-by-default-devtools.timeline";

/** Runs something and gives the tasks of the page's main thread meanwhile, longest first, with what they did. */
export async function mainThreadTasks(context, page, run) {
  const session = await context.newCDPSession(page);
  const events = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...value));
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: CATEGORIES.split(",") } });
  await run();
  const done = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await done;
  const thread = mainThread(events);
  const own = events.filter(({ pid, tid, ph }) => ph === "X" && pid === thread?.pid && tid === thread.tid);
  const tasks = own.filter(({ name }) => name === "RunTask");
  return tasks
    .map((task) => ({ ms: task.dur / 1000, start: task.ts, end: task.ts + task.dur, parts: partsOf(task, own) }))
    .sort((a, b) => b.ms - a.ms);
}

/** The main thread of the renderer that shows the page: the one that was busiest. */
function mainThread(events) {
  const mains = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const busy = ({ pid, tid }) =>
    events.reduce((sum, event) => (event.pid === pid && event.tid === tid ? sum + (event.dur ?? 0) : sum), 0);
  return mains.sort((a, b) => busy(b) - busy(a))[0];
}

const NAMED = ["EventDispatch", "FunctionCall", "TimerFire", "UpdateLayoutTree", "Layout", "Paint", "MinorGC", "MajorGC"];

/** Milliseconds by what a task did. */
function partsOf({ ts, dur }, events) {
  const inside = events.filter((event) => event.ts >= ts && event.ts + (event.dur ?? 0) <= ts + dur);
  const sums = NAMED.map((name) => {
    const found = inside.filter((event) => event.name === name);
    return { name, ms: found.reduce((sum, event) => sum + (event.dur ?? 0), 0) / 1000 };
  });
  return sums.filter(({ ms }) => ms > 0.5).map(({ name, ms }) => `${name} ${ms.toFixed(1)}`).join(", ");
}

/**
 * Runs something and gives the tasks of the main thread meanwhile, each with the milliseconds that the scripts of each
 * file, and the rest of the engine, took of it. The profiler makes them longer.
 */
export async function scriptsOfTasks(context, page, run) {
  const session = await context.newCDPSession(page);
  await session.send("Profiler.enable");
  await session.send("Profiler.setSamplingInterval", { interval: 200 });
  await session.send("Profiler.start");
  const tasks = await mainThreadTasks(context, page, run);
  const { profile } = await session.send("Profiler.stop");
  const names = new Map(profile.nodes.map(({ id, callFrame: { url, functionName } }) => [id, partOf(url) || functionName]));
  let time = profile.startTime;
  const samples = profile.samples.map((id, at) => {
    time += profile.timeDeltas[at];
    return { time, name: names.get(id), ms: profile.timeDeltas[at] / 1000 };
  });
  return tasks.map(({ start, end }) => sums(samples.filter(({ time }) => time >= start && time <= end)));
}

/** Milliseconds by name. */
export function sums(samples) {
  const found = new Map();
  for (const { name, ms } of samples) found.set(name, (found.get(name) ?? 0) + ms);
  return found;
}

/** Name of the file of a build, without its hash. */
const partOf = (url) => url.slice(url.lastIndexOf("/") + 1).replace(/-[\w-]{8}\.js$/, "");
