/** Longest delay of a timer. */
export const MAX_DELAY = 2 ** 31 - 1;

/** What is wrong with a time limit, whatever the types say. */
export function wrongTimeout(timeout: unknown): string | undefined {
  if (typeof timeout === "number" && timeout > 0) return undefined;
  return `\`timeout\` is a number of milliseconds above 0, or Infinity, not \`${timeout}\``;
}
