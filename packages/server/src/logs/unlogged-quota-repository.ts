import { logType } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { isPostgres } from '../db/migrations/columns.ts';

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

  /** To be called in the transaction that deletes the logs, before their sums are changed: charges take rows in that order. */
  async add(deleted: readonly Consumed[]): Promise<void> {
    const sums = new Map<number, number>();
    for (const { type, user_id, quota } of deleted) {
      if (type === logType.consumption) sums.set(user_id, (sums.get(user_id) ?? 0) + quota);
    }
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
