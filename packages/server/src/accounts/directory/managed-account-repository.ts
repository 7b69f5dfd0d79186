import { type OrganizationRole, role, tokenStatus } from '@headgate/contract';
import type { Database } from '../../platform/db/database.ts';
import type { Transaction } from '../../platform/db/transaction.ts';

/** Accounts created by organizations, and the API tokens that a directory disabled together with a member. */
export class ManagedAccountRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): ManagedAccountRepository {
    return new ManagedAccountRepository(transaction.database);
  }

  async insert(user_id: number, organization_id: number): Promise<void> {
    await this.#database.insertInto('managed_accounts').values({ user_id, organization_id }).execute();
  }

  async remove(userId: number): Promise<void> {
    await this.#database.deleteFrom('managed_accounts').where('user_id', '=', userId).execute();
  }

  /** True if the organization created the account, and it is still an ordinary user. */
  async isManagedBy(userId: number, organizationId: number): Promise<boolean> {
    const row = await this.#database
      .selectFrom('managed_accounts')
      .innerJoin('users', 'users.id', 'managed_accounts.user_id')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('organization_id', '=', organizationId)
      .where('users.role', '=', role.common)
      .executeTakeFirst();
    return row !== undefined;
  }

  async managerOf(userId: number): Promise<number | undefined> {
    const row = await this.#database
      .selectFrom('managed_accounts')
      .select('organization_id')
      .where('user_id', '=', userId)
      .executeTakeFirst();
    return row?.organization_id;
  }

  /** Common user with this address who has joined the organization. Account addresses are verified. */
  memberWithEmail(organizationId: number, emails: readonly string[]) {
    if (emails.length === 0) return Promise.resolve(undefined);
    return this.#database
      .selectFrom('organization_members')
      .innerJoin('users', 'users.id', 'organization_members.user_id')
      .select(['users.id', 'users.role'])
      .where('organization_members.organization_id', '=', organizationId)
      .where('users.email', 'in', emails)
      .orderBy('users.id')
      .executeTakeFirst();
  }

  async hasOtherMemberships(userId: number, organizationId: number): Promise<boolean> {
    const row = await this.#database
      .selectFrom('organization_members')
      .select('id')
      .where('user_id', '=', userId)
      .where('organization_id', '<>', organizationId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Records the enabled API tokens of a member, which ending the membership disables. Returns their number. */
  async rememberTokens(organizationId: number, userId: number, directoryUserId: number): Promise<number> {
    const tokens = await this.#database
      .selectFrom('tokens')
      .select('id')
      .where('user_id', '=', organizationId)
      .where('creator_id', '=', userId)
      .where('status', '=', tokenStatus.enabled)
      .execute();
    for (const { id } of tokens)
      await this.#database
        .insertInto('directory_disabled_tokens')
        .values({ token_id: id, directory_user_id: directoryUserId })
        .onConflict((conflict) => conflict.column('token_id').doUpdateSet({ directory_user_id: directoryUserId }))
        .execute();
    return tokens.length;
  }

  /**
   * Enables the recorded API tokens that still belong to the member and are not locked by an admin. Returns their ids.
   */
  async enableTokens(organizationId: number, userId: number, directoryUserId: number): Promise<number[]> {
    const recorded = this.#database
      .selectFrom('directory_disabled_tokens')
      .select('token_id')
      .where('directory_user_id', '=', directoryUserId);
    const rows = await this.#database
      .updateTable('tokens')
      .set({ status: tokenStatus.enabled })
      .where('id', 'in', recorded)
      .where('user_id', '=', organizationId)
      .where('creator_id', '=', userId)
      .where('status', '=', tokenStatus.disabled)
      .where('is_locked', '=', 0)
      .where('user_id', 'in', (query) => query.selectFrom('users').select('id').where('tokens_locked', '=', 0))
      .returning('id')
      .execute();
    await this.#database
      .deleteFrom('directory_disabled_tokens')
      .where('directory_user_id', '=', directoryUserId)
      .execute();
    return rows.map(({ id }) => id);
  }
}

/** Role before deactivation, which the directory may restore; undefined: the role of the groups. */
export const roleToRestore = (former: string, roles: readonly OrganizationRole[]): OrganizationRole | undefined =>
  roles.find((each) => each === former && each !== 'owner');
