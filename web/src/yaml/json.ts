/**
 * JSON as JSON reads it. Most JSON is YAML too, but not documents that follow each other without a separator, nor
 * lines that are indented with tabs.
 */

import * as problems from "./problem.js";
import { MAX_DEPTH, MAX_NODES, type Problem, Unreadable } from "./problem.js";
import type { Reading } from "./read.js";
import type { Entry, MappingNode, Node, SequenceNode } from "./tree.js";

/** What a text of JSON documents is; nothing where it is something else, perhaps YAML. It has so many values at most. */
export function readJson(text: string, lineAt: (offset: number) => number, most = MAX_NODES): Reading[] | undefined {
  return new Reader(text, lineAt, most).documents();
}

/** The text is not JSON. */
class NotJson extends Error {}

const SPACE = /[ \t\r\n]*/y;
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const OTHER = /(?:null|true|false|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![\w.+-])/y;

class Reader {
  private at: number;
  private nodes = 0;
  private problems: Problem[] = [];

  constructor(
    private readonly text: string,
    private readonly lineAt: (offset: number) => number,
    private readonly most: number,
  ) {
    this.at = text.startsWith("\uFEFF") ? 1 : 0;
  }

  documents(): Reading[] | undefined {
    const documents: Reading[] = [];
    try {
      for (this.space(); this.at < this.text.length; this.space()) {
        this.problems = [];
        const root = this.node(0);
        documents.push({ from: root.from, to: root.to, root, problems: this.problems });
      }
    } catch (error) {
      if (error instanceof NotJson) return undefined;
      if (!(error instanceof Unreadable)) throw error;
      documents.push({ from: 0, to: this.text.length, problems: [error.problem] });
    }
    return documents;
  }

  /** What the expression matches here, which the reader steps over. */
  private take(expression: RegExp): string | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text)?.[0];
    this.at += found?.length ?? 0;
    return found;
  }

  private space(): void {
    this.take(SPACE);
  }

  private takes(character: string): boolean {
    this.space();
    const found = this.text[this.at] === character;
    this.at += Number(found);
    return found;
  }

  private node(depth: number): Node {
    this.space();
    const from = this.at;
    this.nodes += 1;
    if (this.nodes > this.most) throw new Unreadable(problems.tooManyNodes({ from, to: from + 1 }));
    const opening = this.text[from];
    if (opening === "{" || opening === "[") {
      if (depth >= MAX_DEPTH) throw new Unreadable(problems.tooDeep({ from, to: from + 1 }));
      this.at += 1;
      return opening === "{" ? this.mapping(from, depth + 1) : this.sequence(from, depth + 1);
    }
    const text = this.take(STRING);
    if (text !== undefined) return { kind: "scalar", json: JSON.stringify(JSON.parse(text)), from, to: this.at };
    const json = this.take(OTHER);
    if (json === undefined) throw new NotJson();
    if (/^[-0-9]/.test(json) && !Number.isFinite(Number(json))) {
      throw new Unreadable(problems.notFinite(json)({ from, to: this.at }));
    }
    return { kind: "scalar", json, from, to: this.at };
  }

  private sequence(from: number, depth: number): SequenceNode {
    const items: Node[] = [];
    if (!this.takes("]")) {
      do items.push(this.node(depth));
      while (this.takes(","));
      if (!this.takes("]")) throw new NotJson();
    }
    return { kind: "sequence", flow: true, items, from, to: this.at };
  }

  private mapping(from: number, depth: number): MappingNode {
    const entries: Entry[] = [];
    const first = new Map<string, number>();
    if (!this.takes("}")) {
      do {
        this.space();
        const keyRange = { from: this.at, to: this.at };
        const text = this.take(STRING);
        keyRange.to = this.at;
        if (text === undefined || !this.takes(":")) throw new NotJson();
        const behind = this.at;
        const key = String(JSON.parse(text));
        const known = first.get(key);
        if (known !== undefined) this.problems.push(problems.duplicateKey(key, this.lineAt(known))(keyRange));
        else first.set(key, keyRange.from);
        entries.push({ key, keyRange, value: { ...this.node(depth), behind } });
      } while (this.takes(","));
      if (!this.takes("}")) throw new NotJson();
    }
    return { kind: "mapping", flow: true, entries, from, to: this.at };
  }
}
