/** What became of the lines of a text. */

/** A line of one text or of both. */
export interface ManifestLine {
  state: "same" | "added" | "removed";
  text: string;
  /** Line in the text as it is now, the first being 1; absent for one that was removed. */
  line?: number;
}

/** The most comparisons of lines; texts that need more have all lines between the first and the last change replaced. */
const MOST = 4_000_000;

/** The lines of two texts; those that were removed stand before those that came in their place. */
export function diffLines(before: string, after: string): ManifestLine[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
  const middle = compare(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const same = (text: string): [ManifestLine["state"], string] => ["same", text];
  const all = [...now.slice(0, start).map(same), ...middle, ...now.slice(now.length - end).map(same)];
  let line = 0;
  return all.map(([state, text]) => (state === "removed" ? { state, text } : { state, text, line: (line += 1) }));
}

/** The lines of a text, without an empty one behind the last line break. */
export function linesOf(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** The lines of both by their longest common subsequence. */
function compare(old: string[], now: string[]): [ManifestLine["state"], string][] {
  const removed = old.map((text): [ManifestLine["state"], string] => ["removed", text]);
  const added = now.map((text): [ManifestLine["state"], string] => ["added", text]);
  if (old.length * now.length > MOST) return [...removed, ...added];
  const width = now.length + 1;
  // How many lines two ends have in common.
  const common = new Uint32Array((old.length + 1) * width);
  const at = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const found: [ManifestLine["state"], string][] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    const [gone, come] = [old[i], now[j]];
    if (gone !== undefined && gone === come) {
      found.push(["same", gone]);
      i += 1;
      j += 1;
    } else if (gone !== undefined && (come === undefined || at(i + 1, j) >= at(i, j + 1))) {
      found.push(["removed", gone]);
      i += 1;
    } else {
      found.push(["added", come ?? ""]);
      j += 1;
    }
  }
  return found;
}
