import { type channelApi, channelStatus, type Parsed } from '@headgate/contract';
import type { Insertable, Selectable, SelectQueryBuilder, Updateable } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { lockOwnerRows } from '../../platform/db/locks.ts';
import { containsText, isInList, parseId, readPage } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

export type ChannelRow = Selectable<Schema['channels']>;
export type NewChannel = Insertable<Schema['channels']>;
export type ChannelChange = Updateable<Schema['channels']>;

export type ChannelListing = Parsed<typeof channelApi.list>['query'];

/** Channel filter; all given conditions must match. */
export interface ChannelQuery {
  readonly status?: number | undefined;
  readonly type?: number | undefined;
  readonly group?: string | undefined;
  readonly model?: string | undefined;
  readonly tag?: string | undefined;
  /** 1 selects only failing channels that no admin has disabled. */
  readonly failing?: number | undefined;
  /** Only channels with these ids. */
  readonly among?: readonly number[] | undefined;
  /** Matches an id, a part of the name or a complete key. */
  readonly wanted?: { readonly keyword: string; readonly fingerprint: string } | undefined;
}

type Found = Pick<ChannelRow, 'balance' | 'balance_updated_time'>;

export class ChannelRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ChannelRepository {
    return new ChannelRepository(transaction.database);
  }

  enabled(): Promise<ChannelRow[]> {
    return this.#all().where('status', '=', channelStatus.enabled).orderBy('id').execute();
  }

  /** Automatically disabled channels with their tag, groups and models. */
  disabledByMonitor(): Promise<Pick<ChannelRow, 'id' | 'tag' | 'group' | 'models'>[]> {
    return this.#database
      .selectFrom('channels')
      .select(['id', 'tag', 'group', 'models'])
      .where('status', '=', channelStatus.disabledByMonitor)
      .orderBy('id')
      .execute();
  }

  page(listing: ChannelListing, filter: ChannelQuery): Promise<{ rows: ChannelRow[]; total: number }> {
    const { sort, direction } = listing;
    let query = filterChannels(this.#all(), filter);
    if (sort !== undefined) query = query.orderBy(sort, direction);
    return readPage(query.orderBy('id', sort === undefined ? 'desc' : direction), listing);
  }

  async counts(): Promise<Record<string, number>> {
    const rows = await this.#database
      .selectFrom('channels')
      .select((select) => ['status', select.fn.countAll<number>().as('count')])
      .groupBy('status')
      .execute();
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }

  /** Ordered by name; channels without a tag are left out. */
  tags(): Promise<{ tag: string; count: number; enabled: number }[]> {
    return this.#database
      .selectFrom('channels')
      .select(({ fn, eb }) => [
        'tag',
        fn.countAll<number>().as('count'),
        fn.sum<number>(eb.case().when('status', '=', channelStatus.enabled).then(1).else(0).end()).as('enabled'),
      ])
      .where('tag', '<>', '')
      .groupBy('tag')
      .orderBy('tag')
      .execute();
  }

  /** Channels disabled by an admin are not counted. */
  async countFailing(): Promise<number> {
    const { count } = await this.#database
      .selectFrom('channels')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('is_failing', '=', 1)
      .where('status', '<>', channelStatus.disabled)
      .executeTakeFirstOrThrow();
    return count;
  }

  find(id: number): Promise<ChannelRow | undefined> {
    return this.#all().where('id', '=', id).executeTakeFirst();
  }

  /** Reads a row and locks it until the transaction ends. */
  async findForChange(id: number): Promise<ChannelRow | undefined> {
    await lockOwnerRows(
      this.#database,
      'channels',
      this.#database.selectFrom('channels').select('id').where('id', '=', id),
    );
    return this.find(id);
  }

  /** Newest first; all, or those with one of the statuses. */
  async ids(statuses: readonly number[] | undefined): Promise<number[]> {
    const rows = await this.#database
      .selectFrom('channels')
      .select('id')
      .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses ?? []))
      .orderBy('id', 'desc')
      .execute();
    return rows.map(({ id }) => id);
  }

  async matching(filter: ChannelQuery): Promise<number[]> {
    const rows = await filterChannels(this.#database.selectFrom('channels').select('id'), filter).execute();
    return rows.map(({ id }) => id);
  }

  /** Writes measured values; admins never edit them. */
  async record(id: number, found: Found): Promise<void> {
    await this.#database.updateTable('channels').set(found).where('id', '=', id).execute();
  }

  insert(channels: readonly NewChannel[]): Promise<ChannelRow[]> {
    return this.#database.insertInto('channels').values(channels).returningAll().execute();
  }

  update(id: number, change: ChannelChange): Promise<ChannelRow> {
    return this.#database
      .updateTable('channels')
      .set(change)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  }

  remove(id: number): Promise<ChannelRow | undefined> {
    return this.#database.deleteFrom('channels').where('id', '=', id).returningAll().executeTakeFirst();
  }

  async idsNamed(name: string): Promise<number[]> {
    const rows = await this.#database
      .selectFrom('channels')
      .select('id')
      .where('name', '=', name)
      .orderBy('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Skips channels managed by the configuration file. */
  async removeDisabled(): Promise<number> {
    const managed = this.#database
      .selectFrom('managed_things')
      .select('row_id')
      .where('kind', '=', 'channel')
      .where('in_file', '=', 1);
    const { numDeletedRows } = await this.#database
      .deleteFrom('channels')
      .where('id', 'not in', managed)
      .where('status', 'in', [channelStatus.disabled, channelStatus.disabledByMonitor])
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }

  #all() {
    return this.#database.selectFrom(currentTable(this.#database, 'channels')).selectAll();
  }
}

export function filterChannels<Row>(query: SelectQueryBuilder<Schema, 'channels', Row>, filter: ChannelQuery) {
  const { status, type, group, model, tag, failing, among, wanted } = filter;
  let narrow = query;
  if (status) narrow = narrow.where('status', '=', status);
  if (type) narrow = narrow.where('type', '=', type);
  if (group) narrow = narrow.where((where) => isInList(where, 'group', group));
  if (model) narrow = narrow.where((where) => isInList(where, 'models', model));
  if (tag) narrow = narrow.where('tag', '=', tag);
  if (failing) narrow = narrow.where('is_failing', '=', 1).where('status', '<>', channelStatus.disabled);
  if (among) narrow = narrow.where((where) => (among.length === 0 ? where.lit(false) : where('id', 'in', among)));
  if (!wanted) return narrow;
  const id = parseId(wanted.keyword);
  return narrow.where((where) =>
    where.or([
      containsText(where, 'name', wanted.keyword),
      where('key_fingerprint', '=', wanted.fingerprint),
      where('id', 'in', (from) =>
        from.selectFrom('channel_keys').select('channel_id').where('key_fingerprint', '=', wanted.fingerprint),
      ),
      ...(id === undefined ? [] : [where('id', '=', id)]),
    ]),
  );
}
