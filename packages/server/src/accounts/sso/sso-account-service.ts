import { logType, role, type SsoJoinMode } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { stringField } from '../../platform/outgoing/request-json.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { DirectoryUserService } from '../directory/directory-user-service.ts';
import type { ManagedAccountService } from '../directory/managed-account-service.ts';
import type { MembershipService, OrganizationRow } from '../organizations/membership-service.ts';
import type { OidcAccount } from '../sign-in/oidc-client.ts';
import type { UserService } from '../users/user-service.ts';
import { domainOf, readRole, verifiedEmail } from './sso-claims.ts';
import type { SsoDomainRepository } from './sso-domain-repository.ts';
import type { ProviderRow, SsoRepository } from './sso-repository.ts';

interface SsoAccountServiceDependencies {
  readonly sso: SsoRepository;
  readonly ssoDomains: SsoDomainRepository;
  readonly directoryUsers: DirectoryUserService;
  readonly managedAccounts: ManagedAccountService;
  readonly memberships: MembershipService;
  readonly users: UserService;
  readonly logs: LogService;
}

export interface SsoSignIn {
  readonly organization: OrganizationRow;
  readonly provider: ProviderRow;
  readonly account: OidcAccount;
}

/**
 * Finds a person's account for a sign-in at an organization's provider. The owner of the organization controls
 * everything the provider says, so it opens only accounts that the organization created, accounts that their user has
 * linked, and accounts with an address at a domain that the organization has verified.
 */
export class SsoAccountService {
  readonly #dependencies: SsoAccountServiceDependencies;

  constructor(dependencies: SsoAccountServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Selects or creates the account for an unlinked subject and links it. The organization is locked. */
  async first(transaction: Transaction, signIn: SsoSignIn): Promise<UserRow> {
    const { sso } = this.#dependencies;
    const user =
      (await this.#provisioned(transaction, signIn)) ??
      (await this.#withVerifiedEmail(transaction, signIn)) ??
      (await this.#joined(transaction, signIn));
    const { provider, account } = signIn;
    // The account may already be linked to another subject of the provider.
    if (!(await sso.within(transaction).link(provider.id, account.sub, user.id))) throw new ApiError('ssoNotLinked');
    return user;
  }

  /** The managed account of a directory user. Linked accounts must be linked to the provider by their own user. */
  async #provisioned(transaction: Transaction, signIn: SsoSignIn): Promise<UserRow | undefined> {
    const { organization, provider, account } = signIn;
    const { directoryUsers, managedAccounts, users } = this.#dependencies;
    const { sub, claims } = account;
    // At many providers, users can change their own username.
    const username = provider.trusts_usernames === 1 ? stringField(claims, 'preferred_username') : '';
    const found = await directoryUsers.findForSignIn(transaction, organization.id, {
      externalIds: [sub, stringField(claims, 'oid')].filter((id) => id !== ''),
      userNames: [username, verifiedEmail(claims)].filter((name) => name !== ''),
    });
    if (!found) return undefined;
    if (found.is_active !== 1) throw new ApiError('ssoNoAccess');
    if (!(await managedAccounts.isManagedBy(transaction, found.user_id, organization.id)))
      throw new ApiError('ssoNotLinked');
    return users.lock(transaction, found.user_id);
  }

  /**
   * An existing common account whose verified address is at a verified domain, and that no other organization manages.
   */
  async #withVerifiedEmail(
    transaction: Transaction,
    { organization, provider, account }: SsoSignIn,
  ): Promise<UserRow | undefined> {
    const { ssoDomains, managedAccounts, memberships, users, logs } = this.#dependencies;
    const email = verifiedEmail(account.claims);
    if (email === '' || !(await ssoDomains.within(transaction).isVerifiedBy(organization.id, domainOf(email))))
      return undefined;
    const found = await users.findByEmailLocked(transaction, email);
    if (!found) return undefined;
    if (found.role !== role.common) throw new ApiError('ssoForAdmins');
    const manager = await managedAccounts.managerOf(transaction, found.id);
    if (manager !== undefined && manager !== organization.id) throw new ApiError('ssoNotLinked');
    if (!(await memberships.find(transaction, organization.id, found.id))) {
      if (provider.joining === 'off') throw new ApiError('ssoNotInvited');
      // Former members are added by people only, and a link without a membership would open the account later.
      const hasLeft = await memberships.hasLeft(transaction, organization.id, found.id);
      if (hasLeft || readRole(account.claims, provider) === 'none') throw new ApiError('ssoNoAccess');
    }
    const values = { member: found.username, provider: provider.name };
    await logs.record(transaction, { type: logType.system, event: 'organization.sso_linked', user: found, values });
    return found;
  }

  async #joined(transaction: Transaction, { organization, provider, account }: SsoSignIn): Promise<UserRow> {
    const email = verifiedEmail(account.claims);
    const isAtDomain =
      email !== '' &&
      (await this.#dependencies.ssoDomains.within(transaction).isVerifiedBy(organization.id, domainOf(email)));
    const mayJoin: Readonly<Record<SsoJoinMode, boolean>> = { off: false, domain: isAtDomain, all: true };
    if (!mayJoin[provider.joining]) throw new ApiError('ssoNotInvited');
    if (readRole(account.claims, provider) === 'none') throw new ApiError('ssoNoAccess');
    const login = stringField(account.claims, 'preferred_username') || stringField(account.claims, 'email');
    const names = [stringField(account.claims, 'name')];
    return this.#dependencies.managedAccounts.open(transaction, organization, {
      login,
      names,
      provider: provider.name,
    });
  }
}
