/** A text as a diff, of which long stretches that are the same are folded. */

/** A line of a diff. */
export interface DiffLine {
  state: "same" | "added" | "removed";
  text: string;
  line?: number;
  /** What else there is to say of a line, so that it is shown. */
  changes?: readonly unknown[];
}

/** A line that is shown, or lines that are folded. */
export type DiffRow<Line extends DiffLine> =
  | { key: string; line: Line; count?: never }
  | { key: string; line?: never; count: number };

/** Stretches that are shorter are shown, because a fold would take as much room. */
const SHORTEST = 4;

/**
 * The rows of a text. `context` lines around what was changed are shown, and stretches whose key is among those that
 * are unfolded.
 */
export function rowsOf<Line extends DiffLine>(lines: Line[], context: number, unfolded: ReadonlySet<string>): DiffRow<Line>[] {
  const near = nearChanges(lines, context);
  const rows: DiffRow<Line>[] = [];
  let at = 0;
  while (at < lines.length) {
    let end = at;
    while (end < lines.length && !near[end]) end += 1;
    const key = `fold ${lines[at]?.line}`;
    if (end - at >= SHORTEST && !unfolded.has(key)) {
      rows.push({ key, count: end - at });
      at = end;
    }
    const until = Math.max(end, at + 1);
    for (const line of lines.slice(at, until)) {
      rows.push({ key: `${line.state} ${line.line ?? `at ${at}`}`, line });
      at += 1;
    }
  }
  return rows;
}

/** Of every line, whether it is changed or near one that is. */
function nearChanges(lines: DiffLine[], context: number): boolean[] {
  const near = new Array<boolean>(lines.length).fill(false);
  for (const [at, { state, changes = [] }] of lines.entries()) {
    if (state === "same" && changes.length === 0) continue;
    near.fill(true, Math.max(0, at - context), at + context + 1);
  }
  return near;
}
