import { maxBulkRows, tokenStatus, userStatus } from '@headgate/contract';
import { currentTable, filterByIds } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { lockOwnerRows } from '../../platform/db/locks.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { updateMany } from '../../platform/db/update-many.ts';
import { filterUsers, type UserFilterValues } from './user-filter-repository.ts';

/** Selection by ids or by filter. */
export type UserSelection = { readonly ids: readonly number[] } | { readonly query: UserFilterValues };

/** Columns that a bulk edit may write. */
export type UserColumns = Partial<Pick<UserRow, 'group' | 'status'>>;

export class UserBulkRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): UserBulkRepository {
    return new UserBulkRepository(transaction.database);
  }

  /** Ordered by id; reads one row above the limit to detect too large a selection. */
  read(chosen: UserSelection): Promise<UserRow[]> {
    return this.#chosen(chosen).selectAll().execute();
  }

  /** The same with row locks, always taken in id order. */
  async lock(chosen: UserSelection): Promise<UserRow[]> {
    const ids = await lockOwnerRows(this.#database, 'users', this.#chosen(chosen).select('id'));
    return this.#chosen(chosen)
      .selectAll()
      .where((where) => filterByIds(where, ids))
      .execute();
  }

  /** Number of tokens per user that are not disabled. */
  async activeTokens(ids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    if (ids.length === 0) return new Map();
    const rows = await this.#database
      .selectFrom('tokens')
      .select(({ fn }) => ['user_id', fn.countAll<number>().as('count')])
      .where('user_id', 'in', ids)
      .where('status', '=', tokenStatus.enabled)
      .groupBy('user_id')
      .execute();
    return new Map(rows.map(({ user_id, count }) => [user_id, count]));
  }

  /** Disables and locks tokens, so that only an admin can create or enable tokens. Returns their ids. */
  async disableTokens(ids: readonly number[]): Promise<number[]> {
    await this.#database.updateTable('users').set({ tokens_locked: 1 }).where('id', 'in', ids).execute();
    const rows = await this.#database
      .updateTable('tokens')
      .set({ status: tokenStatus.disabled, is_locked: 1, lock_reason: '' })
      .where('user_id', 'in', ids)
      .where('status', '=', tokenStatus.enabled)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  async update(rows: readonly { readonly id: number; readonly columns: UserColumns }[]): Promise<void> {
    await updateMany(
      this.#database,
      'users',
      rows.map(({ id, columns }) => ({ id, values: columns })),
    );
  }

  /** Remaining and total credited quota change together; a deduction never goes below zero. */
  async credit(ids: readonly number[], amount: number): Promise<void> {
    await this.#database
      .updateTable('users')
      .set((update) => ({ quota: update('quota', '+', amount), credited: update('credited', '+', amount) }))
      .where('id', 'in', ids)
      .execute();
  }

  async endSessions(ids: readonly number[]): Promise<void> {
    await this.#database.deleteFrom('sessions').where('user_id', 'in', ids).execute();
  }

  #chosen(chosen: UserSelection) {
    const living = this.#database
      .selectFrom(currentTable(this.#database, 'users'))
      .where('kind', '=', 'person')
      .where('status', '!=', userStatus.deleted);
    const some = 'ids' in chosen ? living.where('id', 'in', chosen.ids) : filterUsers(living, chosen.query);
    return some.orderBy('id').limit(maxBulkRows + 1);
  }
}
