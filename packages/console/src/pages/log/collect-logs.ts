import { type Log, largestPageSize } from '@headgate/contract';
import type { ListPart } from '../../lib/list.ts';
import type { Report } from './log-export-progress.ts';

/** More than this is not gathered in a browser. */
const mostExported = 50_000;

interface Collected {
  readonly logs: readonly Log[];
  /** How many there are, as far as the server tells. */
  readonly total: number | undefined;
  readonly isWhole: boolean;
}

interface Page {
  readonly p: number;
  readonly size: number;
}

/** Reads page after page until the end or the bound. A server may give shorter pages than it was asked for. */
export async function collectLogs(
  read: (page: Page) => Promise<ListPart<Log>>,
  report: Report,
  most = mostExported,
): Promise<Collected> {
  const logs: Log[] = [];
  const seen = new Set<number>();
  let total: number | undefined;
  let pageLength = 0;
  for (let p = 0; logs.length < most; p += 1) {
    const { rows, ...part } = await read({ p, size: largestPageSize });
    total ??= part.total;
    pageLength ||= rows.length;
    // A row that slipped onto the next page comes twice; rows without an id cannot be told apart.
    logs.push(...rows.filter(({ id }) => id === 0 || !seen.has(id)));
    for (const { id } of rows) seen.add(id);
    report(Math.min(logs.length, most), total === undefined ? undefined : Math.min(total, most));
    const isLast = total === undefined ? rows.length < pageLength : logs.length >= total;
    if (rows.length === 0 || isLast) return { logs: logs.slice(0, most), total, isWhole: logs.length <= most };
  }
  return { logs: logs.slice(0, most), total, isWhole: total !== undefined && total <= most };
}
