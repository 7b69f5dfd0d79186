import { logType } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { isPostgres } from '../../platform/db/is-postgres.ts';

interface Consumed {
  readonly type: number;
  readonly user_id: number;
  readonly quota: number;
}

/** What users consumed that no log tells any more: with the logs that are left it is what they used. */
export class UnloggedQuotaRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Of logs that are deleted. On PostgreSQL as changes that wait to be folded: nobody's row is locked for as long as the
   * deletion takes.
   */
  async addDeleted(deleted: readonly Consumed[]): Promise<void> {
    if (!isPostgres(this.#database)) return this.add(deleted);
    const rows = [...consumedBy(deleted)].map(([owner_id, unlogged]) => ({ owner_id, unlogged }));
    if (rows.length === 0) return;
    await sql`insert into balance_changes (kind, owner_id, quota, limited, unlogged, requests, used_time)
      select 'user', owner_id, 0, 0, unlogged, 0, 0
      from json_to_recordset(${JSON.stringify(rows)}::json) as given (owner_id bigint, unlogged bigint)`.execute(
      this.#database,
    );
  }

  /** To be called in the transaction that deletes the logs, before their sums are changed: charges take rows in that order. */
  async add(deleted: readonly Consumed[]): Promise<void> {
    const sums = consumedBy(deleted);
    const ids = [...sums.keys()].sort((one, other) => one - other);
    if (ids.length === 0) return;
    const users = this.#database.selectFrom('users').select('id').where('id', 'in', ids).orderBy('id');
    // In the order of their ids, as charges do: one that waits for another is never waited for by it.
    if (isPostgres(this.#database)) await users.forUpdate().execute();
    const rows = ids.map((id) => sql`(cast(${id} as bigint), cast(${sums.get(id)} as bigint))`);
    await sql`with cleaned (id, quota) as (values ${sql.join(rows)})
      update users set unlogged_quota = unlogged_quota + cleaned.quota from cleaned where users.id = cleaned.id`.execute(
      this.#database,
    );
  }
}

function consumedBy(logs: readonly Consumed[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { type, user_id, quota } of logs) {
    if (type === logType.consumption) sums.set(user_id, (sums.get(user_id) ?? 0) + quota);
  }
  return sums;
}
