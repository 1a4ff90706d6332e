/** The outcome of a task, and how many turns the page had while it was under way. */
export async function countTurns<T>(task: () => Promise<T>): Promise<{ value: T; turns: number }> {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const value = await task();
  clearInterval(timer);
  return { value, turns };
}
