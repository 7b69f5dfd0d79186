import { logType } from '@headgate/contract';
import { type RawBuilder, sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';

interface Consumed {
  readonly type: number;
  readonly user_id: number;
  readonly quota: number;
}

/** Quota consumed by users that is not in any log. Together with the logs, it equals their used quota. */
export class UnloggedQuotaRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Adds the quota of logs that are about to be deleted. */
  async addLogs(chosen: RawBuilder<boolean>): Promise<void> {
    await this.addSums(
      sql`select user_id, sum(quota) as quota from logs where ${chosen} and type = ${sql.lit(logType.consumption)}
        group by user_id`,
    );
  }

  /**
   * Adds the result of a query with user ids and quotas. On PostgreSQL they are stored as pending changes, so that no
   * user row is locked.
   */
  async addSums(sums: RawBuilder<unknown>): Promise<void> {
    await (isPostgres(this.#database)
      ? sql`insert into balance_changes (kind, owner_id, quota, limited, unlogged, requests, used_time)
          select 'user', user_id, 0, 0, quota, 0, 0 from (${sums}) as deleted where quota <> 0`
      : sql`update users set unlogged_quota = unlogged_quota + deleted.quota from (${sums}) as deleted
          where users.id = deleted.user_id`
    ).execute(this.#database);
  }

  /** Adds the quota of logs, in the transaction that writes or deletes them. */
  async add(logs: readonly Consumed[]): Promise<void> {
    const sums = new Map<number, number>();
    for (const { type, user_id, quota } of logs) {
      if (type === logType.consumption) sums.set(user_id, (sums.get(user_id) ?? 0) + quota);
    }
    const ids = [...sums.keys()].sort((one, other) => one - other);
    if (ids.length === 0) return;
    const users = this.#database.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id');
    // Locks users in the order of their ids, as charges do, to avoid deadlocks.
    if (isPostgres(this.#database)) await users.forUpdate().execute();
    const rows = ids.map((id) => sql`(cast(${id} as bigint), cast(${sums.get(id)} as bigint))`);
    await sql`with given (id, quota) as (values ${sql.join(rows)})
      update users set unlogged_quota = unlogged_quota + given.quota from given where users.id = given.id`.execute(
      this.#database,
    );
  }
}
