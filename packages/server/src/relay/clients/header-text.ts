/** Longest entry of a list, in characters before escaping. */
const longestEntry = 100;

/** Longest header value in bytes. */
const longestValue = 1024;

const separator = ', ';
const cutMark = '...';

/**
 * Header value from untrusted texts: visible ASCII only, with everything else, commas and percent signs URL-escaped.
 * Long entries and values are truncated, marked with `...`.
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
