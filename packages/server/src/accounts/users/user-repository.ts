import { type Parsed, type User, type userApi, userStatus } from '@headgate/contract';
import { type Insertable, sql, type Updateable } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { lockName, lockOwnerRows } from '../../platform/db/locks.ts';
import { nameKey } from '../../platform/db/name-key.ts';
import { readPage } from '../../platform/db/paging.ts';
import type { UserRow } from '../../platform/db/rows.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { hasIssuer, type Identity, issuerColumns, type ReportedIdentity } from './identity-columns.ts';
import { findLookalikes, lookalikeKey } from './lookalike-names.ts';
import { filterUsers } from './user-filter-repository.ts';

export type NewUser = Omit<Insertable<Schema['users']>, 'id' | 'name_key'>;
/** Quota is changed only by `credit`, so that the ledger stays balanced. */
export type UserChange = Omit<Updateable<Schema['users']>, 'id' | 'quota' | 'credited' | 'name_key'>;
export type UserListing = Parsed<typeof userApi.list>['query'] & { readonly keyword?: string };

/** The row without secrets; missing identities become empty strings. */
export function presentUser(row: UserRow): User {
  const { password_hash: _password, access_token_hash: _token, credited: _credited, name_key: _key, ...open } = row;
  const { wechat_issuer: _wechat, oidc_issuer: _oidc, ...rest } = open;
  return {
    ...rest,
    email: row.email ?? '',
    github_id: row.github_id ?? '',
    wechat_id: row.wechat_id ?? '',
    lark_id: row.lark_id ?? '',
    oidc_id: row.oidc_id ?? '',
    aff_code: row.aff_code ?? '',
    tokens_locked: row.tokens_locked === 1,
  };
}

