/** Numbers and words in sentences. */

export const numbers = new Intl.NumberFormat("en");

/** A number with its noun: `one` for 1, `many` for all others. */
export function count(number: number | bigint, one: string, many = `${one}s`): string {
  return `${numbers.format(number)} ${BigInt(number) === 1n ? one : many}`;
}

/** A number of which only bounds are known: `2`, or `1 to 3`. */
export function between(least: number, most: number): string {
  return least === most ? numbers.format(most) : `${numbers.format(least)} to ${numbers.format(most)}`;
}

/** Words at the beginning of a sentence, or alone. */
export function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
