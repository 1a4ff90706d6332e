/** Texts without the values of Secrets. */

import type { Range } from "trellis-policy/yaml";

/** The length is always the same, so that nobody can guess a value by it. */
const BULLETS = "••••••";

/** Puts bullets in the place of values, with a number that is the same for the same value: so a comparison shows which values differ. */
export class Masks {
  private readonly numbers = new Map<string, number>();

  of(text: string, values: readonly Range[]): string {
    const parts: string[] = [];
    let at = 0;
    for (const { from, to } of [...values].sort((a, b) => a.from - b.from)) {
      if (from < at || from === to) continue;
      parts.push(text.slice(at, from), `${BULLETS} ${this.numberOf(text.slice(from, to))}`);
      at = to;
    }
    return [...parts, text.slice(at)].join("");
  }

  /** How many values have been masked that differ. */
  get count(): number {
    return this.numbers.size;
  }

  private numberOf(value: string): number {
    const number = this.numbers.get(value) ?? this.numbers.size + 1;
    this.numbers.set(value, number);
    return number;
  }
}