export class UserRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): UserRepository {
    return new UserRepository(transaction.database);
  }

  page(listing: UserListing): Promise<{ rows: UserRow[]; total: number }> {
    const { sort, direction, order } = listing;
    const query = filterUsers(this.#living(), listing);
    // A clicked column header overrides the sort dropdown, which always sorts in descending order.
    const by = sort ?? (order || 'id');
    const key = by === 'username' ? sql`lower(username)` : sql.ref(by);
    return readPage(query.orderBy(key, sort === undefined ? 'desc' : direction).orderBy('id', 'desc'), listing);
  }

  countByStatus(): Promise<{ status: number; count: number }[]> {
    return this.#database
      .selectFrom('users')
      .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
      .where('kind', '=', 'person')
      .where('status', '!=', userStatus.deleted)
      .groupBy('status')
      .execute();
  }

  find(id: number): Promise<UserRow | undefined> {
    return this.#living().where('id', '=', id).executeTakeFirst();
  }

  /** Locks the row until the transaction ends. */
  async findLocked(by: 'id' | 'username', value: number | string): Promise<UserRow | undefined> {
    const chosen = this.#database.selectFrom('users').select('id').where(by, '=', value);
    await lockOwnerRows(this.#database, 'users', chosen);
    return this.#living().where(by, '=', value).executeTakeFirst();
  }

  findByUsername(username: string): Promise<UserRow | undefined> {
    return this.#living().where('username', '=', username).executeTakeFirst();
  }

  findByLogin(usernameOrEmail: string): Promise<UserRow | undefined> {
    // The name as typed is tried first, because older names were stored without normalization.
    const composed = usernameOrEmail.normalize('NFC');
    const email = usernameOrEmail.toLowerCase();
    return this.#living()
      .where((where) => where.or([where('username', 'in', [usernameOrEmail, composed]), where('email', '=', email)]))
      .orderBy((order) =>
        order
          .case()
          .when('username', '=', usernameOrEmail)
          .then(0)
          .when('username', '=', composed)
          .then(1)
          .else(2)
          .end(),
      )
      .executeTakeFirst();
  }

  /** Finds only a user who may sign in. */
  findEnabled(by: 'aff_code' | 'access_token_hash' | 'email', value: string): Promise<UserRow | undefined> {
    return this.#living().where(by, '=', value).where('status', '=', userStatus.enabled).executeTakeFirst();
  }

  /** Enabled or banned. */
  findByEmail(email: string): Promise<UserRow | undefined> {
    return this.#living().where('email', '=', email).executeTakeFirst();
  }

  /** Email addresses of users with at least this role. */
  async emailsOf(role: number): Promise<string[]> {
    const rows = await this.#living()
      .where('status', '=', userStatus.enabled)
      .where('role', '>=', role)
      .where('email', 'is not', null)
      .orderBy('id')
      .execute();
    return rows.flatMap(({ email }) => email ?? []);
  }

  findByIdentity({ identity, value, issuer }: ReportedIdentity): Promise<UserRow | undefined> {
    const query = this.#living().where(identity, '=', value);
    return (hasIssuer(identity) ? query.where(issuerColumns[identity], '=', issuer) : query).executeTakeFirst();
  }

  /** All existing accounts, oldest first. */
  all(): Promise<UserRow[]> {
    return this.#living().orderBy('id').execute();
  }

  async hasAny(): Promise<boolean> {
    return (await this.#database.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
  }

  /** True if any row has it, including deleted accounts. Usernames are compared case-insensitively. */
  async isTaken(column: 'username' | Identity, value: string, issuer = ''): Promise<boolean> {
    if (column === 'username') return (await this.#namesakes(value).executeTakeFirst()) !== undefined;
    const query = this.#database.selectFrom('users').select('id').where(column, '=', value);
    const claimed = hasIssuer(column) ? query.where(issuerColumns[column], '=', issuer) : query;
    return (await claimed.executeTakeFirst()) !== undefined;
  }

  /** Undefined when the name or another unique value is taken. */
  async insertUnlessTaken(user: NewUser): Promise<UserRow | undefined> {
    await lockName(this.#database, lookalikeKey(user.username));
    if (await this.isTaken('username', user.username)) return undefined;
    return this.#database
      .insertInto('users')
      .values({ ...user, name_key: nameKey(user.username) })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
  }

  /** False when the new name is taken, also by a deleted account; the transaction must then be rolled back. */
  async updateUnlessTaken(id: number, change: UserChange): Promise<boolean> {
    if (Object.keys(change).length === 0) return true;
    const { username } = change;
    if (username !== undefined) {
      await lockName(this.#database, lookalikeKey(username));
      if (await this.#namesakes(username).where('id', '!=', id).executeTakeFirst()) return false;
    }
    try {
      const key = username !== undefined && { name_key: nameKey(username) };
      const query = this.#database.updateTable('users').set({ ...change, ...key });
      await query.where('id', '=', id).where('status', '!=', userStatus.deleted).execute();
      // The user is now locked, so this includes tokens that were being created.
      if (change.access_token_hash === null) await this.#removeAccessTokens(id);
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Replaces the hash of an unchanged password, unless the password was changed meanwhile. */
  async replaceHash(id: number, before: string, after: string): Promise<void> {
    const query = this.#database.updateTable('users').set({ password_hash: after });
    await query.where('id', '=', id).where('password_hash', '=', before).execute();
  }

  /** False when the code belongs to another user; a user who has a code keeps it. */
  async setInviteCode(id: number, code: string): Promise<boolean> {
    try {
      const query = this.#database.updateTable('users').set({ aff_code: code });
      await query.where('id', '=', id).where('aff_code', 'is', null).execute();
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /**
   * Besides `withdraw`, the only way to change quota other than by usage. Changes remaining and total credited quota
   * together. False, without a change, if the user no longer exists or the total would overflow.
   */
  async credit(id: number, amount: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('users')
      .set((update) => ({ quota: update('quota', '+', amount), credited: update('credited', '+', amount) }))
      .where('id', '=', id)
      .where('status', '!=', userStatus.deleted)
      .where('credited', '<=', Number.MAX_SAFE_INTEGER - Math.max(amount, 0))
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** False, without a change, when the balance is lower than the amount. */
  async withdraw(id: number, amount: number): Promise<boolean> {
    const { numUpdatedRows } = await this.#database
      .updateTable('users')
      .set((update) => ({ quota: update('quota', '-', amount), credited: update('credited', '-', amount) }))
      .where('id', '=', id)
      .where('quota', '>=', amount)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** Accounts with this name or a lookalike. Checked before the unique key, because old accounts may lack the key. */
  #namesakes(username: string) {
    return this.#database
      .selectFrom('users')
      .select('id')
      .where((where) =>
        where.or([
          where('name_key', 'in', [username, ...findLookalikes(username)].map(nameKey)),
          where.and([where('name_key', 'is', null), where(sql`fold_case(username)`, '=', nameKey(username))]),
        ]),
      );
  }

  /** Named tokens are revoked together with the unnamed one. */
  async #removeAccessTokens(userId: number): Promise<void> {
    await this.#database.deleteFrom('access_tokens').where('user_id', '=', userId).execute();
  }

  #living() {
    return this.#database
      .selectFrom(currentTable(this.#database, 'users'))
      .selectAll()
      .where('kind', '=', 'person')
      .where('status', '!=', userStatus.deleted);
  }
}
