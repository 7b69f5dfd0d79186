export type Cell = string | number;

/** One line of a CSV file. */
export function csvLine(cells: readonly Cell[]): string {
  let line = '';
  for (let index = 0; index < cells.length; index += 1) {
    if (index > 0) line += ',';
    line += csvCell(cells[index] ?? '');
  }
  return `${line}\r\n`;
}

/** Written before the first line: without it, spreadsheets assume a legacy encoding. */
export const byteOrderMark = '\uFEFF';

/** A cell without its separator. */
export function csvCell(cell: Cell): string {
  // Fast path: most cells are numbers, which never need escaping.
  if (typeof cell === 'number') return String(cell);
  if (cell === '' || !mayNeedEscaping.test(cell)) return cell;
  const text = withoutFormula(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Fast path: most strings need no escaping. */
const mayNeedEscaping = /[",\r\n]|^[\s=+\-@＝＋－＠]/;

/**
 * Prefixes values that a spreadsheet would evaluate as a formula, including full-width characters. Some spreadsheets
 * skip a leading tab or line break.
 */
const withoutFormula = (text: string): string => (/^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(text) ? `'${text}` : text);
