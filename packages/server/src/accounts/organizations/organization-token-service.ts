import { isDeepStrictEqual } from 'node:util';
import {
  type LogEvent,
  logType,
  type OrganizationToken,
  type organizationTokenApi,
  type Parsed,
  projectStatus,
  type Token,
  tokenStatus,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { OwnedToken, TokenOwnership } from '../api-tokens/token-ownership.ts';
import type { TokenService } from '../api-tokens/token-service.ts';
import type { OrganizationAccess, OrganizationCaller } from './organization-access.ts';
import type { OrganizationMemberRepository } from './organization-member-repository.ts';
import type { OrganizationRow } from './organization-repository.ts';
import type { OrganizationTokenRepository, TokenPayer } from './organization-token-repository.ts';
import type { ProjectRepository } from './project-repository.ts';

type Listing = Parsed<typeof organizationTokenApi.list>['query'];
type Creation = Parsed<typeof organizationTokenApi.create>['body'];
type Update = Parsed<typeof organizationTokenApi.update>['body'];
type Move = Parsed<typeof organizationTokenApi.move>['body'];

interface OrganizationTokenServiceDependencies {
  readonly access: OrganizationAccess;
  readonly tokens: TokenService;
  readonly organizationTokens: OrganizationTokenRepository;
  readonly members: OrganizationMemberRepository;
  readonly projects: ProjectRepository;
  readonly managed: ManagedGuard;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

/** API tokens that an organization pays for, used by members and service accounts. */
export class OrganizationTokenService {
  readonly #dependencies: OrganizationTokenServiceDependencies;

  constructor(dependencies: OrganizationTokenServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Without keys. Callers who may not see all tokens see only their own. */
  async page(actor: UserRow, id: number, listing: Listing): Promise<{ rows: OrganizationToken[]; total: number }> {
    const caller = await this.#dependencies.access.require(actor, id, 'see');
    const own = caller.may('see_tokens') ? {} : { creator_id: actor.id };
    const { rows, total } = await this.#dependencies.tokens.page(id, { ...listing, order: '', ...own });
    const withNames = await this.#names(id);
    return { rows: rows.map((row) => ({ ...withNames(row), key: '' })), total };
  }

  async get(actor: UserRow, id: number, token: number): Promise<OrganizationToken> {
    const caller = await this.#dependencies.access.require(actor, id, 'see');
    const row = await this.#dependencies.tokens.get(id, token);
    if (!caller.may('see_tokens') && row.creator_id !== actor.id) throw new ApiError('notFound');
    const shown = (await this.#names(id))(row);
    return holdsKey(caller, row) ? shown : { ...shown, key: '' };
  }

  create(actor: UserRow, id: number, creation: Creation): Promise<OrganizationToken> {
    const { access, tokens, inTransaction } = this.#dependencies;
    const isOwn = creation.service_account_id === 0;
    return inTransaction(async (transaction) => {
      const caller = await access.requireLocked(transaction, actor, id, isOwn ? 'use_tokens' : 'manage_tokens');
      // Gateway admins who are not members cannot use an organization's tokens.
      if (isOwn && caller.role === undefined) throw new ApiError('organizationRole');
      const given = { ...creation, creator_id: isOwn ? actor.id : 0 };
      await this.#requireObjects(transaction, id, given);
      const token = await tokens.createWithin(transaction, { id, group: caller.organization.group }, given);
      if (isOwn) await tokens.rejectLockedOwner(transaction, actor.id);
      await this.#record(transaction, caller, 'organization.token_created', token);
      return (await this.#names(id, transaction))(token);
    });
  }

  /** Only managers can enable a token that a manager disabled. Members cannot change the project. */
  update(actor: UserRow, id: number, update: Update): Promise<OrganizationToken> {
    const { access, tokens, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const caller = await access.requireLocked(transaction, actor, id, 'see');
      const before = await tokens.findWithin(transaction, id, update.id);
      requireChangeable(caller, before);
      await this.#requireProject(transaction, caller, { before, after: update.project_id });
      const isOfOther = before.creator_id !== 0 && before.creator_id !== actor.id;
      if (isOfOther) await this.#lock(transaction, id, update);
      const { status: _status, ...change } = update;
      const owner = { id, group: caller.organization.group };
      const token = await tokens.updateWithin(transaction, owner, isOfOther ? change : update);
      if (!isDeepStrictEqual(token, before))
        await this.#record(transaction, caller, 'organization.token_updated', token);
      const shown = (await this.#names(id, transaction))(token);
      return holdsKey(caller, token) ? shown : { ...shown, key: '' };
    });
  }

  async #requireProject(
    transaction: Transaction,
    caller: OrganizationCaller,
    { before, after = before.project_id }: { before: OwnedToken; after: number | undefined },
  ): Promise<void> {
    if (after === before.project_id) return;
    if (!caller.may('manage_tokens')) throw new ApiError('organizationRole');
    await this.#requireObjects(transaction, caller.organization.id, { ...before, project_id: after });
  }

  /** Disables a member's token so that the member cannot enable it, or enables it again. */
  async #lock(transaction: Transaction, id: number, { id: token, status }: Update): Promise<void> {
    const { tokens } = this.#dependencies;
    if (status === tokenStatus.enabled) await tokens.enable(transaction, id, [token]);
    if (status === tokenStatus.disabled) await tokens.disableAll(transaction, id, { ids: [token], reason: '' });
  }

  /** In one transaction, because the member may be removed and the token transferred at the same time. */
  rotate(actor: UserRow, id: number, token: number, grace: number): Promise<OrganizationToken> {
    const { access, tokens, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const caller = await access.requireLocked(transaction, actor, id, 'see');
      const before = await tokens.findWithin(transaction, id, token);
      requireChangeable(caller, before);
      if (!holdsKey(caller, before)) throw new ApiError('organizationRole');
      const rotated = await tokens.rotateWithin(transaction, id, { id: token, grace });
      await this.#record(transaction, caller, 'organization.token_rotated', rotated);
      return (await this.#names(id, transaction))(rotated);
    });
  }

  remove(actor: UserRow, id: number, token: number): Promise<void> {
    const { access, tokens, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const caller = await access.requireLocked(transaction, actor, id, 'see');
      const before = await tokens.findWithin(transaction, id, token);
      requireChangeable(caller, before);
      await tokens.removeWithin(transaction, id, token);
      await this.#record(transaction, caller, 'organization.token_deleted', before);
    });
  }

  /** Moves a token that the caller uses to an organization or back to the caller's account. */
  move(actor: UserRow, token: number, { organization_id, project_id }: Move): Promise<Token> {
    const { tokens, organizationTokens, managed, inTransaction } = this.#dependencies;
    const payer: TokenPayer =
      organization_id === 0
        ? { user_id: actor.id, creator_id: 0, project_id: 0, service_account_id: 0 }
        : { user_id: organization_id, creator_id: actor.id, project_id, service_account_id: 0 };
    return inTransaction(async (transaction) => {
      const rows = organizationTokens.within(transaction);
      const before = await rows.payerOf(token, actor.id);
      if (!before) throw new ApiError('notFound');
      const callers = await this.#requireBoth(transaction, actor, [
        ...(before.user_id === actor.id ? [] : [before.user_id]),
        ...(organization_id === 0 ? [] : [organization_id]),
      ]);
      requireSameProject(callers, before, payer);
      await this.#requireObjects(transaction, payer.user_id, payer);
      await managed.rejectRow(transaction, 'token', token);
      await tokens.findWithin(transaction, before.user_id, token);
      if (payer.user_id !== before.user_id) await tokens.requireSpace(transaction, payer.user_id, payer);
      await rows.setPayer(token, payer);
      transaction.changed(`token:${token}`);
      const moved = await tokens.findWithin(transaction, payer.user_id, token);
      for (const caller of callers) await this.#record(transaction, caller, 'organization.token_moved', moved);
      return moved;
    });
  }

  /** The caller must be a member of each organization and may use its tokens. Locks in id order. */
  async #requireBoth(
    transaction: Transaction,
    actor: UserRow,
    organizations: readonly number[],
  ): Promise<readonly OrganizationCaller[]> {
    const ids = [...new Set(organizations)].sort((one, other) => one - other);
    const callers: OrganizationCaller[] = [];
    for (const id of ids)
      callers.push(await this.#dependencies.access.requireLocked(transaction, actor, id, 'use_tokens'));
    if (callers.some(({ role }) => role === undefined)) throw new ApiError('organizationRole');
    return callers;
  }

  /** Project and service account must belong to the organization; a new token needs an enabled project. */
  async #requireObjects(
    transaction: Transaction,
    id: number,
    { project_id, service_account_id }: TokenOwnership,
  ): Promise<void> {
    const rows = this.#dependencies.projects.within(transaction);
    const project = project_id === 0 ? undefined : await rows.project(id, project_id);
    if (project_id !== 0 && project?.status !== projectStatus.enabled) throw new ApiError('projectUnknown');
    const account = service_account_id === 0 ? undefined : await rows.serviceAccount(id, service_account_id);
    if (service_account_id !== 0 && !account) throw new ApiError('projectUnknown');
  }

  /** Adds the names of member, project and service account. */
  async #names(id: number, transaction?: Transaction): Promise<(token: OwnedToken) => OrganizationToken> {
    const { members, projects } = this.#dependencies;
    const rows = transaction ? projects.within(transaction) : projects;
    const people = transaction ? members.within(transaction) : members;
    const memberNames = new Map((await people.of(id)).map(({ user_id, username }) => [user_id, username]));
    const projectNames = new Map((await rows.projects(id)).map((row) => [row.id, row.name]));
    const accountNames = new Map((await rows.serviceAccounts(id)).map((row) => [row.id, row.name]));
    return (token) => ({
      ...token,
      creator: memberNames.get(token.creator_id) ?? '',
      project: projectNames.get(token.project_id) ?? '',
      service_account: accountNames.get(token.service_account_id) ?? '',
    });
  }

  async #record(
    transaction: Transaction,
    { user, organization }: OrganizationCaller,
    event: LogEvent,
    { name }: Pick<Token, 'name'>,
  ): Promise<void> {
    await this.#dependencies.logs.record(transaction, {
      type: logType.management,
      event,
      user: accountOf(organization),
      values: { user: user.username, token: name },
    });
  }
}

const accountOf = ({ id, username }: OrganizationRow) => ({ id, username });

/** Keys are shown to the member who uses the token; keys of service accounts, to members who manage tokens. */
const holdsKey = ({ user, may, role }: OrganizationCaller, { creator_id }: TokenOwnership): boolean =>
  role !== undefined && (creator_id === 0 ? may('manage_tokens') : creator_id === user.id && may('use_tokens'));

/** Only members who manage tokens can change the project of a token that stays in its organization. */
function requireSameProject(callers: readonly OrganizationCaller[], before: TokenPayer, after: TokenPayer): void {
  if (before.user_id !== after.user_id || before.project_id === after.project_id) return;
  if (!callers.every(({ may }) => may('manage_tokens'))) throw new ApiError('organizationRole');
}

/** Members change their own tokens. Tokens of others are reported as not found. */
function requireChangeable({ user, may }: OrganizationCaller, { creator_id }: TokenOwnership): void {
  if (may('manage_tokens')) return;
  if (creator_id !== user.id) throw new ApiError(may('see_tokens') ? 'organizationRole' : 'notFound');
  if (!may('use_tokens')) throw new ApiError('organizationRole');
}
