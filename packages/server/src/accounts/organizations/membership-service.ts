import { type LogEvent, logType, maxOrganizationMembers, type OrganizationRole } from '@headgate/contract';
import type { Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import type { OrganizationInvitationRepository } from './organization-invitation-repository.ts';
import type { MemberRow, OrganizationMemberRepository } from './organization-member-repository.ts';
import type { OrganizationRepository, OrganizationRow } from './organization-repository.ts';
import type { OrganizationTokenRepository } from './organization-token-repository.ts';

interface MembershipServiceDependencies {
  readonly organizations: OrganizationRepository;
  readonly members: OrganizationMemberRepository;
  readonly invitations: OrganizationInvitationRepository;
  readonly tokens: OrganizationTokenRepository;
  /** Links to the identity providers of organizations. */
  readonly ssoLinks: {
    endMembership(transaction: Transaction, organizationId: number, userId: number): Promise<void>;
  };
  readonly logs: LogService;
}

export type { OrganizationRow };

/** Source of members whom the configuration file added. */
export const fileSource = 'file';

interface Person {
  readonly id: number;
  readonly username: string;
}

export interface NewMembership {
  readonly role: OrganizationRole;
  /** How the member was added: `created`, `invitation`, `admin`, `file`, or the name of a sign-in provider or directory. */
  readonly source: string;
}

export interface MemberAdded extends NewMembership {
  readonly organization: Pick<OrganizationRow, 'id' | 'name'>;
  readonly member: Person;
}

/**
 * Changes memberships, on behalf of invitations, sign-in providers and directories. Callers have checked permissions
 * and locked the organization (`OrganizationAccess.requireLocked` or `lock`).
 */
export class MembershipService {
  readonly #dependencies: MembershipServiceDependencies;
  #onAdded: (added: MemberAdded) => void = () => undefined;

  constructor(dependencies: MembershipServiceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Registers a listener for new members. */
  listen(onAdded: (added: MemberAdded) => void): void {
    this.#onAdded = onAdded;
  }

  organization(id: number): Promise<OrganizationRow | undefined> {
    return this.#dependencies.organizations.find(id);
  }

  /** Email addresses of the enabled members with these roles. */
  emailsOf(organizationId: number, roles: readonly OrganizationRole[]): Promise<string[]> {
    return this.#dependencies.members.emailsOf(organizationId, roles);
  }

  /** Email address of the member with this membership id, if any. */
  emailOf(membershipId: number): Promise<string | undefined> {
    return this.#dependencies.members.emailOf(membershipId);
  }

  /** Locks an existing organization. */
  async lock(transaction: Transaction, organizationId: number): Promise<OrganizationRow> {
    const organizations = this.#dependencies.organizations.within(transaction);
    await organizations.lock(organizationId);
    const organization = await organizations.find(organizationId);
    if (!organization) throw new ApiError('notFound');
    return organization;
  }

  find(transaction: Transaction, organizationId: number, userId: number): Promise<MemberRow | undefined> {
    return this.#dependencies.members.within(transaction).find(organizationId, userId);
  }

  /** True if the user was a member and has left or was removed. */
  hasLeft(transaction: Transaction, organizationId: number, userId: number): Promise<boolean> {
    return this.#dependencies.members.within(transaction).hasLeft(organizationId, userId);
  }

  /** All members, by username. */
  of(transaction: Transaction, organizationId: number): Promise<MemberRow[]> {
    return this.#dependencies.members.within(transaction).of(organizationId);
  }

  /** Memberships of a user that were added by this source, which may remove only these. */
  addedBy(transaction: Transaction, source: string, userId: number): Promise<MemberRow[]> {
    return this.#dependencies.members.within(transaction).addedBy(source, userId);
  }

  /** False, without a change, when the user is already a member. */
  async add(
    transaction: Transaction,
    organization: OrganizationRow,
    person: Person,
    { role, source }: NewMembership,
  ): Promise<boolean> {
    const members = this.#dependencies.members.within(transaction);
    if ((await members.count(organization.id)) >= maxOrganizationMembers)
      throw new ApiError('tooManyMembers', { limit: String(maxOrganizationMembers) });
    const id = await members.insert({ organizationId: organization.id, userId: person.id, role, source });
    if (id === undefined) return false;
    await this.#changed(transaction, organization, 'organization.member_added', {
      member: person.username,
      role,
      source,
    });
    transaction.afterCommit(() => this.#onAdded({ organization, member: person, role, source }));
    return true;
  }

  /** The last owner cannot lose the role. */
  async setRole(
    transaction: Transaction,
    organization: OrganizationRow,
    member: MemberRow,
    change: { readonly role: OrganizationRole; readonly by: string },
  ): Promise<void> {
    if (member.role === change.role) return;
    await this.#requireOtherOwner(transaction, member);
    const { members, tokens } = this.#dependencies;
    await members.within(transaction).setRole(organization.id, member.user_id, change.role);
    // API tokens are disabled for roles that do not include them.
    for (const id of await tokens.within(transaction).idsOfMember(organization.id, member.user_id))
      transaction.changed(`token:${id}`);
    await this.#changed(transaction, organization, 'organization.member_role', {
      user: change.by,
      member: member.username,
      before: member.role,
      after: change.role,
    });
  }

  /**
   * Removes a member; the last owner cannot be removed. The member's API tokens are disabled or transferred to a
   * service account of the organization. Its providers can no longer sign in to the member's own account.
   */
  async remove(
    transaction: Transaction,
    organization: OrganizationRow,
    member: MemberRow,
    change: { readonly by: string; readonly heir?: number },
  ): Promise<void> {
    await this.#requireOtherOwner(transaction, member);
    const { organizations, members, invitations, tokens, ssoLinks } = this.#dependencies;
    const heir = change.heir ?? 0;
    if (heir !== 0 && !(await organizations.within(transaction).hasServiceAccount(organization.id, heir)))
      throw new ApiError('notFound');
    const changed = await tokens.within(transaction).endMembership(organization.id, member.user_id, heir);
    for (const id of changed) transaction.changed(`token:${id}`);
    await members.within(transaction).remove(organization.id, member.user_id);
    await ssoLinks.endMembership(transaction, organization.id, member.user_id);
    await invitations.within(transaction).withdrawOffers(organization.id, member.user_id);
    const isLeaving = change.by === member.username;
    await this.#changed(
      transaction,
      organization,
      isLeaving ? 'organization.member_left' : 'organization.member_removed',
      { user: change.by, member: member.username },
    );
  }

  /** Called when an account is closed. A last owner must first transfer or delete the organization. */
  async removeFromAll(transaction: Transaction, person: Person): Promise<void> {
    for (const { organization_id } of await this.#dependencies.members.within(transaction).ofUser(person.id)) {
      const organization = await this.lock(transaction, organization_id);
      const member = await this.#dependencies.members.within(transaction).find(organization_id, person.id);
      if (member) await this.remove(transaction, organization, member, { by: person.username });
    }
  }

  async #requireOtherOwner(transaction: Transaction, member: MemberRow): Promise<void> {
    if (member.role !== 'owner') return;
    const owners = await this.#dependencies.members.within(transaction).countOwners(member.organization_id);
    if (owners < 2) throw new ApiError('lastOwner');
  }

  async #changed(
    transaction: Transaction,
    { id, username }: OrganizationRow,
    event: LogEvent,
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    await this.#dependencies.logs.record(transaction, {
      type: logType.management,
      event,
      user: { id, username },
      values,
    });
    transaction.changed(`user:${id}`);
  }
}
