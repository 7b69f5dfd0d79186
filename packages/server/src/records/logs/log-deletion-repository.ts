import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/db/database.ts';

const key = 'logs_deleted';

/**
 * Notes that logs are deleted, in the transaction that does it. On PostgreSQL to be called when nobody else folds: of two who
 * delete, one then waits for the other before this.
 */
export async function noteDeletion(database: Database): Promise<void> {
  const value = randomUUID();
  await database
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}

/** Another text after each deletion: between two of the same, logs were only added, and as many are the same ones. */
export async function lastDeletion(database: Database): Promise<string> {
  const row = await database.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst();
  return row?.value ?? '';
}
