import type { Database } from '../../platform/db/database.ts';
import { secondsPerDay } from './roll-up.ts';

/**
 * What was packed of these hours and their days no longer holds. The rows stay: who packs the same hour meanwhile waits for
 * them. To be called before sums are changed, because who packs takes them first too.
 */
export async function unpackHours(database: Database, hours: readonly number[]): Promise<void> {
  const inOrder = [...new Set(hours)].sort((one, other) => one - other);
  const days = [...new Set(inOrder.map((hour) => hour - (hour % secondsPerDay)))];
  const emptied = [
    ...inOrder.map((start) => ({ kind: 'site', start, rows: -1, names: '' }) as const),
    ...days.map((start) => ({ kind: 'site_day', start, rows: -1, names: '' }) as const),
    ...days.map((start) => ({ kind: 'users_day', start, rows: -1, names: '' }) as const),
  ];
  if (emptied.length === 0) return;
  await database
    .insertInto('usage_packs')
    .values(emptied)
    .onConflict((conflict) => conflict.columns(['kind', 'start']).doUpdateSet({ rows: -1 }))
    .execute();
}

/** The same for what was added up by token names. */
export async function unpackTokenHours(database: Database, hours: readonly number[]): Promise<void> {
  const inOrder = [...new Set(hours)].sort((one, other) => one - other);
  if (inOrder.length === 0) return;
  await database
    .insertInto('token_packs')
    .values(inOrder.map((hour) => ({ hour, rows: -1, version: 0, names: 0, made: 0 })))
    .onConflict((conflict) => conflict.column('hour').doUpdateSet({ rows: -1 }))
    .execute();
}
