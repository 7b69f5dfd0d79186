import { defaultDirectoryRole, highestDirectoryRole, type LogEvent, organizationRoles } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { Transaction } from '../../platform/db/transaction.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { MembershipService, OrganizationRow } from '../organizations/membership-service.ts';
import type { DirectoryGroupRepository } from './directory-group-repository.ts';
import type { DirectoryUserRepository, DirectoryUserRow } from './directory-user-repository.ts';
import { type ManagedAccountRepository, roleToRestore } from './managed-account-repository.ts';
import type { ManagedAccountService } from './managed-account-service.ts';

/** Membership source of members added by a directory. */
const directorySource = 'scim';
/** Membership source of other members whom a directory deactivates and activates. */
const invitationSource = 'invitation';
/** Log actor for changes made by a directory; no account name starts with @. */
const directoryActor = '@scim';

interface DirectoryAccessServiceDependencies {
  readonly memberships: MembershipService;
  readonly managedAccounts: ManagedAccountRepository;
  readonly managedAccountService: ManagedAccountService;
  readonly directoryUsers: DirectoryUserRepository;
  readonly directoryGroups: DirectoryGroupRepository;
  readonly logs: LogService;
}

/** A directory user with the account, in an organization that is locked by the caller. */
export interface ProvisionedAccount {
  readonly organization: OrganizationRow;
  readonly row: DirectoryUserRow;
  readonly user: UserRow;
}

/** Grants and ends directory users' access to their organization, and sets their roles. */
export class DirectoryAccessService {
  readonly #dependencies: DirectoryAccessServiceDependencies;

  constructor(dependencies: DirectoryAccessServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Adds the member, and enables only what the directory disabled. A linked user who has left the organization is not
   * added again. Returns the number of API tokens.
   */
  async give(transaction: Transaction, { organization, row, user }: ProvisionedAccount): Promise<number> {
    const { memberships, managedAccounts, managedAccountService, directoryUsers } = this.#dependencies;
    const isManaged = await this.#isManaged(transaction, organization, user);
    if (row.is_account_disabled === 1 && isManaged) await managedAccountService.enable(transaction, user);
    const isMember = (await memberships.find(transaction, organization.id, user.id)) !== undefined;
    await directoryUsers.within(transaction).update(row.id, { is_account_disabled: 0, former_role: '' });
    if (!isMember && !isManaged && row.former_role === '') return 0;
    if (!isMember) await this.#addMember(transaction, { organization, row, user });
    const enabled = await managedAccounts.within(transaction).enableTokens(organization.id, user.id, row.id);
    for (const id of enabled) transaction.changed(`token:${id}`);
    return enabled.length;
  }

  /** Members who were not added by the directory get their previous role; others get the role of their groups. */
  async #addMember(transaction: Transaction, { organization, row, user }: ProvisionedAccount): Promise<void> {
    const { memberships } = this.#dependencies;
    const former = roleToRestore(row.former_role, organizationRoles);
    const role = former ?? (await this.#mappedRole(transaction, organization, user));
    const source = former === undefined ? directorySource : invitationSource;
    await memberships.add(transaction, organization, user, { role, source });
  }

  /**
   * Removes the member, which disables the API tokens, and ends the sessions. An account that the organization created
   * is disabled; other accounts keep working outside the organization. Returns the number of API tokens.
   */
  async end(transaction: Transaction, { organization, row, user }: ProvisionedAccount): Promise<number> {
    const { memberships, managedAccounts, managedAccountService, directoryUsers } = this.#dependencies;
    const tokens = await managedAccounts.within(transaction).rememberTokens(organization.id, user.id, row.id);
    const member = await memberships.find(transaction, organization.id, user.id);
    if (member) await memberships.remove(transaction, organization, member, { by: directoryActor });
    const isManaged = await this.#isManaged(transaction, organization, user);
    const isDisabled = isManaged && (await managedAccountService.disable(transaction, user));
    if (isManaged || member) await managedAccountService.endSessions(transaction, user);
    const former_role = member?.source === directorySource ? directorySource : (member?.role ?? '');
    await directoryUsers.within(transaction).update(row.id, { is_account_disabled: Number(isDisabled), former_role });
    return tokens;
  }

  /** Sets the roles of members added by the directory. Owners and other members keep theirs. */
  async applyRoles(transaction: Transaction, organization: OrganizationRow, userIds: ReadonlySet<number>) {
    if (userIds.size === 0) return;
    const { memberships, directoryGroups } = this.#dependencies;
    const mapped = await directoryGroups.within(transaction).mappedRoles(organization.id);
    for (const member of await memberships.of(transaction, organization.id)) {
      const isDirectorys = member.source === directorySource && member.role !== 'owner';
      if (!isDirectorys || !userIds.has(member.user_id)) continue;
      const role = highestDirectoryRole(mapped.get(member.user_id) ?? [defaultDirectoryRole]);
      await memberships.setRole(transaction, organization, member, { role, by: directoryActor });
    }
  }

  async record(
    transaction: Transaction,
    organization: OrganizationRow,
    event: LogEvent,
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.#dependencies.logs.recordManagement(transaction, organization, event, values);
  }

  async #mappedRole(transaction: Transaction, organization: OrganizationRow, user: UserRow) {
    const mapped = await this.#dependencies.directoryGroups.within(transaction).mappedRoles(organization.id);
    return highestDirectoryRole(mapped.get(user.id) ?? []);
  }

  #isManaged(transaction: Transaction, organization: OrganizationRow, user: UserRow): Promise<boolean> {
    return this.#dependencies.managedAccountService.isManagedBy(transaction, user.id, organization.id);
  }
}
