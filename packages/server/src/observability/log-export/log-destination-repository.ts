import { logExportKindNames } from '@headgate/contract';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import { databaseNowMs } from '../../platform/db/live-nodes.ts';
import type { LogRow } from '../../platform/db/rows.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** Longest wait after a failed attempt. */
export const maxRetrySeconds = 3600;

export type LogDestinationRow = Selectable<Schema['log_exports']>;

/** Destinations of log exports. One node at a time sends to a destination. */
export class LogDestinationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): LogDestinationRepository {
    return new LogDestinationRepository(transaction.database);
  }

  all(): Promise<LogDestinationRow[]> {
    return this.#known().orderBy('id').execute();
  }

  find(id: number): Promise<LogDestinationRow | undefined> {
    return this.#known().where('id', '=', id).executeTakeFirst();
  }

  insert(row: Insertable<Schema['log_exports']>): Promise<LogDestinationRow> {
    return this.#database.insertInto('log_exports').values(row).returningAll().executeTakeFirstOrThrow();
  }

  /** Undefined if it does not exist. */
  update(id: number, columns: Updateable<Schema['log_exports']>): Promise<LogDestinationRow | undefined> {
    return this.#database
      .updateTable('log_exports')
      .set(columns)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('log_exports').where('id', '=', id).execute();
  }

  /**
   * Leases the destination that has been due the longest. Times further ahead than any wait were stored before the
   * clock was set back.
   */
  lease(now: number, leaseMs: number): Promise<LogDestinationRow | undefined> {
    const clock = this.#clockMs();
    const due = this.#database
      .selectFrom('log_exports')
      .select('id')
      .where('enabled', '=', 1)
      .where('kind', 'in', logExportKindNames)
      .where((where) => where.or([where('next_time', '<=', now), where('next_time', '>', now + maxRetrySeconds)]))
      .where((where) =>
        where.or([where('leased_ms', '<=', clock), where('leased_ms', '>', sql<number>`${clock} + ${leaseMs}`)]),
      )
      .orderBy('next_time')
      .orderBy('id')
      .limit(1);
    const mine = isPostgres(this.#database) ? due.forUpdate().skipLocked() : due;
    return this.#database
      .updateTable('log_exports')
      .set({ leased_ms: sql<number>`${clock} + ${leaseMs}` })
      .where('id', 'in', mine)
      .returningAll()
      .executeTakeFirst();
  }

  /**
   * Moves the cursor after a batch and extends the lease. Returns undefined if another node moved it or the
   * destination was deleted or disabled.
   */
  advance(
    { id, cursor_id }: Pick<LogDestinationRow, 'id' | 'cursor_id'>,
    { to, rows, now, leaseMs }: { to: number; rows: number; now: number; leaseMs: number },
  ): Promise<LogDestinationRow | undefined> {
    return this.#database
      .updateTable('log_exports')
      .set(({ eb }) => ({
        cursor_id: to,
        sent_rows: eb('sent_rows', '+', rows),
        sent_time: now,
        last_error: '',
        tries: 0,
        leased_ms: sql<number>`${this.#clockMs()} + ${leaseMs}`,
      }))
      .where('id', '=', id)
      .where('cursor_id', '=', cursor_id)
      .where('enabled', '=', 1)
      .returningAll()
      .executeTakeFirst();
  }

  /** The next logs after a cursor, up to a complete id. */
  logs(after: number, upTo: number, max: number): Promise<LogRow[]> {
    return this.#database
      .selectFrom('logs')
      .selectAll()
      .where('id', '>', after)
      .where('id', '<=', upTo)
      .orderBy('id')
      .limit(max)
      .execute();
  }

  /** Time of the first log after a cursor; undefined if there are no more. */
  async firstTime(after: number): Promise<number | undefined> {
    const row = await this.#database
      .selectFrom('logs')
      .select('created_at')
      .where('id', '>', after)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    return row?.created_at;
  }

  #known() {
    return this.#database.selectFrom('log_exports').selectAll().where('kind', 'in', logExportKindNames);
  }

  /** Nodes' clocks differ, so leases use the database's. */
  #clockMs() {
    return isPostgres(this.#database) ? databaseNowMs : sql<number>`${Date.now()}`;
  }
}
