import { randomBytes } from 'node:crypto';
import {
  type CreatedInvitation,
  invitationDays,
  maxPendingInvitations,
  type OrganizationInvitation,
  type organizationMemberApi,
  type Parsed,
  userStatus,
} from '@headgate/contract';
import type { UserRow } from '../../platform/db/rows.ts';
import type { InTransaction, Transaction } from '../../platform/db/transaction.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import type { MailService } from '../../platform/mail/mail-service.ts';
import type { ManagedGuard } from '../../platform/managed/managed-guard.ts';
import type { PublicUrl } from '../../platform/options/public-url.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import { hashSecret } from '../../platform/secrets/secret-box.ts';
import type { LogService } from '../../records/logs/log-service.ts';
import { fileSource, type MembershipService } from './membership-service.ts';
import { maySetRole, type OrganizationAccess, permissionsOf } from './organization-access.ts';
import type { InvitationRow, OrganizationInvitationRepository } from './organization-invitation-repository.ts';
import type { MemberRow, OrganizationMemberRepository } from './organization-member-repository.ts';
import type { OrganizationRow } from './organization-repository.ts';

type Invitation = Parsed<typeof organizationMemberApi.invite>['body'];

/** The token of a link, or the id of an invitation addressed to the caller. The other field is empty. */
interface Chosen {
  readonly token: string;
  readonly id: number;
}

interface OrganizationInvitationServiceDependencies {
  readonly access: OrganizationAccess;
  readonly invitations: OrganizationInvitationRepository;
  readonly members: OrganizationMemberRepository;
  readonly memberships: MembershipService;
  readonly managed: ManagedGuard;
  readonly mail: MailService;
  readonly home: PublicUrl;
  readonly logs: LogService;
  readonly inTransaction: InTransaction;
}

const secondsPerDay = 86_400;
const tokenBytes = 24;

/** Invitations to organizations, by email or link, and ownership offers to members. */
export class OrganizationInvitationService {
  readonly #dependencies: OrganizationInvitationServiceDependencies;

  constructor(dependencies: OrganizationInvitationServiceDependencies) {
    this.#dependencies = dependencies;
  }

  async list(actor: UserRow, id: number): Promise<OrganizationInvitation[]> {
    await this.#dependencies.access.require(actor, id, 'manage_members');
    return (await this.#dependencies.invitations.of(id, maxPendingInvitations)).map(presentListed);
  }

  /** Invitations addressed to the caller. */
  async own(actor: UserRow): Promise<OrganizationInvitation[]> {
    const rows = await this.#dependencies.invitations.addressedTo(actor, nowInSeconds());
    return rows.filter(isGrantable).map(present);
  }

  /** Returns the link, which is not stored. With an email address, the link is also emailed. */
  async invite(actor: UserRow, id: number, { email, role, days }: Invitation): Promise<CreatedInvitation> {
    const { access, mail, home, inTransaction } = this.#dependencies;
    if (email !== '') {
      mail.require();
      home.require('serverAddressNeeded');
    }
    const created = await inTransaction(async (transaction) => {
      const caller = await access.requireLocked(transaction, actor, id, 'manage_members');
      if (!maySetRole(caller, role)) throw new ApiError('organizationRole');
      const token = newToken();
      const row = await this.#insert(transaction, actor, caller.organization, { email, role, days, token });
      const values = { user: actor.username, recipient: email || '–', role };
      await this.#dependencies.logs.recordManagement(transaction, caller.organization, 'organization.invited', values);
      return { ...present(row), token };
    });
    return this.#send(created);
  }

  /** Creates a new link; the previous one stops working. */
  async resend(actor: UserRow, id: number, invitation: number): Promise<CreatedInvitation> {
    const { access, invitations, inTransaction } = this.#dependencies;
    const renewed = await inTransaction(async (transaction) => {
      const caller = await access.requireLocked(transaction, actor, id, 'manage_members');
      const rows = invitations.within(transaction);
      const row = await rows.find(invitation);
      if (row?.organization_id !== id || row.state !== 'pending' || row.user_id !== 0)
        throw new ApiError('invitationInvalid');
      if (!maySetRole(caller, row.role)) throw new ApiError('organizationRole');
      const token = newToken();
      const expires_time = nowInSeconds() + invitationDays.default * secondsPerDay;
      await rows.renew(row.id, { token_hash: hashSecret(token), expires_time, inviter_id: actor.id });
      const values = { user: actor.username, recipient: row.email || '–', role: row.role };
      await this.#dependencies.logs.recordManagement(
        transaction,
        caller.organization,
        'organization.invitation_resent',
        values,
      );
      return { ...present({ ...row, expires_time, inviter: actor.username }), token };
    });
    return this.#send(renewed);
  }

