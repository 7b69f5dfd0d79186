import type { SearchableField } from '@headgate/contract';
import type { ExpressionBuilder } from 'kysely';
import { contains } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import { isAbout } from './log-about-repository.ts';
import type { LogFilter } from './log-filter.ts';

/** Condition of a filter on logs or their hourly rollup, without its time range. */
export function matching(
  where: ExpressionBuilder<Schema, 'logs' | 'usage_hours'>,
  { exact, containing = {}, users, about }: LogFilter,
) {
  const { type, ...others } = exact;
  const texts = Object.entries(containing) as [SearchableField, string][];
  return where.and([
    where.and(others),
    // A literal, because PostgreSQL does not use partial indexes with a parameter.
    ...(type === undefined ? [] : [where('type', '=', where.lit(type))]),
    ...texts.map(([column, text]) => contains(where, column, text)),
    ...(about === undefined ? [] : [isAbout(where, about)]),
    ...(users === undefined ? [] : [users.length === 0 ? where.lit(false) : where('user_id', 'in', users)]),
  ]);
}
