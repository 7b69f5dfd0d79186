import { channelStatus } from '@headgate/contract';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type BreakerRow = Selectable<Schema['channel_pauses']>;
type NewPause = Omit<BreakerRow, 'id' | 'probes' | 'ended_time'>;

/** Seconds for which a closed breaker affects the length of the next pause. */
const keptSeconds = 86_400;
const maxClaimed = 10;

export class BreakerRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): BreakerRepository {
    return new BreakerRepository(transaction.database);
  }

  /** Open breakers, whose models requests must skip. */
  active(): Promise<Pick<BreakerRow, 'channel_id' | 'model'>[]> {
    return this.#database
      .selectFrom('channel_pauses')
      .select(['channel_id', 'model'])
      .where('ended_time', '=', 0)
      .where('is_disabled', '=', 0)
      .execute();
  }

  of(channel: number): Promise<BreakerRow[]> {
    return this.#database
      .selectFrom('channel_pauses')
      .selectAll()
      .where('channel_id', '=', channel)
      .where('ended_time', '=', 0)
      .orderBy('model')
      .execute();
  }

  /** The latest breaker of this model, open or closed. */
  find(channel: number, model: string): Promise<BreakerRow | undefined> {
    return this.#database
      .selectFrom('channel_pauses')
      .selectAll()
      .where('channel_id', '=', channel)
      .where('model', '=', model)
      .executeTakeFirst();
  }

  /** Undefined when the model is already paused. */
  begin(pause: NewPause): Promise<BreakerRow | undefined> {
    const { channel_id: _channel, model: _model, ...changing } = pause;
    return this.#database
      .insertInto('channel_pauses')
      .values({ ...pause, probes: 0, ended_time: 0 })
      .onConflict((conflict) =>
        conflict
          .columns(['channel_id', 'model'])
          .doUpdateSet({ ...changing, probes: 0, ended_time: 0 })
          .where('channel_pauses.ended_time', '>', 0),
      )
      .returningAll()
      .executeTakeFirst();
  }

  /**
   * Claims the due tests until `until`, so that no other node runs them. Times further ahead than any pause were stored
   * before the clock was set back.
   */
  claimDue(now: number, until: number): Promise<BreakerRow[]> {
    const isDue = sql<boolean>`(next_probe <= ${now} or next_probe > ${until} + pause)`;
    return this.#database
      .updateTable('channel_pauses')
      .set({ next_probe: until })
      .where('id', 'in', (some) =>
        some
          .selectFrom('channel_pauses as due')
          .select('due.id')
          .where('due.ended_time', '=', 0)
          .where(isDue)
          .orderBy('due.next_probe')
          .limit(maxClaimed),
      )
      .where('ended_time', '=', 0)
      .where(isDue)
      .returningAll()
      .execute();
  }

  async postpone(
    id: number,
    columns: Partial<Pick<BreakerRow, 'next_probe' | 'pause' | 'probes' | 'reason' | 'message' | 'status'>>,
  ): Promise<void> {
    await this.#database.updateTable('channel_pauses').set(columns).where('id', '=', id).execute();
  }

  /** True if the breaker was still open. */
  async end(id: number, now: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('channel_pauses')
      .set({ ended_time: now })
      .where('id', '=', id)
      .where('ended_time', '=', 0)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('channel_pauses').where('id', '=', id).execute();
  }

  async removeOld(now: number): Promise<void> {
    await this.#database
      .deleteFrom('channel_pauses')
      .where('ended_time', '>', 0)
      .where('ended_time', '<', now - keptSeconds)
      .execute();
  }

  /** Automatically disabled channels without a planned test. */
  unplanned(): Promise<{ id: number; status_reason: string }[]> {
    return this.#database
      .selectFrom('channels')
      .select(['id', 'status_reason'])
      .where('status', '=', channelStatus.disabledByMonitor)
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('channel_pauses')
              .select('channel_pauses.id')
              .whereRef('channel_pauses.channel_id', '=', 'channels.id')
              .where('model', '=', '')
              .where('ended_time', '=', 0),
          ),
        ),
      )
      .orderBy('id')
      .limit(100)
      .execute();
  }
}
