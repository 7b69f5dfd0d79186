import { randomBytes } from 'node:crypto';
import { logType, role, type SsoProviderSummary, userStatus } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { OutgoingError } from '../../platform/outgoing/request-json.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { TicketService } from '../../platform/tickets/ticket-service.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { DirectoryUserService } from '../directory/directory-user-service.ts';
import type { ManagedAccountService } from '../directory/managed-account-service.ts';
import type { MembershipService } from '../organizations/membership-service.ts';
import type { OidcAccount, OidcClient, OidcRegistration } from '../sign-in/oidc-client.ts';
import { providerErrorFor } from '../sign-in/provider-errors.ts';
import type { UserService } from '../users/user-service.ts';
import type { SsoAccountService, SsoSignIn } from './sso-account-service.ts';
import { domainOf, readRole } from './sso-claims.ts';
import type { SsoProviderService } from './sso-provider-service.ts';
import type { ProviderRow, SsoRepository } from './sso-repository.ts';

interface SsoSignInServiceDependencies {
  readonly sso: SsoRepository;
  readonly ssoAccounts: SsoAccountService;
  readonly ssoProviders: Pick<SsoProviderService, 'redirectUri'>;
  readonly directoryUsers: DirectoryUserService;
  readonly managedAccounts: ManagedAccountService;
  readonly memberships: MembershipService;
  readonly users: UserService;
  readonly oidc: OidcClient;
  readonly tickets: TicketService;
  readonly box: SecretBox;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
  readonly onFailure: (provider: string, error: Error) => void;
}

interface Discovery {
  readonly email?: string | undefined;
  readonly organization?: string | undefined;
}

interface Start {
  readonly caller: UserRow | undefined;
  /** True if the caller asked to link the provider, and has proved their identity. */
  readonly link: boolean;
  readonly browser: string;
}

interface Return {
  readonly code: string;
  readonly state: string;
  readonly iss: string | undefined;
  readonly caller: UserRow | undefined;
  readonly browser: string | undefined;
}

interface StoredSignIn {
  readonly provider: number;
  readonly verifier: string;
  readonly nonce: string;
  readonly link: boolean;
}

/** Signs in through organizations' providers, and applies the roles that they assign. */
export class SsoSignInService {
  readonly #dependencies: SsoSignInServiceDependencies;

  constructor(dependencies: SsoSignInServiceDependencies) {
    this.#dependencies = dependencies;
  }

  discover({ email, organization }: Discovery): Promise<SsoProviderSummary[]> {
    const { sso } = this.#dependencies;
    if (email !== undefined) return sso.atDomain(domainOf(email));
    return organization === undefined ? Promise.resolve([]) : sso.ofOrganization(organization);
  }

  /** Names of a usable provider and its organization. */
  async provider(id: number): Promise<SsoProviderSummary> {
    const choice = await this.#dependencies.sso.choice(id);
    if (!choice) throw new ApiError('ssoProviderOff');
    return choice;
  }

  /** URL of the provider's authorization page. */
  async begin(id: number, { caller, link, browser }: Start): Promise<string> {
    const provider = await this.#usable(id);
    const detail: StoredSignIn = { provider: id, verifier: secret(), nonce: secret(), link };
    const { tickets, oidc } = this.#dependencies;
    const state = await tickets.issue({ purpose: 'sso', browser, userId: caller?.id ?? 0, detail });
    return this.#send(provider, () => oidc.page(this.#registration(provider), { ...detail, state }));
  }

