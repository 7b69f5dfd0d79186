import {
  maxSsoProviders,
  type organizationSsoApi,
  type Parsed,
  type SsoProvider,
  stripTrailingSlash,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { isPublicUrl } from '../../platform/outgoing/request-json.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { OrganizationRow } from '../organizations/membership-service.ts';
import type { OrganizationAccess } from '../organizations/organization-access.ts';
import type { SessionService } from '../sessions/session-service.ts';
import type { ProviderRow, SsoRepository } from './sso-repository.ts';

type Creation = Parsed<typeof organizationSsoApi.createProvider>['body'];
type Update = Parsed<typeof organizationSsoApi.updateProvider>['body'];
type Change = Omit<Update, 'id' | 'roles'>;

interface IssuerColumns {
  readonly issuer: string;
  readonly is_private_allowed: number;
}

interface SsoProviderServiceDependencies {
  readonly access: OrganizationAccess;
  readonly sso: SsoRepository;
  readonly sessions: Pick<SessionService, 'endOthers'>;
  readonly box: SecretBox;
  readonly home: PublicUrl;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

interface Work {
  readonly transaction: Transaction;
  readonly organization: OrganizationRow;
  readonly rows: SsoRepository;
}

/** Sign-in providers of organizations, managed by their owners. */
export class SsoProviderService {
  readonly #dependencies: SsoProviderServiceDependencies;

  constructor(dependencies: SsoProviderServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async settings(actor: UserRow, id: number): Promise<{ is_required: boolean }> {
    await this.#dependencies.access.require(actor, id, 'manage_sign_in');
    return { is_required: await this.#dependencies.sso.isRequired(id) };
  }

  /**
   * Requires managed accounts to sign in through a provider. Fails without a usable provider, so that they are not
   * locked out.
   */
  setRequired(actor: UserRow, id: number, isRequired: boolean): Promise<void> {
    return this.#change(actor, id, async ({ transaction, organization, rows }) => {
      if ((await rows.isRequired(id)) === isRequired) return;
      if (isRequired && organization.sso_allowed !== 1) throw new ApiError('ssoNotAllowed');
      if (isRequired && !(await rows.providers(id)).some(({ is_enabled }) => is_enabled === 1))
        throw new ApiError('ssoProviderNeeded');
      await rows.setRequired(id, isRequired);
      const event = isRequired ? 'organization.sso_required' : 'organization.sso_optional';
      await this.#dependencies.logs.recordManagement(transaction, organization, event, { user: actor.username });
    });
  }

  async list(actor: UserRow, id: number): Promise<SsoProvider[]> {
    await this.#dependencies.access.require(actor, id, 'manage_sign_in');
    return (await this.#dependencies.sso.providers(id)).map((row) => this.#present(row));
  }

  create(actor: UserRow, id: number, creation: Creation): Promise<SsoProvider> {
    const { client_secret, roles, is_enabled, trusts_usernames, ...given } = creation;
    return this.#change(actor, id, async ({ transaction, organization, rows }) => {
      if (organization.sso_allowed !== 1) throw new ApiError('ssoNotAllowed');
      if ((await rows.providers(id)).length >= maxSsoProviders)
        throw new ApiError('tooManySsoObjects', { limit: String(maxSsoProviders) });
      const provider = {
        ...given,
        ...this.#issuerColumns(actor, given.issuer),
        organization_id: id,
        secret_sealed: this.#seal(client_secret),
        is_enabled: Number(is_enabled),
        trusts_usernames: Number(trusts_usernames),
        created_time: nowInSeconds(),
      };
      const inserted = await rows.insertProvider(provider, roles);
      if (inserted === undefined) throw new ApiError('ssoNameTaken');
      const values = { user: actor.username, provider: given.name, issuer: provider.issuer };
      await this.#dependencies.logs.recordManagement(
        transaction,
        organization,
        'organization.provider_created',
        values,
      );
      return this.#present(found(await rows.provider(id, inserted)));
    });
  }

  /**
   * Another issuer or client clears the secret, unless a new one is given, and the linked accounts, because their
   * subjects belong to the previous issuer.
   */
  update(actor: UserRow, id: number, { id: providerId, roles, ...given }: Update): Promise<SsoProvider> {
    return this.#change(actor, id, async ({ transaction, organization, rows }) => {
      const before = found(await rows.provider(id, providerId));
      const { change, isMoved } = this.#changeOf(actor, before, given);
      if (!(await rows.updateProvider(providerId, change, roles))) throw new ApiError('ssoNameTaken');
      if (isMoved || given.is_enabled === false) await this.#endSessions(transaction, rows, providerId);
      if (isMoved) await rows.unlinkAll(providerId);
      const fields = Object.keys(defined({ ...given, roles })).join(', ');
      const values = { user: actor.username, provider: before.name, fields };
      await this.#dependencies.logs.recordManagement(
        transaction,
        organization,
        'organization.provider_updated',
        values,
      );
      return this.#present(found(await rows.provider(id, providerId)));
    });
  }

  remove(actor: UserRow, id: number, providerId: number): Promise<void> {
    return this.#change(actor, id, async ({ transaction, organization, rows }) => {
      const { name } = found(await rows.provider(id, providerId));
      await this.#endSessions(transaction, rows, providerId);
      await rows.removeProvider(providerId);
      const values = { user: actor.username, provider: name };
      await this.#dependencies.logs.recordManagement(
        transaction,
        organization,
        'organization.provider_deleted',
        values,
      );
    });
  }

  /** Redirect URI of a provider. Each provider has its own, so that a code from one is never sent to another. */
  redirectUri(id: number): string | undefined {
    const { url } = this.#dependencies.home;
    return url === undefined ? undefined : `${url}/oauth/sso/${id}`;
  }

  /** An issuer that a gateway admin leaves unchanged may still be an owner's, so it stays limited to public addresses. */
  #issuerColumns(actor: UserRow, address: string, before?: ProviderRow): IssuerColumns {
    const issuer = stripTrailingSlash(address.replace(/\/\.well-known\/openid-configuration$/, ''));
    if (before?.issuer === issuer) return { issuer, is_private_allowed: before.is_private_allowed };
    const isByAdmin = this.#dependencies.access.isGatewayAdmin(actor);
    const url = URL.parse(issuer);
    if (!url || (!isByAdmin && !isPublicUrl(url))) throw new ApiError('ssoIssuerPrivate');
    return { issuer, is_private_allowed: Number(isByAdmin) };
  }

  #changeOf(actor: UserRow, before: ProviderRow, given: Change) {
    const { client_secret, is_enabled, trusts_usernames, issuer, ...plain } = given;
    const columns = issuer === undefined ? {} : this.#issuerColumns(actor, issuer, before);
    const after = { ...before, ...defined(plain), ...columns };
    const isMoved = after.issuer !== before.issuer || after.client_id !== before.client_id;
    const isSecretChanged = client_secret !== undefined || isMoved;
    const change = {
      ...defined(plain),
      ...columns,
      ...(is_enabled !== undefined && { is_enabled: Number(is_enabled) }),
      ...(trusts_usernames !== undefined && { trusts_usernames: Number(trusts_usernames) }),
      ...(isSecretChanged && { secret_sealed: this.#seal(client_secret ?? '') }),
    };
    return { change, isMoved };
  }

  /** Sessions do not record their sign-in method, so all sessions of the linked accounts end. */
  async #endSessions(transaction: Transaction, rows: SsoRepository, providerId: number): Promise<void> {
    const { sessions } = this.#dependencies;
    for (const userId of await rows.commonUsersOf(providerId)) await sessions.endOthers(transaction, userId, undefined);
  }

  #seal(secret: string): string {
    return secret === '' ? '' : this.#dependencies.box.seal(secret);
  }

  #present(provider: ProviderRow): SsoProvider {
    const { secret_sealed, is_enabled, trusts_usernames, is_private_allowed: _allowed, ...rest } = provider;
    const { organization_id: _id, ...row } = rest;
    return {
      ...row,
      roles: [...row.roles],
      has_secret: secret_sealed !== '',
      is_enabled: is_enabled === 1,
      trusts_usernames: trusts_usernames === 1,
      redirect_uri: this.redirectUri(row.id) ?? '',
    };
  }

  #change<Result>(actor: UserRow, id: number, work: (work: Work) => Promise<Result>): Promise<Result> {
    const { access, sso, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'manage_sign_in');
      return work({ transaction, organization, rows: sso.within(transaction) });
    });
  }
}

type Defined<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

const defined = <Values extends object>(values: Values): Defined<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ApiError('notFound');
  return row;
}
