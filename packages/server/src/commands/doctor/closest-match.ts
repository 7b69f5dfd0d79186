/** More differences than this, or more than one per three letters, indicate a different word. */
const maxDifferences = 2;
/** Longer input is not compared. */
const maxWordLength = 64;

/** The entry of `words` closest to a mistyped word; undefined if none is close. */
export function closestMatch(given: string, words: readonly string[]): string | undefined {
  if (given.length > maxWordLength) return undefined;
  const measured = words
    .map((word) => ({ word, differences: differencesOf(given, word) }))
    .filter(({ word, differences }) => differences <= Math.min(maxDifferences, Math.floor(word.length / 3)))
    .sort((one, other) => one.differences - other.differences);
  return measured[0]?.word;
}

/** Damerau-Levenshtein distance. */
function differencesOf(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number): number => table[row]?.[column] ?? Number.POSITIVE_INFINITY;
  table[0] = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      const isExchanged = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      table[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isExchanged ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
}
