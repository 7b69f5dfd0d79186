import { byteOrderMark, type Cell, csvLine, type Usage } from '@headgate/contract';
import { downloadText } from '../../lib/api/download.ts';
import { formatTime } from '../../lib/format/format.ts';

/** A table as displayed: titles, then rows. */
export interface UsageSheet {
  readonly titles: readonly string[];
  readonly lines: readonly (readonly Cell[])[];
}

/** Exports the displayed table with unrounded values. */
export function exportUsage({ titles, lines }: UsageSheet, { from, to }: Pick<Usage, 'from' | 'to'>): void {
  // Local days, as displayed in the table.
  const day = (seconds: number) => formatTime(seconds).slice(0, 10);
  const text = byteOrderMark + [titles, ...lines].map(csvLine).join('');
  downloadText(`usage-${day(from)}-${day(to)}.csv`, text, 'text/csv');
}
