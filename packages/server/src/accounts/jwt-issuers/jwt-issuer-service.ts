import { type JwtIssuer, type jwtIssuerApi, maxJwtIssuers, type Parsed } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { isPublicUrl } from '../../platform/outgoing/request-json.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { OrganizationRow } from '../organizations/membership-service.ts';
import type { OrganizationAccess } from '../organizations/organization-access.ts';
import type { ClaimToken, JwtIssuerRepository, JwtIssuerRow } from './jwt-issuer-repository.ts';

export type { JwtIssuerRow };

type Creation = Parsed<typeof jwtIssuerApi.create>['body'];
type Update = Parsed<typeof jwtIssuerApi.update>['body'];

interface JwtIssuerServiceDependencies {
  readonly access: OrganizationAccess;
  readonly jwtIssuers: JwtIssuerRepository;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

interface Work {
  readonly transaction: Transaction;
  readonly organization: OrganizationRow;
  readonly rows: JwtIssuerRepository;
}

interface Urls {
  readonly issuer: string;
  readonly keys_url: string;
}

/** Issuers of JWTs that an organization accepts as API credentials, managed by its owners. */
export class JwtIssuerService {
  readonly #dependencies: JwtIssuerServiceDependencies;

  constructor(dependencies: JwtIssuerServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(actor: UserRow, id: number): Promise<JwtIssuer[]> {
    await this.#dependencies.access.require(actor, id, 'manage_sign_in');
    return (await this.#dependencies.jwtIssuers.of(id)).map(present);
  }

  create(actor: UserRow, id: number, { values, blocked_subjects, is_enabled, ...given }: Creation): Promise<JwtIssuer> {
    return this.#change(actor, id, async ({ transaction, organization, rows }) => {
      if (organization.sso_allowed !== 1) throw new ApiError('ssoNotAllowed');
      if ((await rows.of(id)).length >= maxJwtIssuers)
        throw new ApiError('tooManySsoObjects', { limit: String(maxJwtIssuers) });
      await this.#requireTokens(rows, id, [given.token_id, ...values.map(({ token_id }) => token_id)]);
      const issuer = {
        ...given,
        is_private_allowed: await this.#isPrivateAllowed(actor, rows, id, given),
        organization_id: id,
        blocked_subjects: blocked_subjects.join('\n'),
        is_enabled: Number(is_enabled),
        created_time: nowInSeconds(),
      };
      const inserted = await rows.insert(issuer, values);
      if (inserted === undefined) throw new ApiError('jwtIssuerTaken');
      const logged = { user: actor.username, issuer: given.name, url: given.issuer };
      await this.#dependencies.logs.recordManagement(
        transaction,
        organization,
        'organization.jwt_issuer_created',
        logged,
      );
      return present(found(await rows.find(id, inserted)));
    });
  }

  update(actor: UserRow, id: number, { id: issuerId, values, ...given }: Update): Promise<JwtIssuer> {
    return this.#change(actor, id, async ({ transaction, organization, rows }) => {
      const before = found(await rows.find(id, issuerId));
      const { blocked_subjects: blocked, is_enabled, ...plain } = given;
      await this.#requireTokens(rows, id, newTokens(before, [given.token_id ?? 0], values ?? []));
      const urls = { issuer: given.issuer ?? before.issuer, keys_url: given.keys_url ?? before.keys_url };
      const isMoved = urls.issuer !== before.issuer || urls.keys_url !== before.keys_url;
      const change = {
        ...defined(plain),
        ...(blocked && { blocked_subjects: blocked.join('\n') }),
        ...(is_enabled !== undefined && { is_enabled: Number(is_enabled) }),
        ...(isMoved && { is_private_allowed: await this.#isPrivateAllowed(actor, rows, id, urls) }),
      };
      if (!(await rows.update(issuerId, change, values))) throw new ApiError('jwtIssuerTaken');
      const fields = Object.keys(defined({ ...given, values })).join(', ');
      const logged = { user: actor.username, issuer: before.name, fields };
      await this.#dependencies.logs.recordManagement(
        transaction,
        organization,
        'organization.jwt_issuer_updated',
        logged,
      );
      return present(found(await rows.find(id, issuerId)));
    });
  }

  remove(actor: UserRow, id: number, issuerId: number): Promise<void> {
    return this.#change(actor, id, async ({ transaction, organization, rows }) => {
      const { name } = found(await rows.find(id, issuerId));
      await rows.remove(issuerId);
      const logged = { user: actor.username, issuer: name };
      await this.#dependencies.logs.recordManagement(
        transaction,
        organization,
        'organization.jwt_issuer_deleted',
        logged,
      );
    });
  }

  /**
   * Owners can set public https URLs only, and no issuer of another organization: otherwise a JWT with several audiences
   * could be charged to, and its requests seen by, the wrong organization.
   */
  async #isPrivateAllowed(actor: UserRow, rows: JwtIssuerRepository, id: number, urls: Urls): Promise<number> {
    if (this.#dependencies.access.isGatewayAdmin(actor)) return 1;
    for (const address of [urls.issuer, urls.keys_url]) {
      const url = URL.parse(address);
      if (address !== '' && (!url || !isPublicUrl(url))) throw new ApiError('ssoIssuerPrivate');
    }
    if (await rows.isUsedByOthers(id, urls.issuer)) throw new ApiError('jwtIssuerTaken');
    return 0;
  }

  async #requireTokens(rows: JwtIssuerRepository, id: number, given: readonly number[]): Promise<void> {
    const ids = [...new Set(given)].filter((each) => each !== 0);
    const usable = await rows.serviceTokens(id, ids);
    if (ids.some((each) => !usable.has(each))) throw new ApiError('jwtTokenUnknown');
  }

  #change<Result>(actor: UserRow, id: number, work: (work: Work) => Promise<Result>): Promise<Result> {
    const { access, jwtIssuers, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'manage_sign_in');
      transaction.changed('jwt_issuers');
      return work({ transaction, organization, rows: jwtIssuers.within(transaction) });
    });
  }
}

/** A token that was deleted later must not prevent other changes. */
function newTokens(before: JwtIssuerRow, ids: readonly number[], values: readonly ClaimToken[]): readonly number[] {
  const known = new Set([before.token_id, ...before.values.map(({ token_id }) => token_id)]);
  return [...ids, ...values.map(({ token_id }) => token_id)].filter((id) => !known.has(id));
}

function present(row: JwtIssuerRow): JwtIssuer {
  const { organization_id: _organization, is_private_allowed: _allowed, blocked_subjects, is_enabled, ...rest } = row;
  return {
    ...rest,
    values: [...row.values],
    blocked_subjects: blocked_subjects === '' ? [] : blocked_subjects.split('\n'),
    is_enabled: is_enabled === 1,
  };
}

type Defined<Values> = { [Key in keyof Values]?: Exclude<Values[Key], undefined> };

const defined = <Values extends object>(values: Values): Defined<Values> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Defined<Values>;

function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new ApiError('notFound');
  return row;
}
