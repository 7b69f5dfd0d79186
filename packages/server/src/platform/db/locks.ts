import { type Expression, sql } from 'kysely';
import { isPostgres } from './backend.ts';
import type { Database } from './database.ts';
import { deletedChangeColumns, type OwnerTable, ownerUpdates, sumDeletedChanges } from './owner-tables.ts';

/** Key of the advisory lock; must be unique in the database. */
export const totalsLock = 0x66_6f_6c_64;

/**
 * Start of every statement that adds changes to totals, which ensures that only one node runs such a statement at a
 * time. Commits asynchronously: a crash undoes the statement as a whole, so no change is lost.
 */
export const withTotalsLock = `with mine as materialized (select pg_try_advisory_xact_lock(${totalsLock}) as is_mine,
  set_config('synchronous_commit', 'off', true))`;

/** True in such a statement if this node holds the lock. */
export const holdsTotalsLock = '(select is_mine from mine)';

/** Keys of PostgreSQL advisory locks for the rollups of logs; must be unique in the database. */

/** Held while rollups are changed, so that only one node changes them at a time. */
export const rollupLock = 0x68_67_72_6f;

/**
 * Transactions that insert logs take it in shared mode, through a trigger. Holding it exclusively means that no insert
 * is in progress.
 */
export const newLogLock = 0x68_67_72_6c;

/** First key of these advisory locks; must be unique in the database. */
export const nameLockClass = 0x68_67_6e_61;

/**
 * Locks a normalized name until the transaction ends, because two concurrent transactions do not see each other's
 * names.
 */
export async function lockName(database: Database, look: string): Promise<void> {
  // SQLite runs one transaction at a time.
  if (!isPostgres(database)) return;
  await sql`select pg_advisory_xact_lock(${nameLockClass}::int, hashtext(${look}))`.execute(database);
}

/**
 * Locks rows of owners until the transaction ends, in the order of their ids, and adds pending changes to them, so
 * that their totals are current and can be set. Users are only locked, because their quota is never set, only
 * increased or decreased. Returns the ids; undefined on SQLite, which runs one transaction at a time.
 */
export async function lockOwnerRows(
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
      returning ${sql.raw(deletedChangeColumns)}),
    sums as (${sql.raw(sumDeletedChanges)})
    update ${sql.table(table)} set ${sql.raw(moves)} from sums where ${sql.table(table)}.id = sums.owner_id`.execute(
    database,
  );
}