  /** The user to sign in; undefined when the provider was linked to the signed-in caller. */
  async finish(id: number, { code, state, iss, caller, browser }: Return): Promise<UserRow | undefined> {
    const provider = await this.#usable(id);
    const ticket = await this.#dependencies.tickets.redeem('sso', state, browser);
    const detail = ticket?.detail as StoredSignIn | undefined;
    // The redirect URI must belong to the provider with which the sign-in started: no provider receives another one's
    // code.
    if (!detail || detail.provider !== id || ticket?.userId !== (caller?.id ?? 0))
      throw new ApiError('signInStateInvalid');
    const registration = this.#registration(provider);
    const account = await this.#send(provider, async () => {
      const found = await this.#dependencies.oidc.account(registration, code, { ...detail, iss });
      // The client trims subjects; here two subjects that differ in white space are two people.
      if (found.claims['sub'] === found.sub) return found;
      throw new OutgoingError('unreadable', 'the subject has white space around it');
    });
    const known = await this.#dependencies.sso.userOf(id, account.sub);
    if (!caller || known === caller.id) return this.#enter(provider, account);
    // Opening a link to the sign-in page must not link the account of the signed-in user.
    if (!detail.link) throw new ApiError('signInStateInvalid');
    await this.#link(provider, account, caller);
    return undefined;
  }

  own({ id }: UserRow): Promise<SsoProviderSummary[]> {
    return this.#dependencies.sso.ofUser(id);
  }

  /** Managed accounts stay linked, because the organization decides how they sign in. */
  unlink(caller: UserRow, providerId: number): Promise<void> {
    const { sso, managedAccounts, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      if ((await managedAccounts.managerOf(transaction, caller.id)) !== undefined) throw new ApiError('notAllowed');
      const name = await sso.within(transaction).unlink(providerId, caller.id);
      if (name === undefined) throw new ApiError('notFound');
      await this.#record(transaction, caller, 'organization.sso_unlinked', name);
    });
  }

  /** Throws if an organization requires SSO for this account. Called by all other sign-in methods. */
  async requireNone(user: UserRow): Promise<void> {
    const organization = await this.#dependencies.sso.requiredFor(user.id);
    if (organization !== undefined) throw new ApiError('ssoRequired', { organization });
  }

  async #usable(id: number): Promise<ProviderRow> {
    const provider = await this.#dependencies.sso.usable(id);
    if (!provider) throw new ApiError('ssoProviderOff');
    return provider;
  }

  #registration(provider: ProviderRow): OidcRegistration {
    const { ssoProviders, box } = this.#dependencies;
    const redirectUri = ssoProviders.redirectUri(provider.id);
    if (redirectUri === undefined) throw new ApiError('signInAddressNeeded');
    const secret = provider.secret_sealed === '' ? '' : box.open(provider.secret_sealed);
    const scopes = provider.scopes.split(' ').filter((scope) => scope !== '' && scope !== 'openid');
    return {
      address: provider.issuer,
      client: { id: provider.client_id, secret },
      scope: ['openid', ...scopes].join(' '),
      redirectUri,
      isPublicOnly: provider.is_private_allowed !== 1,
    };
  }

  /** The provider's failures become our own error messages and contain nothing that was sent. */
  async #send<Result>(provider: ProviderRow, question: () => Promise<Result>): Promise<Result> {
    try {
      return await question();
    } catch (error) {
      const rejection = providerErrorFor({ en: provider.name, zh: provider.name }, error);
      if (!rejection) throw error;
      this.#dependencies.onFailure(`sso ${provider.id}`, error as Error);
      throw rejection;
    }
  }

  async #enter(asked: ProviderRow, account: OidcAccount): Promise<UserRow> {
    const { sso, ssoAccounts, users, memberships, inTransaction } = this.#dependencies;
    const { user, isMember } = await inTransaction(async (transaction) => {
      const rows = sso.within(transaction);
      // The account is locked before the organization, in the order in which accounts are closed.
      const known = await rows.userOf(asked.id, account.sub);
      if (known !== undefined) await users.findLocked(transaction, known);
      const organization = await memberships.lock(transaction, asked.organization_id);
      const provider = await this.#unchanged(transaction, asked);
      const signIn = { organization, provider, account };
      const linked = await rows.userOf(provider.id, account.sub);
      const user =
        linked === undefined ? await ssoAccounts.first(transaction, signIn) : await users.lock(transaction, linked);
      if (user.role !== role.common) throw new ApiError('ssoForAdmins');
      if (user.status !== userStatus.enabled) throw new ApiError('userBanned');
      await this.#requireNoOtherManager(transaction, user, organization.id);
      if (linked !== undefined) await this.#requireAccess(transaction, user, organization.id);
      await this.#applyRole(transaction, signIn, { user, isNew: linked === undefined });
      return { user, isMember: (await memberships.find(transaction, organization.id, user.id)) !== undefined };
    });
    // Thrown after the commit, so that a lost role is stored.
    if (!isMember) throw new ApiError('ssoNoAccess');
    return user;
  }

  /** The provider in this transaction. After a change to another issuer or client, its subject is another person. */
  async #unchanged(transaction: Transaction, { id, issuer, client_id }: ProviderRow): Promise<ProviderRow> {
    const provider = await this.#dependencies.sso.within(transaction).usable(id);
    if (provider?.issuer !== issuer || provider.client_id !== client_id) throw new ApiError('ssoProviderOff');
    return provider;
  }

  /** An account that one organization manages is closed to the providers of all others. */
  async #requireNoOtherManager(transaction: Transaction, { id }: UserRow, organizationId: number): Promise<void> {
    const manager = await this.#dependencies.managedAccounts.managerOf(transaction, id);
    if (manager !== undefined && manager !== organizationId) throw new ApiError('ssoNotLinked');
  }

  /** Once a user with an own account is no member any more, the provider neither opens it nor adds the user again. */
  async #requireAccess(transaction: Transaction, { id }: UserRow, organizationId: number): Promise<void> {
    const { managedAccounts, memberships } = this.#dependencies;
    if (await managedAccounts.isManagedBy(transaction, id, organizationId)) return;
    if (!(await memberships.find(transaction, organizationId, id))) throw new ApiError('ssoNoAccess');
  }

  /** Changes and removes only memberships that this provider added. Owners keep their role. */
  async #applyRole(
    transaction: Transaction,
    { organization, provider, account }: SsoSignIn,
    { user, isNew }: { readonly user: UserRow; readonly isNew: boolean },
  ): Promise<void> {
    const { memberships, directoryUsers } = this.#dependencies;
    const given = readRole(account.claims, provider);
    const source = sourceOf(provider);
    const member = await memberships.find(transaction, organization.id, user.id);
    if (!member) {
      // A directory takes precedence for its users, and a removed member is not added again without a role from the
      // claim.
      const isProvisioned = await directoryUsers.isProvisioned(transaction, organization.id, user.id);
      if (isProvisioned || given === 'none' || (given === 'unchanged' && !isNew)) return;
      const added = given === 'unchanged' ? 'member' : given;
      await memberships.add(transaction, organization, user, { role: added, source });
    } else if (member.source === source && member.role !== 'owner' && given !== 'unchanged') {
      if (given === 'none') await memberships.remove(transaction, organization, member, { by: `@${source}` });
      else await memberships.setRole(transaction, organization, member, { role: given, by: `@${source}` });
    }
  }

  /** Lets the provider sign in to the account of the caller, who is a member of the organization. */
  #link(asked: ProviderRow, { sub }: OidcAccount, caller: UserRow): Promise<void> {
    const { sso, users, memberships, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const user = await users.lock(transaction, caller.id);
      if (user.role !== role.common) throw new ApiError('ssoForAdmins');
      await this.#requireNoOtherManager(transaction, user, asked.organization_id);
      await memberships.lock(transaction, asked.organization_id);
      const provider = await this.#unchanged(transaction, asked);
      if (!(await memberships.find(transaction, provider.organization_id, user.id)))
        throw new ApiError('ssoNotInvited');
      if (!(await sso.within(transaction).link(provider.id, sub, user.id)))
        throw new ApiError('identityTaken', { provider: provider.name });
      await this.#record(transaction, user, 'organization.sso_linked', provider.name);
    });
  }

  async #record(
    transaction: Transaction,
    user: UserRow,
    event: 'organization.sso_linked' | 'organization.sso_unlinked',
    provider: string,
  ): Promise<void> {
    const values = { member: user.username, provider };
    await this.#dependencies.logs.record(transaction, { type: logType.system, event, user, values });
  }
}

/** Membership source of members added by a provider. */
const sourceOf = ({ id }: ProviderRow): string => `sso:${id}`;

const secret = () => randomBytes(32).toString('base64url');
