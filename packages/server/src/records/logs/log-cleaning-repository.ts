import { sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { RollupRepository } from './rollup-repository.ts';
import { UnloggedQuotaRepository } from './unlogged-quota-repository.ts';

/** Logs deleted per transaction. SQLite blocks all other statements during a transaction. */
const logsAtOnce = { sqlite: 500, postgres: 5000 } as const;

/** Logs that a cleanup deletes. */
export interface LogsToDelete {
  readonly before: number;
  /** Logs before this time are already deleted; this avoids scanning deleted rows. */
  readonly from: number;
  /** Id of the last log that was in the rollups when the cleanup started. */
  readonly lastId: number;
}

/** Deletes old logs and subtracts them from the rollups. */
export class LogCleaningRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within({ database }: Transaction): LogCleaningRepository {
    return new LogCleaningRepository(database);
  }

  /** Id up to which every enabled log export has sent the logs; undefined without one. */
  async exportedUpTo(): Promise<number | undefined> {
    const { id } = await this.#database
      .selectFrom('log_exports')
      .select(({ fn }) => fn.min<number | null>('cursor_id').as('id'))
      .where('enabled', '=', 1)
      .executeTakeFirstOrThrow();
    return id ?? undefined;
  }

  /** Deletes the oldest logs and returns their number; 0 if none are left. Call in a transaction. */
  async deleteOldest({ from, before, lastId }: LogsToDelete): Promise<{ count: number; from: number }> {
    const rollups = new RollupRepository(this.#database);
    await rollups.lock();
    const max = isPostgres(this.#database) ? logsAtOnce.postgres : logsAtOnce.sqlite;
    const inOrder = this.#database
      .selectFrom('logs')
      .select(['created_at', 'id'])
      .where('created_at', '>=', from)
      .where('created_at', '<', before)
      .where('id', '<=', lastId)
      .orderBy('created_at')
      .orderBy('id');
    const first = await inOrder.limit(1).executeTakeFirst();
    if (!first) return { count: 0, from };
    const last = await inOrder
      .offset(max - 1)
      .limit(1)
      .executeTakeFirst();
    const end = last ?? { created_at: before - 1, id: lastId };
    // Literal time bounds let PostgreSQL select the month partition.
    const chosen = sql<boolean>`created_at >= ${sql.lit(first.created_at)} and created_at <= ${sql.lit(end.created_at)}
      and (created_at, id) <= (${sql.lit(end.created_at)}, ${sql.lit(end.id)}) and id <= ${sql.lit(lastId)}`;
    await new UnloggedQuotaRepository(this.#database).addLogs(chosen);
    await rollups.subtract(chosen, { from: first.created_at, to: end.created_at });
    const { numDeletedRows } = await this.#database.deleteFrom('logs').where(chosen).executeTakeFirstOrThrow();
    return { count: Number(numDeletedRows), from: first.created_at };
  }
}
