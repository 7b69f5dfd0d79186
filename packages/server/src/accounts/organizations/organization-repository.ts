import { randomBytes } from 'node:crypto';
import {
  type OrganizationRole,
  type organizationApi,
  organizationPrefix,
  type Parsed,
  role,
  userStatus,
} from '@headgate/contract';
import { sql } from 'kysely';
import { currentTable } from '../../platform/db/current-tables.ts';
import type { Database } from '../../platform/db/database.ts';
import { lockName } from '../../platform/db/locks.ts';
import { nameKey } from '../../platform/db/name-key.ts';
import { containsText, parseId, readPage } from '../../platform/db/paging.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { findLookalikes, lookalikeKey } from '../users/lookalike-names.ts';

type Listing = Parsed<typeof organizationApi.list>['query'];

export interface OrganizationRow {
  readonly id: number;
  readonly name: string;
  readonly created_time: number;
  readonly sso_allowed: number;
  readonly username: string;
  readonly status: number;
  readonly group: string;
  readonly quota: number;
  readonly used_quota: number;
  readonly members: number;
  /** Number of super admin owners. If above 0, other gateway admins cannot change the organization. */
  readonly root_owners: number;
}

const usernameOf = (name: string): string => `${organizationPrefix}${name}`;

/** Organizations with their accounts. Deleted ones are left out. */
export class OrganizationRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): OrganizationRepository {
    return new OrganizationRepository(transaction.database);
  }

  page({ keyword, sort, direction, status, ...page }: Listing) {
    let query = this.#all();
    if (status !== undefined) query = query.where('status', '=', status);
    if (keyword !== '') {
      query = query.where((where) =>
        where.or([where('organizations.id', '=', parseId(keyword) ?? -1), containsText(where, 'name', keyword)]),
      );
    }
    const column =
      sort === 'name' ? sql`fold_case(name)` : sql.ref(sort === undefined ? 'organizations.id' : sorted[sort]);
    return readPage(
      query.orderBy(column, sort === undefined ? 'desc' : direction).orderBy('organizations.id', 'desc'),
      page,
    );
  }

  /** By id. */
  all(): Promise<OrganizationRow[]> {
    return this.#all().orderBy('organizations.id').execute();
  }

  /** Organizations with one of these names or ids. */
  async named(names: readonly string[], ids: readonly number[]): Promise<OrganizationRow[]> {
    if (names.length === 0 && ids.length === 0) return [];
    const [isNamed, isKnown] = [new Set(names), new Set(ids)];
    return (await this.all()).filter(({ id, name }) => isNamed.has(name) || isKnown.has(id));
  }

  find(id: number): Promise<OrganizationRow | undefined> {
    return this.#all().where('organizations.id', '=', id).executeTakeFirst();
  }

  /** Organizations of a user with the user's roles, by name. */
  ofMember(userId: number): Promise<(OrganizationRow & { readonly role: OrganizationRole })[]> {
    return this.#all()
      .innerJoin('organization_members as own', 'own.organization_id', 'organizations.id')
      .select('own.role')
      .where('own.user_id', '=', userId)
      .orderBy(sql`fold_case(name)`)
      .orderBy('organizations.id')
      .execute();
  }

  /** Locks the organization until the transaction ends, so that changes of its members and objects are serialized. */
  async lock(id: number): Promise<void> {
    await this.#database.selectFrom('organizations').select('id').where('id', '=', id).forUpdate().execute();
  }

  /** Number of organizations that a user owns. Locks the user, so concurrent creations wait. */
  async countOwnedLocked(userId: number): Promise<number> {
    await this.#database.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute();
    const { count } = await this.#database
      .selectFrom('organization_members')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('user_id', '=', userId)
      .where('role', '=', 'owner')
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Creates the organization and its account. Undefined when the name or a lookalike is taken. */
  async insert(name: string, group: string): Promise<number | undefined> {
    if (await this.#isTaken(name, 0)) return undefined;
    const now = nowInSeconds();
    const { id } = await this.#database
      .insertInto('users')
      .values({
        username: usernameOf(name),
        name_key: nameKey(usernameOf(name)),
        display_name: name,
        kind: 'organization',
        role: role.common,
        status: userStatus.enabled,
        password_hash: null,
        inviter_id: 0,
        group,
        created_time: now,
        quota: 0,
        credited: 0,
        used_quota: 0,
        request_count: 0,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await this.#database.insertInto('organizations').values({ id, name, created_time: now }).execute();
    return id;
  }

  /** False when the name or a lookalike is taken. */
  async rename(id: number, name: string): Promise<boolean> {
    if (await this.#isTaken(name, id)) return false;
    await this.#database.updateTable('organizations').set({ name }).where('id', '=', id).execute();
    await this.#database
      .updateTable('users')
      .set({ username: usernameOf(name), name_key: nameKey(usernameOf(name)), display_name: name })
      .where('id', '=', id)
      .execute();
    return true;
  }

  async updateAccount(
    id: number,
    change: {
      readonly status?: number | undefined;
      readonly group?: string | undefined;
      readonly sso_allowed?: boolean | undefined;
    },
  ): Promise<void> {
    const { status, group, sso_allowed } = change;
    if (sso_allowed !== undefined)
      await this.#database
        .updateTable('organizations')
        .set({ sso_allowed: Number(sso_allowed) })
        .where('id', '=', id)
        .execute();
    if (status === undefined && group === undefined) return;
    const columns = { ...(status !== undefined && { status }), ...(group !== undefined && { group }) };
    await this.#database.updateTable('users').set(columns).where('id', '=', id).execute();
  }

  /**
   * Deletes the organization with its members, invitations, projects and service accounts. The account stays for the
   * ledger and logs, and is renamed so that the name becomes available.
   */
  async remove(id: number): Promise<void> {
    // Random, so that no user can take the name first.
    const username = `deleted_${randomBytes(16).toString('hex')}`;
    await this.#database.deleteFrom('organizations').where('id', '=', id).execute();
    await this.#database
      .updateTable('users')
      .set({ username, name_key: nameKey(username), status: userStatus.deleted })
      .where('id', '=', id)
      .execute();
  }

  async hasServiceAccount(id: number, account: number): Promise<boolean> {
    const row = await this.#database
      .selectFrom('service_accounts')
      .select('id')
      .where('organization_id', '=', id)
      .where('id', '=', account)
      .executeTakeFirst();
    return row !== undefined;
  }

  async #isTaken(name: string, id: number): Promise<boolean> {
    await lockName(this.#database, `${organizationPrefix}${lookalikeKey(name)}`);
    const keys = [name, ...findLookalikes(name)].map((each) => nameKey(usernameOf(each)));
    const taken = this.#database.selectFrom('users').select('id').where('id', '<>', id);
    const row = await taken
      .where((where) => where.or([where('name_key', 'in', keys), where('username', '=', usernameOf(name))]))
      .executeTakeFirst();
    return row !== undefined;
  }

  #all() {
    return this.#database
      .selectFrom(currentTable(this.#database, 'users'))
      .innerJoin('organizations', 'organizations.id', 'users.id')
      .select(['organizations.id', 'organizations.name', 'organizations.created_time', 'users.username'])
      .select('organizations.sso_allowed')
      .select(['users.status', 'users.group', 'users.quota', 'users.used_quota'])
      .select((select) =>
        select
          .selectFrom('organization_members as owning')
          .innerJoin('users as owner', 'owner.id', 'owning.user_id')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('owning.organization_id', '=', 'organizations.id')
          .where('owning.role', '=', 'owner')
          .where('owner.role', '=', role.root)
          .$asScalar()
          .$notNull()
          .as('root_owners'),
      )
      .select((select) =>
        select
          .selectFrom('organization_members')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .whereRef('organization_members.organization_id', '=', 'organizations.id')
          .$asScalar()
          .$notNull()
          .as('members'),
      );
  }
}

const sorted = {
  id: 'organizations.id',
  quota: 'users.quota',
  used_quota: 'users.used_quota',
  created_time: 'organizations.created_time',
} as const;
