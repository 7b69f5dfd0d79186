/** The longest entry of a list, in characters before it is escaped. */
const longestEntry = 100;

/** The longest value of a header, in bytes. */
const longestValue = 1024;

const separator = ', ';
const cutMark = '...';

/**
 * A header value of texts that others chose: visible ASCII, with everything else, commas and percent signs escaped as in
 * a URL. Entries and the whole are cut at a limit, which the mark `...` shows.
 */
export function headerList(entries: readonly string[]): string {
  const most = longestValue - separator.length - cutMark.length;
  let value = '';
  for (const entry of entries) {
    const next = value === '' ? escaped(entry) : `${value}${separator}${escaped(entry)}`;
    if (next.length > most) return value === '' ? cutMark : `${value}${separator}${cutMark}`;
    value = next;
  }
  return value;
}

function escaped(entry: string): string {
  const isCut = entry.length > longestEntry;
  const text = (isCut ? entry.slice(0, longestEntry) : entry).toWellFormed();
  return text.replace(/[^!-~]|[,%]/gu, encodeURIComponent) + (isCut ? cutMark : '');
}
