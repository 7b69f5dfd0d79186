import { neverExpires, type Parsed, type tokenApi, tokenStatus, userStatus } from '@headgate/contract';
import {
  type Expression,
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type Updateable,
} from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { lockOwnerRows } from '../../platform/db/locks.ts';
import { containsText, readPage } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { ownershipColumns, type TokenOwnership, type TokenOwnershipFilter } from './token-ownership.ts';

/** A token row with its effective status at the time of reading. */
export type TokenRow = Omit<Selectable<Schema['tokens']>, 'key_hash' | 'old_key_hash'>;
export type TokenBinding = Pick<TokenRow, 'channels' | 'tags'>;
/** Lock set by an admin. Without ids it applies to all enabled tokens. */
export interface TokenLock {
  readonly ids: readonly number[] | undefined;
  readonly reason: string;
}
type TokenLockState = Pick<TokenRow, 'is_locked' | 'lock_reason'>;
type NewToken = Insertable<Schema['tokens']>;
type TokenChange = Omit<Updateable<Schema['tokens']>, 'status'>;
export type TokenListing = Parsed<typeof tokenApi.list>['query'] & { readonly keyword?: string };

/** Columns of lists and exports. */
export const listedTokenColumns = [
  'id',
  'user_id',
  'name',
  'created_time',
  'accessed_time',
  'expired_time',
  'remain_quota',
  'unlimited_quota',
  'used_quota',
  'models',
  'subnet',
  'note',
  'groups',
  'dialects',
  'endpoints',
  'channels',
  'tags',
  'old_key_until',
  'is_locked',
  'lock_reason',
  'fixed_tags',
] as const satisfies (keyof TokenRow)[];

const { enabled, disabled, expired, exhausted } = tokenStatus;

/**
 * Effective status at `now`. Only "disabled" comes from the row; expiry and used-up quota are computed, never stored.
 */
export const tokenStatusAt = (now: number) => sql<number>`case
  when status = ${sql.lit(disabled)} then ${sql.lit(disabled)}
  when expired_time <> ${sql.lit(neverExpires)} and expired_time <= ${now} then ${sql.lit(expired)}
  when unlimited_quota = 0 and remain_quota <= 0 then ${sql.lit(exhausted)}
  else ${sql.lit(enabled)} end`;

