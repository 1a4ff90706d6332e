/** Documents that were read before: while somebody types, a text changes in one of them. */

import type { Reading } from "./read.js";
import type { Node, Range } from "./tree.js";

/** A part of a text that is read by itself. */
export interface Piece {
  text: string;
  /** Where it starts. */
  from: number;
}

/** What a piece was read as. */
export interface Read {
  readings: Reading[];
  /** What that took of the budget of the whole text. */
  nodes: number;
  repeated: number;
}

interface Entry extends Read {
  /** Where the piece started that was read. */
  from: number;
}

/** The least number of pieces that are kept. */
const KEPT = 16;

/** What pieces were read as, those of the last texts. */
export class Known {
  private readonly entries = new Map<string, Entry>();

  /** What a piece is read as, if it was read before. */
  of({ text, from }: Piece): Read | undefined {
    const entry = this.entries.get(text);
    if (!entry) return undefined;
    if (entry.from !== from) {
      entry.readings = entry.readings.map((reading) => moved(reading, from - entry.from));
      entry.from = from;
    }
    this.add(text, entry);
    return entry;
  }

  /** Keeps what a piece was read as. What is said of a problem may name a line, which is another one elsewhere. */
  keep({ text, from }: Piece, read: Read): void {
    if (read.readings.every(({ problems }) => problems.length === 0)) this.add(text, { ...read, from });
  }

  private add(text: string, entry: Entry): void {
    this.entries.delete(text);
    this.entries.set(text, entry);
  }

  /** Forgets what has not been asked for in the last texts of so many pieces. */
  forget(count: number): void {
    for (const text of this.entries.keys()) {
      if (this.entries.size <= Math.max(KEPT, 2 * count)) break;
      this.entries.delete(text);
    }
  }
}

/** What was read, as it is when it stands elsewhere in a text. */
export function moved(reading: Reading, by: number): Reading {
  if (by === 0) return reading;
  const { from, to, root, problems } = reading;
  return {
    from: from + by,
    to: to + by,
    ...(root && { root: movedNode(root, by, new Map()) }),
    problems: problems.map((problem) => ({ ...problem, ...movedRange(problem, by) })),
  };
}

/** What is inside an alias is what is inside its anchor, and stays so. */
function movedNode(node: Node, by: number, made: Map<unknown, unknown>): Node {
  const place = {
    ...movedRange(node, by),
    ...(node.behind !== undefined && { behind: node.behind + by }),
    ...(node.kind === "scalar" && node.blockEnd !== undefined && { blockEnd: node.blockEnd + by }),
  };
  if (node.kind === "scalar") return { ...node, ...place };
  const once = <Content>(content: Content, make: () => Content): Content => {
    if (!made.has(content)) made.set(content, make());
    return made.get(content) as Content;
  };
  if (node.kind === "sequence") {
    return { ...node, ...place, items: once(node.items, () => node.items.map((item) => movedNode(item, by, made))) };
  }
  const entries = (): typeof node.entries =>
    node.entries.map((entry) => ({ ...entry, keyRange: movedRange(entry.keyRange, by), value: movedNode(entry.value, by, made) }));
  return { ...node, ...place, entries: once(node.entries, entries) };
}

function movedRange({ from, to }: Range, by: number): Range {
  return { from: from + by, to: to + by };
}
