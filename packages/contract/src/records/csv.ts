export type Cell = string | number;

/** One line of a file that spreadsheets open. */
export function csvLine(cells: readonly Cell[]): string {
  let line = '';
  for (let index = 0; index < cells.length; index += 1) {
    if (index > 0) line += ',';
    line += csvCell(cells[index] ?? '');
  }
  return `${line}\r\n`;
}

/** Before the first line: without it a spreadsheet takes the text for an older encoding. */
export const byteOrderMark = '\uFEFF';

/** What a cell is written as, without what separates it from the next. */
export function csvCell(cell: Cell): string {
  // Most cells: looking for what they cannot hold would take longer than writing them.
  if (typeof cell === 'number') return String(cell);
  if (cell === '' || !mayNeedCare.test(cell)) return cell;
  const text = harmless(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One look at a text that is as harmless as most. */
const mayNeedCare = /[",\r\n]|^[\s=+\-@＝＋－＠]/;

/**
 * Text that a spreadsheet would compute is marked as text: names come from people, and a name may be a formula,
 * in letters of full width too. Some drop a tab or a line break at the start, and read on.
 */
const harmless = (text: string): string => (/^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(text) ? `'${text}` : text);
