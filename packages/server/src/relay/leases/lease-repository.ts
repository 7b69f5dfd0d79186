import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { nodeLockClass } from '../../platform/db/node-lock.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { PointOwner } from '../callers/point-holder.ts';

/**
 * Every node runs a query on its lock connection once a second, and stops using its leases three seconds after the
 * last result.
 */
const silentAfterMs = 6000;

/** Table of each kind of owner and its remaining points. */
const owned = {
  user: { table: 'users', points: sql`select owned.quota as points from users_now as owned` },
  token: { table: 'tokens', points: sql`select owned.remain_quota as points from tokens_now as owned` },
  budget: {
    table: 'budget_periods',
    points: sql`select budgets.amount - owned.used as points from budget_periods_now as owned
      join budgets on budgets.id = owned.budget_id`,
  },
} as const;

/** Leased points per owner and node. Always changed while the owner's row is locked. */
export class LeaseRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): LeaseRepository {
    return new LeaseRepository(transaction.database);
  }

  async lock({ kind, id }: PointOwner): Promise<void> {
    await sql`select id from ${ownersOf(kind)} where id = ${id} for update`.execute(this.#database);
  }

  /** Locks the owner and returns its points. No other node can lease until the transaction ends. */
  async locked({ kind, id }: PointOwner): Promise<number> {
    await this.lock({ kind, id });
    // A separate statement, so that it sees all charges made before the row was locked.
    const { rows } = await sql<{ points: number }>`${owned[kind].points} where ${sql.ref('owned.id')} = ${id}`.execute(
      this.#database,
    );
    return rows[0]?.points ?? 0;
  }

  /** Leases of other nodes. A node is silent if its lock is free. */
  async others({ kind, id }: PointOwner, node: number) {
    const { rows } = await sql<{ node: number; points: number; is_silent: boolean }>`
      select node, points, pg_try_advisory_xact_lock_shared(${nodeLockClass}::int, node::int) as is_silent
      from leases where kind = ${kind} and owner_id = ${id} and node <> ${node}`.execute(this.#database);
    return rows;
  }

  async set({ kind, id }: PointOwner, node: number, points: number): Promise<void> {
    await this.#database
      .insertInto('leases')
      .values({ kind, owner_id: id, node, points })
      .onConflict((conflict) => conflict.columns(['kind', 'owner_id', 'node']).doUpdateSet({ points }))
      .execute();
  }

  /** Returns true if there were any. */
  async drop({ kind, id }: PointOwner, nodes: readonly number[]): Promise<boolean> {
    if (nodes.length === 0) return false;
    const { numDeletedRows } = await this.#database
      .deleteFrom('leases')
      .where('kind', '=', kind)
      .where('owner_id', '=', id)
      .where('node', 'in', nodes)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /**
   * Drops the leases of these nodes on many owners and returns the processed owners. Rows locked by others are
   * skipped.
   */
  async giveBack(
    kind: PointOwner['kind'],
    ids: readonly number[],
    nodes: readonly number[],
  ): Promise<readonly number[]> {
    const table = ownersOf(kind);
    const { rows } = await sql<{ id: number }>`
      with owners as materialized (
        select id from ${table} where id = any(${ids}::bigint[]) order by id for update skip locked),
      done as (
        select id from owners union all
        select id from unnest(${ids}::bigint[]) as given (id) where not exists (select from ${table} where ${table}.id = given.id)),
      dropped as (
        delete from leases where kind = ${kind} and owner_id in (select id from done) and node = any(${nodes}::bigint[]))
      select id from done`.execute(this.#database);
    return rows.map(({ id }) => id);
  }

  async dropAllOf(node: number): Promise<void> {
    await this.#database.deleteFrom('leases').where('node', '=', node).execute();
  }

  /** Nodes with leases whose lock is free. */
  async silentNodes(): Promise<readonly number[]> {
    const { rows } = await sql<{ node: number }>`select node from (select distinct node from leases) as nodes
      where pg_try_advisory_xact_lock_shared(${nodeLockClass}::int, node::int)`.execute(this.#database);
    return rows.map(({ node }) => node);
  }

  /**
   * Terminates lock connections of nodes that have long sent nothing, because a frozen node would never release its
   * lock.
   */
  async freeLocksOfSilentNodes(): Promise<void> {
    await sql`select pg_terminate_backend(pg_locks.pid) from pg_locks
      join pg_stat_activity on pg_stat_activity.pid = pg_locks.pid
      where locktype = 'advisory' and classid = ${nodeLockClass} and objsubid = 2
        and state_change < clock_timestamp() - ${sql.lit(silentAfterMs)} * interval '1 millisecond'
        and database = (select oid from pg_database where datname = current_database())`.execute(this.#database);
  }
}

const ownersOf = (kind: PointOwner['kind']) => sql.table(owned[kind].table);
