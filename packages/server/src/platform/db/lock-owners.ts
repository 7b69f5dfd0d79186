import { type Expression, sql } from 'kysely';
import type { Database } from './database.ts';
import { isPostgres } from './is-postgres.ts';
import { type OwnerTable, ownerUpdates, removedChangeColumns, sumRemovedChanges } from './owner-tables.ts';

/**
 * Locks rows of owners until the transaction ends, in the order of their ids, and adds pending changes to them, so
 * that their totals are current and can be set. Users are only locked, because their quota is never set, only
 * increased or decreased. Returns the ids; undefined on SQLite, which runs one transaction at a time.
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
  // A separate statement, so that it sees all changes committed before the rows were locked.
  if (table !== 'users' && ids.length > 0) await foldOwners(database, table, ids);
  return ids;
}

async function foldOwners(database: Database, table: OwnerTable, ids: readonly number[]): Promise<void> {
  const { kind, moves } = ownerUpdates[table];
  await sql`with taken as (delete from balance_changes where kind = ${kind} and owner_id = any(${ids}::bigint[])
      returning ${sql.raw(removedChangeColumns)}),
    sums as (${sql.raw(sumRemovedChanges)})
    update ${sql.table(table)} set ${sql.raw(moves)} from sums where ${sql.table(table)}.id = sums.owner_id`.execute(
    database,
  );
}
