import { sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './migrations/columns.ts';

/** Read-only: a standby, or one that somebody has told to change nothing. */
export type DatabaseState = 'writable' | 'read-only' | 'silent';

/** Who asks wants to know now: a database that takes longer is not there. */
const patienceMs = 2000;

export async function stateOfDatabase(database: Database): Promise<DatabaseState> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<DatabaseState>((resolve) => {
    timer = setTimeout(() => resolve('silent'), patienceMs);
  });
  const answer = isReadOnly(database).then<DatabaseState, DatabaseState>(
    (readOnly) => (readOnly ? 'read-only' : 'writable'),
    () => 'silent',
  );
  return Promise.race([answer, tooLong]).finally(() => clearTimeout(timer));
}

async function isReadOnly(database: Database): Promise<boolean> {
  if (isPostgres(database)) {
    const { rows } = await sql<{ state: string }>`select current_setting('transaction_read_only') as state`.execute(
      database,
    );
    return rows[0]?.state === 'on';
  }
  const { rows } = await sql<{ query_only: number }>`pragma query_only`.execute(database);
  return rows[0]?.query_only === 1;
}
