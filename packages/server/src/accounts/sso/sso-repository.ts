import {
  type DirectoryRole,
  organizationPrefix,
  role,
  type SsoJoinMode,
  type SsoProviderSummary,
  userStatus,
} from '@headgate/contract';
import type { Insertable, Updateable } from 'kysely';
import type { Database } from '../../platform/db/database.ts';
import { isUniqueViolation } from '../../platform/db/database-errors.ts';
import { nameKey } from '../../platform/db/name-key.ts';
import type { Schema } from '../../platform/db/schema.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';

type NewProvider = Omit<Insertable<Schema['sso_providers']>, 'id'>;
type ProviderChange = Omit<Updateable<Schema['sso_providers']>, 'id' | 'organization_id'>;

export interface ClaimRole {
  readonly value: string;
  readonly role: DirectoryRole;
}

export interface ProviderRow {
  readonly id: number;
  readonly organization_id: number;
  readonly name: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly secret_sealed: string;
  readonly scopes: string;
  readonly roles_claim: string;
  readonly joining: SsoJoinMode;
  readonly is_enabled: number;
  readonly is_private_allowed: number;
  readonly trusts_usernames: number;
  readonly created_time: number;
  readonly roles: readonly ClaimRole[];
}

/** Sign-in providers of organizations, and the accounts that they sign in to. */
export class SsoRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  within(transaction: Transaction): SsoRepository {
    return new SsoRepository(transaction.database);
  }

  /** By name. */
  async providers(organizationId: number): Promise<ProviderRow[]> {
    const rows = await this.#database
      .selectFrom('sso_providers')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('name')
      .execute();
    return Promise.all(rows.map(async (row) => ({ ...row, roles: await this.#rolesOf(row.id) })));
  }

  async provider(organizationId: number, id: number): Promise<ProviderRow | undefined> {
    const row = await this.#database
      .selectFrom('sso_providers')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .executeTakeFirst();
    return row && { ...row, roles: await this.#rolesOf(row.id) };
  }

  /** A provider that can currently be used for sign-in. */
  async usable(id: number): Promise<ProviderRow | undefined> {
    const row = await this.#usable().selectAll('sso_providers').where('sso_providers.id', '=', id).executeTakeFirst();
    return row && { ...row, roles: await this.#rolesOf(row.id) };
  }

  /** Usable providers of the organization that has verified this domain. */
  atDomain(domain: string): Promise<SsoProviderSummary[]> {
    return this.#choices()
      .innerJoin('sso_domains', 'sso_domains.organization_id', 'sso_providers.organization_id')
      .where('sso_domains.domain', '=', domain)
      .where('sso_domains.verified_time', '>', 0)
      .execute();
  }

  /** Usable providers of the organization with this name. */
  ofOrganization(name: string): Promise<SsoProviderSummary[]> {
    return this.#choices()
      .where('account.name_key', '=', nameKey(`${organizationPrefix}${name}`))
      .execute();
  }

  /** A usable provider, as named on the sign-in page. */
  choice(id: number): Promise<SsoProviderSummary | undefined> {
    return this.#choices().where('sso_providers.id', '=', id).executeTakeFirst();
  }

  async isAnyUsable(): Promise<boolean> {
    return (await this.#choices().limit(1).executeTakeFirst()) !== undefined;
  }

  /** Undefined when the name is taken. */
  async insertProvider(provider: NewProvider, roles: readonly ClaimRole[]): Promise<number | undefined> {
    const row = await this.#database
      .insertInto('sso_providers')
      .values(provider)
      .onConflict((conflict) => conflict.columns(['organization_id', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row) await this.#insertRoles(row.id, roles);
    return row?.id;
  }

  /** False when the name is taken; the transaction must then be rolled back. */
  async updateProvider(id: number, change: ProviderChange, roles: readonly ClaimRole[] | undefined): Promise<boolean> {
    try {
      if (Object.keys(change).length > 0)
        await this.#database.updateTable('sso_providers').set(change).where('id', '=', id).execute();
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
    if (roles) {
      await this.#database.deleteFrom('sso_provider_roles').where('provider_id', '=', id).execute();
      await this.#insertRoles(id, roles);
    }
    return true;
  }

  async removeProvider(id: number): Promise<void> {
    await this.#database.deleteFrom('sso_providers').where('id', '=', id).execute();
  }

  /** The account of a subject. */
  async userOf(providerId: number, subject: string): Promise<number | undefined> {
    const row = await this.#database
      .selectFrom('sso_identities')
      .select('user_id')
      .where('provider_id', '=', providerId)
      .where('subject', '=', subject)
      .executeTakeFirst();
    return row?.user_id;
  }

  /** False if the subject or the account is already linked. */
  async link(providerId: number, subject: string, userId: number): Promise<boolean> {
    const row = await this.#database
      .insertInto('sso_identities')
      .values({ provider_id: providerId, subject, user_id: userId, created_time: nowInSeconds() })
      .onConflict((conflict) => conflict.doNothing())
      .returning('user_id')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Name of the provider; undefined if the account is not linked to it. */
  async unlink(providerId: number, userId: number): Promise<string | undefined> {
    const row = await this.#database
      .deleteFrom('sso_identities')
      .where('provider_id', '=', providerId)
      .where('user_id', '=', userId)
      .returning((row) =>
        row.selectFrom('sso_providers').select('name').where('id', '=', providerId).$asScalar().$notNull().as('name'),
      )
      .executeTakeFirst();
    return row?.name;
  }

  /** Linked users with the common role. */
  async commonUsersOf(providerId: number): Promise<number[]> {
    const rows = await this.#commonUsers().where('provider_id', '=', providerId).execute();
    return rows.map(({ id }) => id);
  }

  /** Users with the common role who are linked to the organization's providers. */
  async commonUsersOfOrganization(organizationId: number): Promise<number[]> {
    const rows = await this.#commonUsers().where('organization_id', '=', organizationId).distinct().execute();
    return rows.map(({ id }) => id);
  }

  /** Deletes the links: the same subject at another issuer is another person. */
  async unlinkAll(providerId: number): Promise<void> {
    await this.#database.deleteFrom('sso_identities').where('provider_id', '=', providerId).execute();
  }

  /** Unlinks a former member from the providers of the organization, except from accounts that it manages. */
  async endMembership(organizationId: number, userId: number): Promise<void> {
    const providers = this.#database
      .selectFrom('sso_providers')
      .select('id')
      .where('organization_id', '=', organizationId);
    const managed = this.#database
      .selectFrom('managed_accounts')
      .select('user_id')
      .where('organization_id', '=', organizationId);
    await this.#database
      .deleteFrom('sso_identities')
      .where('user_id', '=', userId)
      .where('provider_id', 'in', providers)
      .where('user_id', 'not in', managed)
      .execute();
  }

  /** Unlinks a closed account from all providers. */
  async unlinkUser(userId: number): Promise<void> {
    await this.#database.deleteFrom('sso_identities').where('user_id', '=', userId).execute();
  }

  /** Providers that an account is linked to. */
  ofUser(userId: number) {
    return this.#database
      .selectFrom('sso_identities')
      .innerJoin('sso_providers', 'sso_providers.id', 'sso_identities.provider_id')
      .innerJoin('organizations', 'organizations.id', 'sso_providers.organization_id')
      .select(['sso_providers.id', 'sso_providers.name', 'organizations.name as organization'])
      .where('sso_identities.user_id', '=', userId)
      .orderBy('organizations.name')
      .orderBy('sso_providers.name')
      .execute();
  }

  async isRequired(organizationId: number): Promise<boolean> {
    const row = await this.#database
      .selectFrom('organizations')
      .select('sso_required')
      .where('id', '=', organizationId)
      .executeTakeFirst();
    return row?.sso_required === 1;
  }

  async setRequired(organizationId: number, isRequired: boolean): Promise<void> {
    await this.#database
      .updateTable('organizations')
      .set({ sso_required: Number(isRequired) })
      .where('id', '=', organizationId)
      .execute();
  }

  /** Name of the organization whose providers a common, managed account must use, as long as it has one. */
  async requiredFor(userId: number): Promise<string | undefined> {
    const row = await this.#usable()
      .innerJoin('managed_accounts', 'managed_accounts.organization_id', 'organizations.id')
      .innerJoin('users', 'users.id', 'managed_accounts.user_id')
      .select('organizations.name')
      .where('managed_accounts.user_id', '=', userId)
      .where('organizations.sso_required', '=', 1)
      .where('users.role', '=', role.common)
      .executeTakeFirst();
    return row?.name;
  }

  #commonUsers() {
    return this.#database
      .selectFrom('sso_identities')
      .innerJoin('sso_providers', 'sso_providers.id', 'sso_identities.provider_id')
      .innerJoin('users', 'users.id', 'sso_identities.user_id')
      .select('users.id')
      .where('users.role', '=', role.common);
  }

  #choices() {
    return this.#usable()
      .select(['sso_providers.id', 'sso_providers.name', 'organizations.name as organization'])
      .orderBy('sso_providers.name');
  }

  #usable() {
    return this.#database
      .selectFrom('sso_providers')
      .innerJoin('organizations', 'organizations.id', 'sso_providers.organization_id')
      .innerJoin('users as account', 'account.id', 'organizations.id')
      .where('sso_providers.is_enabled', '=', 1)
      .where('organizations.sso_allowed', '=', 1)
      .where('account.status', '=', userStatus.enabled);
  }

  #rolesOf(providerId: number): Promise<ClaimRole[]> {
    return this.#database
      .selectFrom('sso_provider_roles')
      .select(['value', 'role'])
      .where('provider_id', '=', providerId)
      .orderBy('value')
      .execute();
  }

  async #insertRoles(provider_id: number, roles: readonly ClaimRole[]): Promise<void> {
    if (roles.length === 0) return;
    const rows = roles.map(({ value, role }) => ({ provider_id, value, role }));
    await this.#database
      .insertInto('sso_provider_roles')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
