import type { SearchableField } from '@headgate/contract';
import type { ExpressionBuilder } from 'kysely';
import { containsText } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { LogFilter } from './log-filter.ts';
import { matchesSubject } from './log-subject-repository.ts';

/** Condition of a filter on logs or their hourly rollup, without its time range. */
export function logCondition(
  where: ExpressionBuilder<Schema, 'logs' | 'usage_hours'>,
  { exact, containing = {}, users, about }: LogFilter,
) {
  const { type, ...others } = exact;
  const texts = Object.entries(containing) as [SearchableField, string][];
  return where.and([
    where.and(others),
    // A literal, because PostgreSQL does not use partial indexes with a parameter.
    ...(type === undefined ? [] : [where('type', '=', where.lit(type))]),
    ...texts.map(([column, text]) => containsText(where, column, text)),
    ...(about === undefined ? [] : [matchesSubject(where, about)]),
    ...(users === undefined ? [] : [users.length === 0 ? where.lit(false) : where('user_id', 'in', users)]),
  ]);
}
