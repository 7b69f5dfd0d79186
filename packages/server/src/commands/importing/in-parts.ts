/** Limited by the number of values per statement. */
const rowsAtOnce = 500;

/** Parts of rows that fit into one statement. */
export function* inParts<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) yield rows.slice(start, start + rowsAtOnce);
}
