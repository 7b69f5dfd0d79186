import {
  defaultGroup,
  type LogEvent,
  logType,
  maxOwnedOrganizations,
  type OptionValues,
  type Organization,
  type OrganizationPermission,
  type OrganizationRole,
  type organizationApi,
  type Parsed,
  userStatus,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { TokenService } from '../api-tokens/token-service.ts';
import type { RedemptionService } from '../redemptions/redemption-service.ts';
import { groupsOf, type UserService } from '../users/user-service.ts';
import type { MembershipService } from './membership-service.ts';
import type { OrganizationAccess, OrganizationCaller } from './organization-access.ts';
import type { OrganizationRepository, OrganizationRow } from './organization-repository.ts';

type Listing = Parsed<typeof organizationApi.list>['query'];
type Update = Parsed<typeof organizationApi.update>['body'];
type TopUp = Parsed<typeof organizationApi.topUp>['body'];

/**
 * Runs the work while some of a user's points are reserved; returns undefined without running it if too few points are
 * free.
 */
export type WithReservedPoints = <T>(userId: number, points: number, work: () => Promise<T>) => Promise<T | undefined>;

interface OrganizationServiceDependencies {
  readonly access: OrganizationAccess;
  readonly organizations: OrganizationRepository;
  readonly memberships: MembershipService;
  readonly users: UserService;
  readonly redemptions: RedemptionService;
  readonly tokens: TokenService;
  /** Data that the relay stores for an account. */
  readonly stored: readonly { removeAll(transaction: Transaction, accountId: number): Promise<void> }[];
  readonly options: { readonly values: Pick<OptionValues, 'OrganizationCreationEnabled'> };
  readonly logs: LogService;
  readonly withReservedPoints: WithReservedPoints;
  /** Ends the sessions of the accounts that are linked to an organization's providers. */
  readonly endSsoSessions: (transaction: Transaction, id: number) => Promise<void>;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

/** Organizations: accounts that several users share. */
export class OrganizationService {
  readonly #dependencies: OrganizationServiceDependencies;

  constructor(dependencies: OrganizationServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async page(actor: UserRow, listing: Listing): Promise<{ rows: Organization[]; total: number }> {
    const { organizations } = this.#dependencies;
    const [{ rows, total }, own] = await Promise.all([organizations.page(listing), organizations.ofMember(actor.id)]);
    const roles = new Map(own.map(({ id, role }) => [id, role]));
    return { rows: rows.map((row) => this.#present(actor, row, roles.get(row.id))), total };
  }

  async own(actor: UserRow): Promise<Organization[]> {
    const rows = await this.#dependencies.organizations.ofMember(actor.id);
    return rows.map(({ role, ...row }) => this.#present(actor, row, role));
  }

  async get(actor: UserRow, id: number): Promise<Organization> {
    return presentOf(await this.#dependencies.access.require(actor, id, 'see'));
  }

  /** The creator becomes the owner. */
  create(actor: UserRow, name: string): Promise<Organization> {
    const { access, organizations, memberships, options, inTransaction } = this.#dependencies;
    if (!options.values.OrganizationCreationEnabled && !access.isGatewayAdmin(actor))
      throw new ApiError('organizationCreationOff');
    return inTransaction(async (transaction) => {
      const rows = organizations.within(transaction);
      const owned = await rows.countOwnedLocked(actor.id);
      if (!access.isGatewayAdmin(actor) && owned >= maxOwnedOrganizations)
        throw new ApiError('tooManyOrganizations', { limit: String(maxOwnedOrganizations) });
      const id = await rows.insert(name, firstGroupOf(actor));
      if (id === undefined) throw new ApiError('organizationNameTaken');
      const organization = await memberships.lock(transaction, id);
      const values = { user: actor.username, organization: name };
      await this.#dependencies.logs.recordManagement(transaction, organization, 'organization.created', values);
      await memberships.add(transaction, organization, actor, { role: 'owner', source: 'created' });
      return presentOf(await access.requireLocked(transaction, actor, id, 'see'));
    });
  }

  update(actor: UserRow, { id, name, ...change }: Update): Promise<Organization> {
    const { access, organizations, endSsoSessions, managed, inTransaction } = this.#dependencies;
    const isByAdmin = Object.keys(change).length > 0;
    if (isByAdmin) access.requireGatewayAdmin(actor);
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'rename');
      if (isByAdmin) access.requireGatewayAdmin(actor, organization);
      if (change.sso_allowed === false) await endSsoSessions(transaction, id);
      announceSso(transaction, change);
      if (changesOfFile(organization, { name, ...change })) await managed.rejectRow(transaction, 'organization', id);
      const rows = organizations.within(transaction);
      if (name !== undefined && name !== organization.name && !(await rows.rename(id, name)))
        throw new ApiError('organizationNameTaken');
      await rows.updateAccount(id, change);
      const caller = await access.requireLocked(transaction, actor, id, 'see');
      for (const { event, ...values } of changesBetween(organization, caller.organization)) {
        await this.#dependencies.logs.recordManagement(transaction, organization, event, {
          user: actor.username,
          ...values,
        });
      }
      transaction.changed(`user:${id}`);
      return presentOf(caller);
    });
  }

  /** Deletes the organization with its API tokens. The account stays for the ledger and logs. */
  remove(actor: UserRow, id: number): Promise<void> {
    const { access, organizations, tokens, stored, managed, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'delete');
      await managed.rejectRow(transaction, 'organization', id);
      await tokens.removeAll(transaction, id);
      for (const data of stored) await data.removeAll(transaction, id);
      const values = { user: actor.username, organization: organization.name };
      await this.#dependencies.logs.recordManagement(transaction, organization, 'organization.deleted', values);
      await organizations.within(transaction).remove(id);
      transaction.changed(`user:${id}`);
    });
  }

  topUp(actor: UserRow, id: number, { quota, remark }: TopUp): Promise<Organization> {
    const { access, users, logs, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'see');
      access.requireGatewayAdmin(actor, organization);
      await users.credit(transaction, id, quota);
      await logs.record(transaction, {
        type: logType.topUp,
        event: remark === '' ? 'user.topped_up' : 'user.topped_up_with_remark',
        user: accountOf(organization),
        values: { admin: actor.username, amount: logs.amount(quota), remark },
        quota,
      });
      return presentOf(await access.requireLocked(transaction, actor, id, 'see'));
    });
  }

  /** Moves quota from the balance of a member to the organization. */
  async transfer(actor: UserRow, id: number, quota: number): Promise<Organization> {
    const { access, users, withReservedPoints, inTransaction } = this.#dependencies;
    await access.require(actor, id, 'see');
    const moved = await withReservedPoints(actor.id, quota, () =>
      inTransaction(async (transaction) => {
        const { organization } = await access.requireLocked(transaction, actor, id, 'see');
        await users.withdraw(transaction, actor.id, quota);
        await users.credit(transaction, id, quota);
        await this.#recordTransfer(transaction, actor, organization, quota);
        return presentOf(await access.requireLocked(transaction, actor, id, 'see'));
      }),
    );
    if (!moved) throw new ApiError('balanceTooLow');
    return moved;
  }

  async #recordTransfer(
    transaction: Transaction,
    actor: UserRow,
    organization: OrganizationRow,
    quota: number,
  ): Promise<void> {
    const { logs } = this.#dependencies;
    const values = { user: actor.username, organization: organization.name, amount: logs.amount(quota) };
    await logs.record(transaction, {
      type: logType.system,
      event: 'organization.transfer_sent',
      user: actor,
      values,
      quota: -quota,
    });
    await logs.record(transaction, {
      type: logType.topUp,
      event: 'organization.transfer_received',
      user: accountOf(organization),
      values,
      quota,
    });
  }

  /** Adds the quota of a redemption code and returns the amount. */
  async redeem(actor: UserRow, id: number, key: string): Promise<number> {
    const { access, redemptions } = this.#dependencies;
    const { organization } = await access.require(actor, id, 'add_credit');
    return redemptions.redeem(accountOf(organization), key, {
      by: actor,
      permit: async (transaction) => {
        await access.requireLocked(transaction, actor, id, 'add_credit');
      },
    });
  }

  #present(actor: UserRow, row: OrganizationRow, role: OrganizationRole | undefined): Organization {
    return present(row, role, this.#dependencies.access.permissionsOf(actor, role, row));
  }
}

