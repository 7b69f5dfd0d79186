import { maxBulkRows } from '@headgate/contract';
import { currentTable, filterByIds } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { lockOwnerRows } from '../../platform/db/locks.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { updateMany } from '../../platform/db/update-many.ts';
import { type ChannelChange, type ChannelQuery, type ChannelRow, filterChannels } from './channel-repository.ts';

/** Selection by ids or by filter. */
export type ChannelSelection = { readonly ids: readonly number[] } | { readonly query: ChannelQuery };

export class ChannelBulkRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ChannelBulkRepository {
    return new ChannelBulkRepository(transaction.database);
  }

  /** Ordered by id; reads one row above the limit to detect too large a selection. */
  read(chosen: ChannelSelection): Promise<ChannelRow[]> {
    return this.#chosen(chosen).selectAll().execute();
  }

  /** The same with row locks, always taken in id order to avoid deadlocks. */
  async lock(chosen: ChannelSelection): Promise<ChannelRow[]> {
    const ids = await lockOwnerRows(this.#database, 'channels', this.#chosen(chosen).select('id'));
    return this.#chosen(chosen)
      .selectAll()
      .where((where) => filterByIds(where, ids))
      .execute();
  }

  /** Every row gets all columns that any row changes; unchanged columns get their current value. */
  async update(rows: readonly { readonly row: ChannelRow; readonly change: ChannelChange }[]): Promise<void> {
    const columns = [...new Set(rows.flatMap(({ change }) => Object.keys(change)))] as (keyof ChannelRow)[];
    const written = rows.map(({ row, change }) => ({
      id: row.id,
      values: Object.fromEntries(columns.map((column) => [column, { ...row, ...change }[column]])),
    }));
    await updateMany(this.#database, 'channels', written);
  }

  async remove(ids: readonly number[]): Promise<void> {
    await this.#database.deleteFrom('channels').where('id', 'in', ids).execute();
  }

  #chosen(chosen: ChannelSelection) {
    const all = this.#database.selectFrom(currentTable(this.#database, 'channels'));
    const some = 'ids' in chosen ? all.where('id', 'in', chosen.ids) : filterChannels(all, chosen.query);
    return some.orderBy('id').limit(maxBulkRows + 1);
  }
}
