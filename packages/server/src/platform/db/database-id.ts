import { randomUUID } from 'node:crypto';
import type { Database } from './database.ts';

/** Row of `meta` with the id of the database; not archived: a restored database is another one. */
const databaseIdKey = 'database_id';

/** Random id of the database, created on the first call. A copy made by the tools of the database keeps it. */
export async function databaseIdOf(database: Database): Promise<string> {
  await database
    .insertInto('meta')
    .values({ key: databaseIdKey, value: randomUUID() })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const rows = database.selectFrom('meta').select('value').where('key', '=', databaseIdKey);
  return (await rows.executeTakeFirstOrThrow()).value;
}