  withdraw(actor: UserRow, id: number, invitation: number): Promise<void> {
    const { access, invitations, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const caller = await access.requireLocked(transaction, actor, id, 'manage_members');
      const rows = invitations.within(transaction);
      const row = await rows.find(invitation);
      if (row?.organization_id !== id) throw new ApiError('notFound');
      if (!maySetRole(caller, row.role)) throw new ApiError('organizationRole');
      if (!(await rows.end(invitation, 'withdrawn'))) throw new ApiError('invitationInvalid');
      const values = { user: actor.username, recipient: row.email || '–', role: row.role };
      await this.#dependencies.logs.recordManagement(
        transaction,
        caller.organization,
        'organization.invitation_withdrawn',
        values,
      );
    });
  }

  /** Offers the ownership to a member. When the member accepts, the owner who offered it becomes an admin. */
  offerOwnership(actor: UserRow, id: number, userId: number): Promise<OrganizationInvitation> {
    const { access, invitations, members, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const { organization, role } = await access.requireLocked(transaction, actor, id, 'manage_owners');
      if (role !== 'owner') throw new ApiError('organizationRole');
      const member = await members.within(transaction).find(id, userId);
      if (!member || member.role === 'owner') throw new ApiError('notFound');
      const owner = await members.within(transaction).find(id, actor.id);
      await this.#rejectOfFile(transaction, [member, owner]);
      await invitations.within(transaction).withdrawOffers(id, userId);
      const offer = { email: '', role: 'owner', days: invitationDays.default, token: newToken(), userId } as const;
      const row = await this.#insert(transaction, actor, organization, offer);
      const values = { user: actor.username, member: member.username };
      await this.#dependencies.logs.recordManagement(
        transaction,
        organization,
        'organization.ownership_offered',
        values,
      );
      return present(row);
    });
  }

  async read(actor: UserRow, chosen: Chosen): Promise<OrganizationInvitation> {
    return present(await this.#addressed(this.#dependencies.invitations, actor, chosen));
  }

  accept(actor: UserRow, chosen: Chosen): Promise<OrganizationInvitation> {
    const { invitations, memberships, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const rows = invitations.within(transaction);
      const found = await this.#addressed(rows, actor, chosen);
      const organization = await memberships.lock(transaction, found.organization_id);
      // Read again, because the invitation may have been withdrawn before the lock was acquired.
      const row = await this.#addressed(rows, actor, chosen);
      if (!(await rows.end(row.id, 'accepted'))) throw new ApiError('invitationInvalid');
      if (row.user_id !== 0) await this.#takeOwnership(transaction, organization, row);
      else {
        const isNew = await memberships.add(transaction, organization, actor, { role: row.role, source: 'invitation' });
        if (!isNew) throw new ApiError('alreadyMember');
      }
      return { ...present(row), state: 'accepted' };
    });
  }

  decline(actor: UserRow, chosen: Chosen): Promise<void> {
    const { invitations, memberships, inTransaction } = this.#dependencies;
    return inTransaction(async (transaction) => {
      const rows = invitations.within(transaction);
      const row = await this.#addressed(rows, actor, chosen);
      if (!(await rows.end(row.id, 'declined'))) throw new ApiError('invitationInvalid');
      const organization = await memberships.lock(transaction, row.organization_id);
      const values = { user: actor.username, role: row.role };
      await this.#dependencies.logs.recordManagement(
        transaction,
        organization,
        'organization.invitation_declined',
        values,
      );
    });
  }

  /** The offer is void when its sender is no longer an owner. */
  async #takeOwnership(transaction: Transaction, organization: OrganizationRow, offer: InvitationRow): Promise<void> {
    const { members, memberships } = this.#dependencies;
    const rows = members.within(transaction);
    const [member, owner] = [
      await rows.find(organization.id, offer.user_id),
      await rows.find(organization.id, offer.inviter_id),
    ];
    if (!member || owner?.role !== 'owner') throw new ApiError('invitationInvalid');
    await this.#rejectOfFile(transaction, [member, owner]);
    await memberships.setRole(transaction, organization, member, { role: 'owner', by: owner.username });
    await memberships.setRole(transaction, organization, owner, { role: 'admin', by: owner.username });
  }

  /** The next apply would restore the roles of members that the configuration file has added. */
  async #rejectOfFile(transaction: Transaction, members: readonly (MemberRow | undefined)[]): Promise<void> {
    const ofFile = members.find((member) => member?.source === fileSource);
    if (ofFile) await this.#dependencies.managed.rejectRow(transaction, 'organization', ofFile.organization_id);
  }

  /** A pending invitation that the caller may accept: with its link, or addressed to the caller. */
  async #addressed(
    rows: OrganizationInvitationRepository,
    { id, email }: UserRow,
    chosen: Chosen,
  ): Promise<InvitationRow> {
    const row = chosen.token === '' ? await rows.find(chosen.id) : await rows.findByToken(hashSecret(chosen.token));
    const isByLink = chosen.token !== '' && row?.user_id === 0;
    const isAddressed = row && (row.user_id === id || (row.email !== '' && row.email === email));
    if (!row || !(isByLink || isAddressed) || row.state !== 'pending' || row.expires_time <= nowInSeconds())
      throw new ApiError('invitationInvalid');
    if (!isGrantable(row)) throw new ApiError('invitationInvalid');
    // The link of an email may have been forwarded.
    if (row.email !== '' && !isAddressed) throw new ApiError('invitationAddress');
    return row;
  }

  async #insert(
    transaction: Transaction,
    actor: UserRow,
    { id }: OrganizationRow,
    { token, days, userId = 0, email, role }: Invitation & { token: string; userId?: number },
  ): Promise<InvitationRow> {
    const rows = this.#dependencies.invitations.within(transaction);
    const now = nowInSeconds();
    if ((await rows.countPending(id, now)) >= maxPendingInvitations)
      throw new ApiError('tooManyInvitations', { limit: String(maxPendingInvitations) });
    const inserted = await rows.insert({
      organization_id: id,
      email,
      user_id: userId,
      role,
      inviter_id: actor.id,
      token_hash: hashSecret(token),
      state: 'pending',
      created_time: now,
      expires_time: now + days * secondsPerDay,
    });
    const row = await rows.find(inserted);
    if (!row) throw new ApiError('notFound');
    return row;
  }

  /** Emails the link if the invitation has an address. */
  #send(invitation: Omit<CreatedInvitation, 'link'>): CreatedInvitation {
    const { mail, home } = this.#dependencies;
    const { email, organization, inviter, token } = invitation;
    const link = home.url === undefined ? '' : `${home.url}/organization/invitation#${token}`;
    if (email !== '') mail.send('invitation', email, undefined, { organization, inviter, link });
    return { ...invitation, link };
  }
}

const newToken = (): string => randomBytes(tokenBytes).toString('hex');

/** An invitation is void if its inviter may no longer grant the role, for example after being removed or banned. */
function isGrantable({ role, inviter_status, inviter_role, inviter_member_role }: InvitationRow): boolean {
  if (inviter_status !== userStatus.enabled || inviter_role === null) return false;
  const permissions = permissionsOf({ role: inviter_role }, inviter_member_role ?? undefined);
  return maySetRole({ may: (permission) => permissions.includes(permission) }, role);
}

const present = ({ inviter, inviter_id: _inviter, ...row }: InvitationRow): OrganizationInvitation => ({
  ...row,
  inviter: inviter ?? '',
  state: row.state === 'pending' && row.expires_time <= nowInSeconds() ? 'expired' : row.state,
});

const presentListed = (row: InvitationRow): OrganizationInvitation => {
  const invitation = present(row);
  return invitation.state === 'pending' && !isGrantable(row) ? { ...invitation, state: 'void' } : invitation;
};
