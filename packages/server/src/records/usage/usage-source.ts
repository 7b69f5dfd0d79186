import { hourTables, rollUpKeys } from '../logs/roll-up.ts';
import { type HourKind, packKeys } from './usage-pack.ts';
import type { UsageFilter } from './usage-question.ts';

export type Column = keyof UsageFilter;

/** Tables of sums with one row for each. */
export type SumTable = (typeof hourTables)[number] | 'user_hours';

/** Where sums of hours that are packed are read from; of all other hours see `tableFor`. */
export type Source = { readonly packs: HourKind } | { readonly table: SumTable };

type Columns = ReadonlySet<Column>;

const knows = (keys: readonly string[], needed: Columns): boolean =>
  [...needed].every((column) => keys.includes(column));

/** The smallest table that tells these columns apart, and is always up to date. */
export const tableFor = (needed: Columns): SumTable =>
  hourTables.find((table) => knows(rollUpKeys[table], needed)) ?? 'usage_hours';

/** Whether the packs of shared token names tell these columns apart. */
export const isOfTokenNames = (needed: Columns, { token_name }: UsageFilter): boolean =>
  token_name !== undefined && knows(packKeys.tokens, needed);

/** The column in whose order the sums of a table lie. */
const leading: Partial<Record<SumTable, Column>> = { model_hours: 'model_name', channel_hours: 'channel' };

/** The quickest that tells these columns apart. Sums of a model, of a channel and of few users lie together. */
export function sourceFor(needed: Columns, filter: UsageFilter, isOfFewUsers: boolean): Source {
  const table = tableFor(needed);
  const first = leading[table];
  if (needed.size === 0 || (first !== undefined && filter[first] !== undefined)) return { table };
  if (knows(packKeys.site, needed)) return { packs: 'site' };
  if (isOfFewUsers && knows(rollUpKeys.user_hours, needed)) return { table: 'user_hours' };
  if (knows(packKeys.users, needed)) return { packs: 'users' };
  return { table: 'usage_hours' };
}
