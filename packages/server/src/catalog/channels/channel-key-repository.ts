import { channelStatus, type LogReason } from '@headgate/contract';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { isPostgres } from '../../platform/db/backend.ts';
import type { Database } from '../../platform/db/database.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type ChannelKeyRow = Selectable<Schema['channel_keys']>;
export type NewChannelKey = Insertable<Schema['channel_keys']>;
type KeyChange = Updateable<Schema['channel_keys']>;

/** Usage of a key since the last write. */
export interface KeyUsage {
  readonly id: number;
  readonly requests: number;
  readonly failures: number;
  /** Last use, in seconds. */
  readonly time: number;
  readonly last: KeyFailure | undefined;
}

export interface KeyFailure {
  readonly time: number;
  readonly status: number;
  readonly reason: LogReason;
  readonly message: string;
}

/**
 * Keys of channels with several keys. Deleting a channel deletes them. The channel must be locked before its keys are
 * changed.
 */
export class ChannelKeyRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ChannelKeyRepository {
    return new ChannelKeyRepository(transaction.database);
  }

  /** Oldest first. */
  of(channelId: number): Promise<ChannelKeyRow[]> {
    return this.#database
      .selectFrom('channel_keys')
      .selectAll()
      .where('channel_id', '=', channelId)
      .orderBy('id')
      .execute();
  }

  /** Enabled keys of all enabled channels, oldest first. */
  enabled(): Promise<Pick<ChannelKeyRow, 'id' | 'channel_id' | 'key_sealed' | 'weight' | 'cost_percent'>[]> {
    return this.#database
      .selectFrom('channel_keys')
      .innerJoin('channels', 'channels.id', 'channel_keys.channel_id')
      .select(['channel_keys.id', 'channel_id', 'channel_keys.key_sealed', 'channel_keys.weight', 'cost_percent'])
      .where('channel_keys.status', '=', channelStatus.enabled)
      .where('channels.status', '=', channelStatus.enabled)
      .orderBy('channel_keys.id')
      .execute();
  }

  insert(keys: readonly NewChannelKey[]): Promise<ChannelKeyRow[]> {
    return this.#database.insertInto('channel_keys').values(keys).returningAll().execute();
  }

  async update(ids: readonly number[], change: KeyChange): Promise<void> {
    if (ids.length === 0) return;
    await this.#database.updateTable('channel_keys').set(change).where('id', 'in', ids).execute();
  }

  async remove(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#database.deleteFrom('channel_keys').where('id', 'in', ids).execute();
  }

  /** Removes all key rows of a channel, which then has a single key without a row. */
  async removeOf(channelId: number): Promise<void> {
    await this.lockOf([channelId]);
    await this.#database.deleteFrom('channel_keys').where('channel_id', '=', channelId).execute();
  }

  /** Re-enables automatically disabled keys of these channels if no other key is enabled. */
  async reenable(channelIds: readonly number[]): Promise<void> {
    await this.lockOf(channelIds);
    await this.#database
      .updateTable('channel_keys')
      .set({ status: channelStatus.enabled, status_reason: '' })
      .where('status', '=', channelStatus.disabledByMonitor)
      .where('channel_id', 'in', (from) =>
        from
          .selectFrom('channels')
          .select('id')
          .where('id', 'in', channelIds)
          .where('key_count', '>', 0)
          .where('enabled_key_count', '=', 0),
      )
      .execute();
    await this.updateChannels(channelIds);
  }

  /** Updates the key columns of channels: the counts, and the first enabled key as the channel's own. */
  async updateChannels(channelIds: readonly number[]): Promise<void> {
    const count = (isEnabled: boolean) => sql<number>`(select count(*) from channel_keys
      where channel_id = channels.id ${isEnabled ? sql`and status = ${sql.lit(channelStatus.enabled)}` : sql``})`;
    const first = (column: 'key_sealed' | 'key_fingerprint') => sql<string>`(select ${sql.ref(column)} from channel_keys
      where channel_id = channels.id
      order by case when status = ${sql.lit(channelStatus.enabled)} then 0 else 1 end, id limit 1)`;
    await this.#database
      .updateTable('channels')
      .set({ key_count: count(false), enabled_key_count: count(true) })
      .where('id', 'in', channelIds)
      .execute();
    await this.#database
      .updateTable('channels')
      .set({ key_sealed: first('key_sealed'), key_fingerprint: first('key_fingerprint') })
      .where('id', 'in', channelIds)
      .where('key_count', '>', 0)
      .execute();
  }

  /** Adds usage. Locks keys in the same order as channel deletion, to avoid deadlocks. */
  async recordUse(uses: readonly KeyUsage[]): Promise<void> {
    await this.#lock(sql`id in (${sql.join(uses.map(({ id }) => id))})`);
    for (const { id, requests, failures, time, last } of uses) {
      await this.#database
        .updateTable('channel_keys')
        .set((set) => ({
          request_count: set('request_count', '+', requests),
          failure_count: set('failure_count', '+', failures),
          used_time: time,
          ...(last && failureColumns(last)),
        }))
        .where('id', '=', id)
        .execute();
    }
  }

  /** Locks the keys in id order, to avoid deadlocks. Not needed on SQLite. */
  lockOf(channelIds: readonly number[]): Promise<void> {
    return this.#lock(sql`channel_id in (${sql.join(channelIds)})`);
  }

  async recordTest(
    id: number,
    test: { readonly time: number; readonly ms: number; readonly failure?: KeyFailure | undefined },
  ) {
    const { time, ms, failure } = test;
    await this.update([id], {
      test_time: time,
      response_time: failure ? 0 : ms,
      ...(failure && failureColumns(failure)),
    });
  }

  async #lock(chosen: ReturnType<typeof sql>): Promise<void> {
    if (!isPostgres(this.#database)) return;
    await sql`select id from channel_keys where ${chosen} order by id for update`.execute(this.#database);
  }
}

const failureColumns = ({ time, status, reason, message }: KeyFailure) => ({
  failure_time: time,
  failure_status: status,
  failure_reason: reason,
  failure_message: message,
});
