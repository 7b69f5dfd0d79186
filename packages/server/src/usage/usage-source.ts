import { hourTables, rollUpKeys } from '../logs/roll-up.ts';
import { packKeys } from './usage-pack.ts';
import type { UsageFilter } from './usage-question.ts';

export type Column = keyof UsageFilter;

/** Tables of sums with one row for each. */
export type SumTable = (typeof hourTables)[number] | 'user_hours';

/** Where sums of hours that are packed are read from; of all other hours see `tableFor`. */
export type Source = { readonly packs: 'site' | 'users' } | { readonly table: SumTable };

type Columns = ReadonlySet<Column>;

const knows = (keys: readonly string[], needed: Columns): boolean =>
  [...needed].every((column) => keys.includes(column));

/** The smallest table that tells these columns apart, and is always up to date. */
export const tableFor = (needed: Columns): SumTable =>
  hourTables.find((table) => knows(rollUpKeys[table], needed)) ?? 'usage_hours';

/** The quickest that tells these columns apart. Sums of few users lie together by user. */
export function sourceFor(needed: Columns, isOfFewUsers: boolean): Source {
  if (needed.size === 0) return { table: 'log_hours' };
  if (knows(packKeys.site, needed)) return { packs: 'site' };
  if (isOfFewUsers && knows(rollUpKeys.user_hours, needed)) return { table: 'user_hours' };
  if (knows(packKeys.users, needed)) return { packs: 'users' };
  return { table: 'usage_hours' };
}
