import { byteOrderMark, type Cell, csvLine, type Usage } from '@headgate/contract';
import { downloadText } from '../../lib/api/download.ts';
import { formatTime } from '../../lib/format/format.ts';

/** A table as it is shown: the titles, then a line for each row. */
export interface UsageSheet {
  readonly titles: readonly string[];
  readonly lines: readonly (readonly Cell[])[];
}

/** Hands over exactly what is shown, with the values themselves: nothing is rounded. */
export function exportUsage({ titles, lines }: UsageSheet, { from, to }: Pick<Usage, 'from' | 'to'>): void {
  // Days of the reader, like those in the table.
  const day = (seconds: number) => formatTime(seconds).slice(0, 10);
  const text = byteOrderMark + [titles, ...lines].map(csvLine).join('');
  downloadText(`usage-${day(from)}-${day(to)}.csv`, text, 'text/csv');
}
