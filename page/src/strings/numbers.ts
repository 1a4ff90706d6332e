/** Numbers in sentences. */

/** A size in MiB, more than the limit also where it is little more. */
export function megabytes(bytes: number): string {
  return (Math.ceil((bytes / (1024 * 1024)) * 10) / 10).toLocaleString("en");
}

/** A number with its noun; nothing for 0. */
export function count(number: number, word: string): string {
  return number === 0 ? "" : `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
}
