import { type OrganizationRole, userStatus } from '@headgate/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';

export interface NewMember {
  readonly organizationId: number;
  readonly userId: number;
  readonly role: OrganizationRole;
  readonly source: string;
}

/** Members of organizations with their names. */
export class OrganizationMemberRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): OrganizationMemberRepository {
    return new OrganizationMemberRepository(transaction.database);
  }

  /** By username. */
  of(organizationId: number) {
    return this.#all().where('organization_id', '=', organizationId).orderBy(sql`fold_case(users.username)`).execute();
  }

  async emailsOf(organizationId: number, roles: readonly OrganizationRole[]): Promise<string[]> {
    const rows = await this.#all()
      .where('organization_id', '=', organizationId)
      .where('organization_members.role', 'in', roles)
      .where('users.status', '=', userStatus.enabled)
      .orderBy('organization_members.id')
      .execute();
    return rows.flatMap(({ email }) => email || []);
  }

  async emailOf(id: number): Promise<string | undefined> {
    const row = await this.#all().where('organization_members.id', '=', id).executeTakeFirst();
    return row?.email ?? undefined;
  }

  find(organizationId: number, userId: number) {
    return this.#all()
      .where('organization_id', '=', organizationId)
      .where('organization_members.user_id', '=', userId)
      .executeTakeFirst();
  }

  /** Memberships added by this source, such as a sign-in provider. */
  addedBy(source: string, userId: number) {
    return this.#all().where('source', '=', source).where('organization_members.user_id', '=', userId).execute();
  }

  ofUser(userId: number) {
    return this.#all().where('organization_members.user_id', '=', userId).execute();
  }

  async count(organizationId: number): Promise<number> {
    const { count } = await this.#database
      .selectFrom('organization_members')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organization_id', '=', organizationId)
      .executeTakeFirstOrThrow();
    return count;
  }

  async countOwners(organizationId: number): Promise<number> {
    const { count } = await this.#database
      .selectFrom('organization_members')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('organization_id', '=', organizationId)
      .where('role', '=', 'owner')
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Undefined when the user is already a member. */
  async insert({ organizationId, userId, role, source }: NewMember): Promise<number | undefined> {
    const former = await this.#former(organizationId, userId);
    // Reuse the former member ID so that budget caps still apply after rejoining.
    const id = former !== undefined && former.member_id !== 0 ? { id: former.member_id } : {};
    const member = { organization_id: organizationId, user_id: userId, role, source, created_time: nowInSeconds() };
    const row = await this.#database
      .insertInto('organization_members')
      .values({ ...id, ...member })
      .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
      .returning('id')
      .executeTakeFirst();
    await this.#database
      .deleteFrom('former_members')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .execute();
    return row?.id;
  }

  async setRole(organizationId: number, userId: number, role: OrganizationRole): Promise<void> {
    await this.#database
      .updateTable('organization_members')
      .set({ role })
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .execute();
  }

  async remove(organizationId: number, userId: number): Promise<void> {
    const removed = await this.#database
      .deleteFrom('organization_members')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst();
    await this.#database
      .insertInto('former_members')
      .values({ organization_id: organizationId, user_id: userId, member_id: removed?.id ?? 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** True if the user was a member and has left or was removed. */
  async hasLeft(organizationId: number, userId: number): Promise<boolean> {
    return (await this.#former(organizationId, userId)) !== undefined;
  }

  #former(organizationId: number, userId: number) {
    return this.#database
      .selectFrom('former_members')
      .select('member_id')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .executeTakeFirst();
  }

  #all() {
    return this.#database
      .selectFrom('organization_members')
      .innerJoin('users', 'users.id', 'organization_members.user_id')
      .select(['organization_members.id', 'organization_id', 'organization_members.user_id'])
      .select(['organization_members.role', 'source', 'organization_members.created_time'])
      .select(['users.username', 'users.display_name', 'users.email', 'users.status']);
  }
}

export type MemberRow = NonNullable<Awaited<ReturnType<OrganizationMemberRepository['find']>>>;