export class TokenRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): TokenRepository {
    return new TokenRepository(transaction.database);
  }

  page(userId: number, listing: TokenListing & TokenOwnershipFilter, now: number) {
    let query = filterTokens(this.#ownedBy(userId, now), listing, now);
    for (const column of ownershipColumns) {
      const wanted = listing[column];
      if (wanted !== undefined) query = query.where(column, '=', wanted);
    }
    const { column, direction } = orderOf(listing);
    for (const key of sortKeys[column](now)) query = query.orderBy(key, direction);
    return readPage(query.orderBy('id', direction), listing);
  }

  countByStatus(userId: number, now: number): Promise<{ shown: number; count: number }[]> {
    return this.#database
      .selectFrom(currentTable(this.#database, 'tokens'))
      .select(({ fn }) => [tokenStatusAt(now).as('shown'), fn.countAll<number>().as('count')])
      .where('user_id', '=', userId)
      .groupBy('shown')
      .execute();
  }

  find(userId: number, id: number, now: number): Promise<TokenRow | undefined> {
    return this.#ownedBy(userId, now).where('id', '=', id).executeTakeFirst();
  }

  async ownerOf(id: number): Promise<number | undefined> {
    const row = await this.#database.selectFrom('tokens').select('user_id').where('id', '=', id).executeTakeFirst();
    return row?.user_id;
  }

  all(userId: number, now: number): Promise<TokenRow[]> {
    return this.#ownedBy(userId, now).orderBy('id', 'desc').execute();
  }

  /** Finds a token and locks it until the transaction ends. */
  async findLocked(userId: number, id: number, now: number): Promise<TokenRow | undefined> {
    const own = this.#database.selectFrom('tokens').select('id').where('user_id', '=', userId);
    await lockOwnerRows(this.#database, 'tokens', own.where('id', '=', id));
    return this.find(userId, id, now);
  }

  /**
   * Number of the user's tokens; in an organization, only those of the same member or service account. Undefined when
   * the account no longer exists. Locks the account, so that concurrent token creation and account deletion wait until
   * the transaction ends.
   */
  async countLocked(userId: number, belonging: TokenOwnership): Promise<number | undefined> {
    const owner = await this.#database
      .selectFrom('users')
      .select('id')
      .where('id', '=', userId)
      .where('status', '<>', userStatus.deleted)
      .forUpdate()
      .executeTakeFirst();
    if (!owner) return undefined;
    const { count } = await this.#database
      .selectFrom('tokens')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('creator_id', '=', belonging.creator_id)
      .where('service_account_id', '=', belonging.service_account_id)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** True if an admin has disabled all tokens of the user. */
  async isOwnerLocked(userId: number): Promise<boolean> {
    const owner = await this.#database
      .selectFrom('users')
      .select('tokens_locked')
      .where('id', '=', userId)
      .executeTakeFirst();
    return owner?.tokens_locked === 1;
  }

  async lockOwner(userId: number, isLocked: boolean): Promise<void> {
    await this.#database
      .updateTable('users')
      .set({ tokens_locked: Number(isLocked) })
      .where('id', '=', userId)
      .execute();
  }

  async insert(token: NewToken): Promise<number> {
    const { id } = await this.#database.insertInto('tokens').values(token).returning('id').executeTakeFirstOrThrow();
    return id;
  }

  /** Without a status, a disabled token stays disabled and any other becomes enabled. */
  async update(userId: number, id: number, change: TokenChange, status: number | undefined): Promise<void> {
    await this.#database
      .updateTable('tokens')
      .set({
        ...change,
        status:
          status ?? sql`case when status = ${sql.lit(disabled)} then ${sql.lit(disabled)} else ${sql.lit(enabled)} end`,
      })
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .execute();
  }

  /** The current key becomes the old key and stays valid until `until`; 0 revokes it immediately. */
  async rotate(id: number, key: { key_hash: string; key_sealed: string }, until: number): Promise<void> {
    await this.#database
      .updateTable('tokens')
      .set((set) => ({ ...key, old_key_hash: until > 0 ? set.ref('key_hash') : '', old_key_until: until }))
      .where('id', '=', id)
      .execute();
  }

  async endOldKey(id: number): Promise<void> {
    const columns = { old_key_hash: '', old_key_until: 0 };
    await this.#database.updateTable('tokens').set(columns).where('id', '=', id).execute();
  }

  async bind(id: number, binding: TokenBinding): Promise<void> {
    await this.#database.updateTable('tokens').set(binding).where('id', '=', id).execute();
  }

  /** False when the user has no such token. */
  async remove(userId: number, id: number): Promise<boolean> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('tokens')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  }

  /** Returns the ids of the disabled tokens. */
  async disableAll(userId: number, lock?: TokenLock): Promise<number[]> {
    const rows = await this.#database
      .updateTable('tokens')
      .set({ status: disabled, ...(lock && { is_locked: 1, lock_reason: lock.reason }) })
      .where('user_id', '=', userId)
      // Listed tokens are locked even if the user has already disabled them.
      .$if(lock?.ids === undefined, (query) => query.where('status', '=', enabled))
      .$if(lock?.ids !== undefined, (query) => query.where('id', 'in', lock?.ids ?? []).where('is_locked', '=', 0))
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Enables and unlocks tokens. Returns the ids of those that were disabled. */
  async enableAll(userId: number, ids: readonly number[]): Promise<number[]> {
    const rows = await this.#database
      .updateTable('tokens')
      .set({ status: enabled, is_locked: 0, lock_reason: '' })
      .where('user_id', '=', userId)
      .where('id', 'in', ids)
      .where('status', '=', disabled)
      .returning('id')
      .execute();
    return rows.map(({ id }) => id);
  }

  /** Name of an enabled token among these that is locked. */
  async enabledLocked(ids: readonly number[]): Promise<TokenLockState | undefined> {
    if (ids.length === 0) return undefined;
    return this.#database
      .selectFrom('tokens')
      .select(['is_locked', 'lock_reason'])
      .where('id', 'in', ids)
      .where('is_locked', '=', 1)
      .where('status', '=', enabled)
      .executeTakeFirst();
  }

  async isAnyEnabled(ids: readonly number[]): Promise<boolean> {
    const row = await this.#database
      .selectFrom('tokens')
      .select('id')
      .where('id', 'in', ids)
      .where('status', '=', enabled)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Returns the ids of the removed tokens. */
  async removeAll(userId: number): Promise<number[]> {
    const rows = await this.#database.deleteFrom('tokens').where('user_id', '=', userId).returning('id').execute();
    return rows.map(({ id }) => id);
  }

  #ownedBy(userId: number, now: number) {
    return this.#database
      .selectFrom(currentTable(this.#database, 'tokens'))
      .select([...listedTokenColumns, 'key_sealed', ...ownershipColumns, tokenStatusAt(now).as('status')])
      .where('user_id', '=', userId);
  }
}

/** Token filter; all given conditions must match. */
export interface TokenFilterValues {
  readonly status?: number | undefined;
  readonly keyword?: string | undefined;
}

export function filterTokens<Row>(
  query: SelectQueryBuilder<Schema, 'tokens', Row>,
  { status, keyword }: TokenFilterValues,
  now: number,
) {
  const inState = status ? query.where(tokenStatusAt(now), '=', status) : query;
  return keyword ? inState.where((where) => containsText(where, 'name', keyword)) : inState;
}

type SortColumn = NonNullable<TokenListing['sort']>;

/** A clicked column header overrides the sort dropdown, which always sorts in descending order. */
function orderOf({ sort, direction, order }: TokenListing): { column: SortColumn; direction: 'asc' | 'desc' } {
  return sort === undefined ? { column: order || 'id', direction: 'desc' } : { column: sort, direction };
}

const sortKeys: Readonly<Record<SortColumn, (now: number) => readonly Expression<unknown>[]>> = {
  id: () => [],
  name: () => [sql`fold_case(name)`],
  status: (now) => [tokenStatusAt(now)],
  used_quota: () => [sql.ref('used_quota')],
  // Unlimited sorts above any number.
  remain_quota: () => [sql.ref('unlimited_quota'), sql.ref('remain_quota')],
  created_time: () => [sql.ref('created_time')],
  // "Never" sorts after any date.
  expired_time: () => [sql`expired_time = ${sql.lit(neverExpires)}`, sql.ref('expired_time')],
};
