import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

/** Row of `meta` with the database id; not archived, because a restored database is a different one. */
const databaseIdKey = 'database_id';

/** Random id of the database, created on the first call. Copies made with database tools keep it. */
export async function getDatabaseId(database: Database): Promise<string> {
  await database
    .insertInto('meta')
    .values({ key: databaseIdKey, value: randomUUID() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const rows = database.selectFrom('meta').select('value').where('key', '=', databaseIdKey);
  return (await rows.executeTakeFirstOrThrow()).value;
}
