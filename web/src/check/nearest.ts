/** What a misspelt name most likely means. */

/** The known name that is nearest to a misspelt one: two letters differ at most, and more than that are the same. None where several are as near. */
export function nearest(misspelt: string, known: readonly string[]): string | undefined {
  const near = known
    .map((name) => ({ name, apart: distance(misspelt, name) }))
    .filter(({ name, apart }) => apart <= 2 && 2 * apart < Math.max(misspelt.length, name.length))
    .sort((one, other) => one.apart - other.apart);
  const [first, second] = near;
  return first && first.apart !== second?.apart ? first.name : undefined;
}

/** How many letters are to be added, removed, replaced, or exchanged with the next one, to make one text of another. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.POSITIVE_INFINITY;
  for (let row = 1; row <= one.length; row += 1) {
    rows[row] = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      const ways = [at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + Number(!isSame)];
      rows[row]?.push(Math.min(...ways, isExchanged ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY));
    }
  }
  return at(one.length, other.length);
}
