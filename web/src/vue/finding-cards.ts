/** Findings as cards: many of one kind are one card, which unfolds to their places. */

import type { Group, Row, Section } from "./findings.js";

/** From how many on findings of one kind are one card. */
const MANY = 5;

/** One finding, or those of one kind. */
export interface Card {
  key: string;
  /** The finding, or the first of them. */
  row: Row;
  /** All of them, where they are many. */
  rows?: Row[];
  /** What all of them say in the same words. */
  shared: Shared;
}

/** Which words of a finding stand on the card of its kind. */
export type Shared = Pick<Record<keyof Row, boolean>, "detail" | "remedy" | "since">;

const NOTHING: Shared = { detail: false, remedy: false, since: false };

/** The cards of a section, by document; each stands where its first finding does. */
export function cardsOf({ groups }: Section<Row>): Group<Card>[] {
  return groups.map(({ document, rows }, number) => {
    const kinds = new Map<string, Row[]>();
    for (const row of rows) {
      const kind = kindOf(row);
      const found = kinds.get(kind);
      if (found) found.push(row);
      else kinds.set(kind, [row]);
    }
    const cards = rows.flatMap((row): Card[] => {
      const kind = kindOf(row);
      const alike = kinds.get(kind) ?? [];
      if (alike.length < MANY) return [{ key: row.key, row, shared: NOTHING }];
      if (alike[0] !== row) return [];
      const isSame = (part: keyof Shared): boolean => alike.every((other) => other[part] === row[part]);
      return [{ key: `${number} ${kind}`, row, rows: alike, shared: { detail: isSame("detail"), remedy: isSame("remedy"), since: isSame("since") } }];
    });
    return { document, rows: cards };
  });
}

/** What findings of one kind have in common: the rule, and the words but for the names and numbers in them. */
function kindOf({ rule, badge, origin, detail, remedy, isOfUpdate }: Row): string {
  return [rule, badge, origin, isOfUpdate, shapeOf(detail), shapeOf(remedy)].join("\n");
}

function shapeOf(words: string): string {
  return words.replace(/"[^"]*"|`[^`]*`|\[[^\]]*\]/g, "…").replace(/\d+/g, "#");
}

/** What a card of one finding depends on: while that is the same, the card needs no work. */
export function memoOf(row: Row, isUpdate: boolean): unknown[] {
  const { line, detail, remedy, setBy, since, isFixable, choices, followers, supported } = row;
  const values = choices.map(({ value }) => value).join("\n");
  return [line, detail, remedy, setBy, since, isFixable, values, followers.join("\n"), supported.length, isUpdate];
}
