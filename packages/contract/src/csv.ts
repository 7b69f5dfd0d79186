export type Cell = string | number;

/** One line of a file that spreadsheets open. */
export function csvLine(cells: readonly Cell[]): string {
  let line = '';
  for (const [index, cell] of cells.entries()) line += index === 0 ? csvCell(cell) : `,${csvCell(cell)}`;
  return `${line}\r\n`;
}

/** Before the first line: without it a spreadsheet takes the text for an older encoding. */
export const byteOrderMark = '\uFEFF';

function csvCell(cell: Cell): string {
  // Most cells: looking for what they cannot hold would take longer than writing them.
  if (typeof cell === 'number') return String(cell);
  if (cell === '') return '';
  const text = harmless(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Text that a spreadsheet would compute is marked as text: names come from people, and a name may be a formula,
 * in letters of full width too. Some drop a tab or a line break at the start, and read on.
 */
const harmless = (text: string): string => (/^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(text) ? `'${text}` : text);
