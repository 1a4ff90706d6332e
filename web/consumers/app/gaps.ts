/** How much of the time of a task the page was not free. */
export interface Gaps {
  /** Turns that the page had while the task was under way. */
  turns: number;
  /** Longest time between two of them, as a share of the task's. */
  longest: number;
}

/** Counts the page's turns during a task. */
export async function gaps<T>(task: () => Promise<T>): Promise<{ value: T; gaps: Gaps }> {
  const turns: number[] = [];
  const timer = setInterval(() => turns.push(performance.now()), 1);
  await new Promise((resolve) => setTimeout(resolve, 20));
  turns.length = 0;
  const begin = performance.now();
  const value = await task();
  const end = performance.now();
  clearInterval(timer);
  const times = [begin, ...turns, end];
  const pauses = times.slice(1).map((time, index) => time - (times[index] ?? begin));
  return { value, gaps: { turns: turns.length, longest: Math.max(...pauses) / (end - begin) } };
}
