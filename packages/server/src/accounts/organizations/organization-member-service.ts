import type { OrganizationMember, OrganizationRole } from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import { fileSource, type MembershipService } from './membership-service.ts';
import { maySetRole, type OrganizationAccess, type OrganizationCaller } from './organization-access.ts';
import type { MemberRow, OrganizationMemberRepository } from './organization-member-repository.ts';

interface OrganizationMemberServiceDependencies {
  readonly access: OrganizationAccess;
  readonly members: OrganizationMemberRepository;
  readonly memberships: MembershipService;
  readonly inTransaction: InTransaction;
  readonly managed: ManagedGuard;
}

interface Removal {
  readonly userId: number;
  /** Service account that takes over the API tokens; 0 disables them. */
  readonly heir: number;
}

/** Lets owners and admins manage the members of an organization. */
export class OrganizationMemberService {
  readonly #dependencies: OrganizationMemberServiceDependencies;

  constructor(dependencies: OrganizationMemberServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(actor: UserRow, id: number): Promise<OrganizationMember[]> {
    const { access, members } = this.#dependencies;
    const caller = await access.require(actor, id, 'see_members');
    const seesEmail = caller.may('manage_members');
    return (await members.of(id)).map((row) => ({ ...row, email: seesEmail ? (row.email ?? '') : '' }));
  }

  async get(actor: UserRow, id: number, userId: number): Promise<OrganizationMember> {
    const { access, members } = this.#dependencies;
    const caller = await access.require(actor, id, 'see_members');
    const row = await members.find(id, userId);
    if (!row) throw new ApiError('notFound');
    return { ...row, email: caller.may('manage_members') ? (row.email ?? '') : '' };
  }

  /** Gateway admins can make a member an owner, for organizations without a reachable owner. */
  setRole(actor: UserRow, id: number, change: { user_id: number; role: OrganizationRole }): Promise<void> {
    return this.#change(actor, id, change.user_id, async (transaction, caller, member) => {
      if (!maySetRole(caller, member.role) || !maySetRole(caller, change.role)) throw new ApiError('organizationRole');
      // Ownership changes only with the new owner's consent.
      const isPromoted = change.role === 'owner' && member.role !== 'owner';
      if (isPromoted && caller.role !== undefined) throw new ApiError('ownershipNeedsConsent');
      await this.#dependencies.memberships.setRole(transaction, caller.organization, member, {
        role: change.role,
        by: actor.username,
      });
    });
  }

  remove(actor: UserRow, id: number, { userId, heir }: Removal): Promise<void> {
    return this.#change(actor, id, userId, async (transaction, caller, member) => {
      if (!maySetRole(caller, member.role)) throw new ApiError('organizationRole');
      await this.#dependencies.memberships.remove(transaction, caller.organization, member, {
        by: actor.username,
        heir,
      });
    });
  }

  leave(actor: UserRow, id: number): Promise<void> {
    const { access, members, memberships, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization } = await access.requireLocked(transaction, actor, id, 'see');
      const member = await members.within(transaction).find(id, actor.id);
      if (!member) throw new ApiError('notFound');
      await this.#rejectOfFile(transaction, member);
      await memberships.remove(transaction, organization, member, { by: actor.username });
    });
  }

  /** The next apply would add a removed member again. */
  async #rejectOfFile(transaction: Transaction, { source, organization_id }: MemberRow): Promise<void> {
    if (source === fileSource) await this.#dependencies.managed.rejectRow(transaction, 'organization', organization_id);
  }

  #change(
    actor: UserRow,
    id: number,
    userId: number,
    work: (transaction: Transaction, caller: OrganizationCaller, member: MemberRow) => Promise<void>,
  ): Promise<void> {
    const { access, members, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const caller = await access.requireLocked(transaction, actor, id, 'manage_members');
      const member = await members.within(transaction).find(id, userId);
      if (!member) throw new ApiError('notFound');
      await this.#rejectOfFile(transaction, member);
      await work(transaction, caller, member);
    });
  }
}
