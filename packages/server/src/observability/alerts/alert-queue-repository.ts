import { type AlertState, alertStateNames, destinationKindNames } from '@headgate/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import { databaseNowMs } from '../../platform/db/live-nodes.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type QueueRow = Selectable<Schema['alert_queue']>;
export type NewQueueRow = Insertable<Schema['alert_queue']>;

interface Claim {
  readonly rule: number;
  readonly subject: string;
  readonly time: number;
  readonly repeatSeconds: number;
}

interface HistoryFilter {
  readonly p: number;
  readonly size: number;
  readonly state?: AlertState | undefined;
  readonly receiver?: number | undefined;
}

/** Limited by the number of parameters per statement. */
const rowsPerStatement = 500;

/** Longer than quiet hours and waits after failed attempts, in seconds. */
const maxWait = 2 * 86_400;
/** Larger than the difference between the clocks of nodes, in seconds. */
const clockTolerance = 3600;

/** Queue and history of alerts. Each row is processed by one node at a time. */
export class AlertQueueRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): AlertQueueRepository {
    return new AlertQueueRepository(transaction.database);
  }

  /**
   * True if no node has claimed this alert within the repeat interval. Only one of several concurrent nodes succeeds.
   */
  async claim({ rule, subject, time, repeatSeconds }: Claim): Promise<boolean> {
    const claimed = await this.#database
      .insertInto('alert_claims')
      .values({ rule_id: rule, subject, time })
      .onConflict((conflict) =>
        conflict
          .columns(['rule_id', 'subject'])
          .doUpdateSet({ time })
          // A later time was stored before the clock was set back.
          .where(
            sql<boolean>`(alert_claims.time <= ${time - repeatSeconds} or alert_claims.time > ${time + clockTolerance})`,
          ),
      )
      .returning('time')
      .executeTakeFirst();
    return claimed !== undefined;
  }

  /** Existing rows stay unchanged. */
  async add(rows: readonly NewQueueRow[]): Promise<void> {
    for (let start = 0; start < rows.length; start += rowsPerStatement)
      await this.#database
        .insertInto('alert_queue')
        .values(rows.slice(start, start + rowsPerStatement))
        .onConflict((conflict) => conflict.columns(['event_id', 'receiver_id']).doNothing())
        .execute();
  }

  /** Number of waiting rows, counted up to `most`. */
  async countWaiting(max: number): Promise<number> {
    const waiting = this.#database
      .selectFrom('alert_queue')
      .select('id')
      .where('state', '=', 'waiting')
      .limit(max)
      .as('waiting');
    const { count } = await this.#database
      .selectFrom(waiting)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /**
   * Leases some due rows and counts the attempt, so that an attempt that ends in a crash is also counted. Rows for a
   * destination kind added by a later version are left to nodes that support it.
   */
  async lease(now: number, leaseMs: number, max: number): Promise<QueueRow[]> {
    const clock = this.#clockMs();
    const due = this.#database
      .selectFrom('alert_queue')
      .select('id')
      .where('state', '=', 'waiting')
      // Times further ahead than any wait were stored before the clock was set back.
      .where((where) => where.or([where('next_time', '<=', now), where('next_time', '>', now + maxWait)]))
      .where((where) =>
        where.or([where('leased_ms', '<=', clock), where('leased_ms', '>', sql<number>`${clock} + ${leaseMs}`)]),
      )
      .where('receiver_kind', 'in', destinationKindNames)
      .orderBy('next_time')
      .orderBy('id')
      .limit(max);
    const mine = isPostgres(this.#database) ? due.forUpdate().skipLocked() : due;
    return this.#database
      .updateTable('alert_queue')
      .set(({ eb }) => ({ tries: eb('tries', '+', 1), leased_ms: sql<number>`${clock} + ${leaseMs}` }))
      .where('id', 'in', mine)
      .returningAll()
      .execute();
  }

  /** Earliest time at which a row is due. */
  async nextTime(): Promise<number | undefined> {
    const row = await this.#database
      .selectFrom('alert_queue')
      .select('next_time')
      .where('state', '=', 'waiting')
      .orderBy('next_time')
      .limit(1)
      .executeTakeFirst();
    return row?.next_time;
  }

  /** Stores the result of an attempt. */
  async finish(id: number, columns: Pick<QueueRow, 'state' | 'last_error' | 'sent_time' | 'next_time'>): Promise<void> {
    await this.#database
      .updateTable('alert_queue')
      .set({ ...columns, leased_ms: 0 })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .execute();
  }

  /** Delays a destination's waiting rows, except for those being sent. */
  async postpone(receiver: number, until: number): Promise<void> {
    await this.#database
      .updateTable('alert_queue')
      .set({ next_time: until })
      .where('receiver_id', '=', receiver)
      .where('state', '=', 'waiting')
      .where('next_time', '<', until)
      .where('leased_ms', '<=', this.#clockMs())
      .execute();
  }

  /** False when it does not exist or has not failed. */
  async sendAgain(id: number, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('alert_queue')
      .set({ state: 'waiting', tries: 0, next_time: now, leased_ms: 0 })
      .where('id', '=', id)
      .where('state', '=', 'failed')
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** Fails the waiting rows of a deleted destination. */
  async failWaiting(receiver: number, reason: string): Promise<void> {
    await this.#database
      .updateTable('alert_queue')
      .set({ state: 'failed', last_error: reason })
      .where('receiver_id', '=', receiver)
      .where('state', '=', 'waiting')
      .execute();
  }

  async history({ p, size, state, receiver }: HistoryFilter): Promise<{ rows: QueueRow[]; total: number }> {
    let found = this.#database.selectFrom('alert_queue').where('state', 'in', alertStateNames);
    if (state !== undefined) found = found.where('state', '=', state);
    if (receiver !== undefined) found = found.where('receiver_id', '=', receiver);
    const rows = await found
      .selectAll()
      .orderBy('id', 'desc')
      .limit(size)
      .offset(p * size)
      .execute();
    const { total } = await found.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { rows, total };
  }

  /** Deletes old history and claims that no longer suppress repeated alerts. */
  async removeBefore(time: number): Promise<void> {
    await this.#database
      .deleteFrom('alert_queue')
      .where('created_time', '<', time)
      .where('state', '<>', 'waiting')
      .execute();
    await this.#database.deleteFrom('alert_claims').where('time', '<', time).execute();
  }

  /** Leases use the database clock, which all nodes share. */
  #clockMs() {
    return isPostgres(this.#database) ? databaseNowMs : sql<number>`${Date.now()}`;
  }
}
