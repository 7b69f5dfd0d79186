import { type Expression, sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './is-postgres.ts';
import { type OwnerTable, ownerMoves, sumsOfTaken, takenColumns } from './owner-tables.ts';

/**
 * Locks the rows of owners until the transaction ends, in the order of their ids, and brings into them what was added until
 * now: they say everything then, and may be set to what somebody wants. What is added later is added to that. Users are
 * only locked: their points are never set, but moved. Gives the ids; undefined on SQLite, where nobody else writes meanwhile.
 */
export async function lockOwners(
  database: Database,
  table: OwnerTable,
  chosen: Expression<{ id: number }>,
): Promise<readonly number[] | undefined> {
  if (!isPostgres(database)) return undefined;
  const { rows } = await sql<{ id: number }>`select id from ${sql.table(table)} where id in (${chosen})
    order by id for update`.execute(database);
  const ids = rows.map(({ id }) => id);
  // Another statement: it sees whatever was added before the rows were locked.
  if (table !== 'users' && ids.length > 0) await foldOwners(database, table, ids);
  return ids;
}

async function foldOwners(database: Database, table: OwnerTable, ids: readonly number[]): Promise<void> {
  const { kind, moves } = ownerMoves[table];
  await sql`with taken as (delete from balance_changes where kind = ${kind} and owner_id = any(${ids}::bigint[])
      returning ${sql.raw(takenColumns)}),
    sums as (${sql.raw(sumsOfTaken)})
    update ${sql.table(table)} set ${sql.raw(moves)} from sums where ${sql.table(table)}.id = sums.owner_id`.execute(
    database,
  );
}
