import { userStatus } from '@headgate/contract';
import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { parseId } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { Condition } from './scim-path.ts';

type NewDirectoryUser = Omit<Insertable<Schema['directory_users']>, 'id'>;
type DirectoryUserChange = Omit<Updateable<Schema['directory_users']>, 'id' | 'organization_id' | 'user_id'>;

export interface PageSlice {
  readonly offset: number;
  readonly limit: number;
}

/** User data from a sign-in provider. */
export interface SignInIdentity {
  readonly externalIds: readonly string[];
  readonly userNames: readonly string[];
}

/** Key of a name that is unique regardless of case. */
export const directoryKey = (name: string): string => name.normalize('NFKC').toLowerCase();

/** Columns that a user filter can compare, and the stored form of a value; undefined if no row can match. */
const comparisons: Readonly<
  Record<string, readonly [column: string, form: (value: string) => string | number | undefined]>
> = {
  id: ['id', parseId],
  username: ['name_key', directoryKey],
  externalid: ['external_id', String],
  displayname: ['display_name', String],
  emails: ['email', (value) => value.toLowerCase()],
  active: ['is_active', (value) => Number(value === 'true')],
};

/** Attributes that a user filter can compare, in lowercase. */
export const userFilterAttributes: readonly string[] = Object.keys(comparisons);

/** Directory users with their accounts. Users whose account was deleted are not returned. */
export class DirectoryUserRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): DirectoryUserRepository {
    return new DirectoryUserRepository(transaction.database);
  }

  /** By id. */
  async page(organizationId: number, conditions: readonly Condition[], { offset, limit }: PageSlice) {
    const query = this.#of(organizationId).where((where) => where.and(conditions.map(comparisonOf)));
    const { total } = await query
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = limit === 0 ? [] : await query.orderBy('directory_users.id').offset(offset).limit(limit).execute();
    return { rows, total };
  }

  find(organizationId: number, id: number) {
    return this.#of(organizationId).where('directory_users.id', '=', id).executeTakeFirst();
  }

  findByName(organizationId: number, userName: string) {
    return this.#of(organizationId).where('directory_users.name_key', '=', directoryKey(userName)).executeTakeFirst();
  }

  findByUser(organizationId: number, userId: number) {
    return this.#of(organizationId).where('directory_users.user_id', '=', userId).executeTakeFirst();
  }

  /** The only user with one of these ids or, without one, with one of these names. */
  async findForSignIn(organizationId: number, { externalIds, userNames }: SignInIdentity) {
    const only = async (column: 'external_id' | 'name_key', values: readonly string[]) => {
      if (values.length === 0) return undefined;
      const found = this.#of(organizationId).where(`directory_users.${column}`, 'in', values).limit(2);
      const rows = await found.execute();
      return rows.length === 1 ? rows[0] : undefined;
    };
    return (await only('external_id', externalIds)) ?? (await only('name_key', userNames.map(directoryKey)));
  }

  /** The ids that belong to users of the directory. */
  async existing(organizationId: number, ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#of(organizationId).where('directory_users.id', 'in', ids).execute();
    return new Set(rows.map(({ id }) => id));
  }

  async count(organizationId: number): Promise<number> {
    const { total } = await this.#of(organizationId)
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return total;
  }

  async insert(user: NewDirectoryUser): Promise<number> {
    const { id } = await this.#database
      .insertInto('directory_users')
      .values(user)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async update(id: number, change: DirectoryUserChange): Promise<void> {
    await this.#database.updateTable('directory_users').set(change).where('id', '=', id).execute();
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('directory_users').where('id', '=', id).execute();
  }

  /** Marks accounts that directories may no longer enable, because an admin has banned them. */
  async keepDisabled(userId: number): Promise<void> {
    await this.#database
      .updateTable('directory_users')
      .set({ is_account_disabled: 0 })
      .where('user_id', '=', userId)
      .execute();
  }

  /** Removes users whose account was deleted. */
  async removeStale(organizationId: number): Promise<void> {
    await this.#database
      .deleteFrom('directory_users')
      .where('organization_id', '=', organizationId)
      .where('user_id', 'in', (query) =>
        query.selectFrom('users').select('id').where('status', '=', userStatus.deleted),
      )
      .execute();
  }

  #of(organizationId: number) {
    return this.#database
      .selectFrom('directory_users')
      .innerJoin('users', 'users.id', 'directory_users.user_id')
      .leftJoin('managed_accounts', (join) =>
        join
          .onRef('managed_accounts.user_id', '=', 'directory_users.user_id')
          .onRef('managed_accounts.organization_id', '=', 'directory_users.organization_id'),
      )
      .selectAll('directory_users')
      .select(['users.username', 'managed_accounts.user_id as managed_id'])
      .where('directory_users.organization_id', '=', organizationId)
      .where('users.status', '<>', userStatus.deleted);
  }
}

function comparisonOf({ attribute, value }: Condition): RawBuilder<SqlBool> {
  const [column, form] = comparisons[attribute] ?? [];
  const stored = form?.(value);
  if (column === undefined || stored === undefined) return sql<SqlBool>`1 = 0`;
  return sql<SqlBool>`${sql.ref(`directory_users.${column}`)} = ${stored}`;
}

export type DirectoryUserRow = NonNullable<Awaited<ReturnType<DirectoryUserRepository['find']>>>;