/**
 * Never more groups than the creator has, so that an organization does not bypass a group with fewer channels or higher
 * prices.
 */
function firstGroupOf(creator: UserRow): string {
  const groups = groupsOf(creator);
  return groups.includes(defaultGroup) ? defaultGroup : groups.join(',');
}

type ChangeEvent = Readonly<Record<string, string>> & { readonly event: LogEvent };

/** Audit events for an update. */
function changesBetween(before: OrganizationRow, after: OrganizationRow): readonly ChangeEvent[] {
  const { name: organization } = after;
  const status = after.status === userStatus.enabled ? 'organization.enabled' : 'organization.disabled';
  const sso = after.sso_allowed === 1 ? 'organization.sso_allowed' : 'organization.sso_forbidden';
  const events: readonly (ChangeEvent | false)[] = [
    before.name !== after.name && { event: 'organization.renamed', before: before.name, after: after.name },
    before.group !== after.group && {
      event: 'organization.group',
      organization,
      before: before.group,
      after: after.group,
    },
    before.status !== after.status && { event: status, organization },
    before.sso_allowed !== after.sso_allowed && { event: sso, organization },
  ];
  return events.filter((event) => event !== false);
}

/** JWTs of an organization are accepted only while it may use SSO. */
function announceSso(transaction: Transaction, { sso_allowed }: Pick<Update, 'sso_allowed'>): void {
  if (sso_allowed !== undefined) transaction.changed('jwt_issuers');
}

/** True if the update changes what a configuration file manages. */
const changesOfFile = (before: OrganizationRow, { name, group, status }: Omit<Update, 'id'>): boolean =>
  (name ?? before.name) !== before.name ||
  (group ?? before.group) !== before.group ||
  (status ?? before.status) !== before.status;

const accountOf = ({ id, username }: OrganizationRow) => ({ id, username });

const presentOf = ({ organization, role, permissions }: OrganizationCaller): Organization =>
  present(organization, role, permissions);

/** The balance is returned only to callers who may see it. */
function present(
  row: OrganizationRow,
  role: OrganizationRole | undefined,
  permissions: readonly OrganizationPermission[],
): Organization {
  const { username: _username, root_owners: _roots, quota, used_quota, ...rest } = row;
  const seesBalance = permissions.includes('see_balance');
  return {
    ...rest,
    sso_allowed: row.sso_allowed === 1,
    quota: seesBalance ? quota : 0,
    used_quota: seesBalance ? used_quota : 0,
    role: role ?? '',
    permissions: [...permissions],
  };
}
