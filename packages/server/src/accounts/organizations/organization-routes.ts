import type { organizationApi, organizationInvitationApi, organizationMemberApi } from '@headgate/contract';
import type { Handlers } from '../../http/handlers.ts';
import type { OrganizationInvitationService } from './organization-invitation-service.ts';
import type { OrganizationMemberService } from './organization-member-service.ts';
import type { OrganizationService } from './organization-service.ts';

export const organizationRoutes = (organizations: OrganizationService): Handlers<typeof organizationApi> => ({
  list: ({ caller, query }) => organizations.page(caller, query),
  own: ({ caller }) => organizations.own(caller),
  get: ({ caller, params }) => organizations.get(caller, params.id),
  create: ({ caller, body }) => organizations.create(caller, body.name),
  update: ({ caller, body }) => organizations.update(caller, body),
  remove: async ({ caller, params }) => {
    await organizations.remove(caller, params.id);
    return undefined;
  },
  topUp: ({ caller, params, body }) => organizations.topUp(caller, params.id, body),
  transfer: ({ caller, params, body }) => organizations.transfer(caller, params.id, body.quota),
  redeem: ({ caller, params, body }) => organizations.redeem(caller, params.id, body.key),
});

interface MemberRoutesDependencies {
  readonly members: OrganizationMemberService;
  readonly invitations: OrganizationInvitationService;
}

export const organizationMemberRoutes = ({
  members,
  invitations,
}: MemberRoutesDependencies): Handlers<typeof organizationMemberApi> => ({
  list: ({ caller, params }) => members.list(caller, params.id),
  get: ({ caller, params }) => members.get(caller, params.id, params.user_id),
  update: async ({ caller, params, body }) => {
    await members.setRole(caller, params.id, body);
    return undefined;
  },
  remove: async ({ caller, params, query }) => {
    await members.remove(caller, params.id, { userId: params.user_id, heir: query.service_account_id });
    return undefined;
  },
  leave: async ({ caller, params }) => {
    await members.leave(caller, params.id);
    return undefined;
  },
  offerOwnership: ({ caller, params, body }) => invitations.offerOwnership(caller, params.id, body.user_id),
  invitations: ({ caller, params }) => invitations.list(caller, params.id),
  invite: ({ caller, params, body }) => invitations.invite(caller, params.id, body),
  resend: ({ caller, params }) => invitations.resend(caller, params.id, params.invitation),
  withdraw: async ({ caller, params }) => {
    await invitations.withdraw(caller, params.id, params.invitation);
    return undefined;
  },
});

export const organizationInvitationRoutes = (
  invitations: OrganizationInvitationService,
): Handlers<typeof organizationInvitationApi> => ({
  own: ({ caller }) => invitations.own(caller),
  read: ({ caller, body }) => invitations.read(caller, body),
  accept: ({ caller, body }) => invitations.accept(caller, body),
  decline: async ({ caller, body }) => {
    await invitations.decline(caller, body);
    return undefined;
  },
});
