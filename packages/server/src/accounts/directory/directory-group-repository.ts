import type { DirectoryGroup, DirectoryRole } from '@headgate/contract';
import { type Insertable, type RawBuilder, type SqlBool, sql, type Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { parseId } from '../../platform/db/paging.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { directoryKey, type PageSlice } from './directory-user-repository.ts';
import type { Condition } from './scim-path.ts';

type NewDirectoryGroup = Omit<Insertable<Schema['directory_groups']>, 'id' | 'role'>;
type DirectoryGroupChange = Omit<Updateable<Schema['directory_groups']>, 'id' | 'organization_id'>;

/** Rows of one statement that adds members. */
const rowsAtOnce = 500;

/** Attributes that a group filter can compare, in lowercase. */
export const groupFilterAttributes: readonly string[] = ['id', 'displayname', 'externalid', 'members'];

/** Groups of directories with their members. */
export class DirectoryGroupRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): DirectoryGroupRepository {
    return new DirectoryGroupRepository(transaction.database);
  }

  /** By id. */
  async page(organizationId: number, conditions: readonly Condition[], { offset, limit }: PageSlice) {
    const query = this.#of(organizationId).where((where) => where.and(conditions.map(comparisonOf)));
    const { total } = await query
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    const rows = limit === 0 ? [] : await query.orderBy('id').offset(offset).limit(limit).execute();
    return { rows, total };
  }

  find(organizationId: number, id: number) {
    return this.#of(organizationId).where('id', '=', id).executeTakeFirst();
  }

  findByName(organizationId: number, name: string) {
    return this.#of(organizationId).where('name_key', '=', directoryKey(name)).executeTakeFirst();
  }

  /** With the number of members, by name. */
  list(organizationId: number): Promise<DirectoryGroup[]> {
    return this.#database
      .selectFrom('directory_groups')
      .select(['id', 'name', 'external_id', 'role'])
      .select((select) =>
        select
          .selectFrom('directory_group_members')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('group_id', '=', 'directory_groups.id')
          .$asScalar()
          .$notNull()
          .as('members'),
      )
      .where('organization_id', '=', organizationId)
      .orderBy('name_key')
      .execute();
  }

  async count(organizationId: number): Promise<number> {
    const { total } = await this.#of(organizationId)
      .clearSelect()
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return total;
  }

  async insert(group: NewDirectoryGroup): Promise<number> {
    const { id } = await this.#database
      .insertInto('directory_groups')
      .values(group)
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  async update(id: number, change: DirectoryGroupChange): Promise<void> {
    await this.#database.updateTable('directory_groups').set(change).where('id', '=', id).execute();
  }

  async remove(id: number): Promise<void> {
    await this.#database.deleteFrom('directory_groups').where('id', '=', id).execute();
  }

  /** Members of groups with their user names, by id. */
  membersOf(groups: readonly number[]) {
    if (groups.length === 0) return Promise.resolve([]);
    return this.#database
      .selectFrom('directory_group_members')
      .innerJoin('directory_users', 'directory_users.id', 'directory_user_id')
      .select(['group_id', 'directory_users.id', 'directory_users.user_id', 'user_name'])
      .where('group_id', 'in', groups)
      .orderBy('directory_users.id')
      .execute();
  }

  async addMembers(group_id: number, ids: readonly number[]): Promise<void> {
    for (let start = 0; start < ids.length; start += rowsAtOnce) {
      const rows = ids.slice(start, start + rowsAtOnce).map((directory_user_id) => ({ group_id, directory_user_id }));
      await this.#database
        .insertInto('directory_group_members')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  }

  async removeMembers(groupId: number, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await this.#database
      .deleteFrom('directory_group_members')
      .where('group_id', '=', groupId)
      .where('directory_user_id', 'in', ids)
      .execute();
  }

  /** Mapped roles of the users of an organization's directory, by the id of the account. */
  async mappedRoles(organizationId: number): Promise<ReadonlyMap<number, readonly DirectoryRole[]>> {
    const rows = await this.#database
      .selectFrom('directory_groups')
      .innerJoin('directory_group_members', 'group_id', 'directory_groups.id')
      .innerJoin('directory_users', 'directory_users.id', 'directory_user_id')
      .select(['directory_users.user_id', 'directory_groups.role'])
      .where('directory_groups.organization_id', '=', organizationId)
      .where('directory_users.organization_id', '=', organizationId)
      .execute();
    const byUser = Map.groupBy(rows, ({ user_id }) => user_id);
    return new Map(
      [...byUser].map(([user, mapped]) => [user, mapped.flatMap(({ role }) => (role === '' ? [] : [role]))]),
    );
  }

  #of(organizationId: number) {
    return this.#database.selectFrom('directory_groups').selectAll().where('organization_id', '=', organizationId);
  }
}

function comparisonOf({ attribute, value }: Condition): RawBuilder<SqlBool> {
  const id = parseId(value);
  switch (attribute) {
    case 'displayname':
      return sql<SqlBool>`name_key = ${directoryKey(value)}`;
    case 'externalid':
      return sql<SqlBool>`external_id = ${value}`;
    case 'id':
      return id === undefined ? sql<SqlBool>`1 = 0` : sql<SqlBool>`id = ${id}`;
    case 'members':
      return id === undefined
        ? sql<SqlBool>`1 = 0`
        : sql<SqlBool>`id in (select group_id from directory_group_members where directory_user_id = ${id})`;
    default:
      return sql<SqlBool>`1 = 0`;
  }
}

export type DirectoryGroupRow = NonNullable<Awaited<ReturnType<DirectoryGroupRepository['find']>>>;
