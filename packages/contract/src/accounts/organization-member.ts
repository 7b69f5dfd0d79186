import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData, queryInteger, rowId } from '../wire/list.ts';
import { organizationRole, organizationRoleOrViewer } from './organization.ts';
import { emailAddress } from './registration.ts';

export const maxOrganizationMembers = 2000;
export const maxPendingInvitations = 500;
export const invitationDays = { default: 7, max: 30 } as const;

export const organizationMember = z.object({
  /** ID of the membership: `owner_id` of the member's caps. */
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  display_name: z.string(),
  /** Empty for callers who may not manage members. */
  email: z.string(),
  role: organizationRoleOrViewer,
  /**
   * How the member was added: `created`, `invitation`, `admin` or `file`; sign-in providers and directories have their own
   * values.
   */
  source: z.string(),
  created_time: z.int(),
});
export type OrganizationMember = z.infer<typeof organizationMember>;

/** `void`: the inviter may no longer assign the role. */
export const invitationStates = ['pending', 'accepted', 'declined', 'withdrawn', 'expired', 'void'] as const;
export type InvitationState = (typeof invitationStates)[number];

export const organizationInvitation = z.object({
  id: z.int(),
  organization_id: z.int(),
  organization: z.string(),
  /** Empty: anyone with the link can accept it. */
  email: z.string(),
  /** The member to whom the ownership is offered; 0 for an invitation to join. */
  user_id: z.int(),
  role: organizationRoleOrViewer,
  inviter: z.string(),
  state: z.enum(invitationStates),
  created_time: z.int(),
  expires_time: z.int(),
});
export type OrganizationInvitation = z.infer<typeof organizationInvitation>;

/** An invitation with its link, which is returned only once. */
export const createdInvitation = z.extend(organizationInvitation, {
  /** Opens the invitation in the console; empty while the gateway has no server address. */
  link: z.string(),
  token: z.string(),
});
export type CreatedInvitation = z.infer<typeof createdInvitation>;

const memberParams = z.extend(idParams, { user_id: queryInteger(1, Number.MAX_SAFE_INTEGER) });
const invitationParams = z.extend(idParams, { invitation: queryInteger(1, Number.MAX_SAFE_INTEGER) });

/** Members of an organization and its invitations. */
export const organizationMemberApi = {
  list: {
    method: 'GET',
    path: '/api/organization/:id/members',
    access: 'user',
    params: idParams,
    reply: z.array(organizationMember),
  },
  get: {
    method: 'GET',
    path: '/api/organization/:id/members/:user_id',
    access: 'user',
    params: memberParams,
    reply: organizationMember,
  },
  update: {
    method: 'PUT',
    path: '/api/organization/:id/members',
    access: 'user',
    params: idParams,
    body: z.object({ user_id: rowId, role: organizationRole }),
    reply: noData,
  },
  remove: {
    method: 'DELETE',
    path: '/api/organization/:id/members/:user_id',
    access: 'user',
    params: memberParams,
    /** Service account that takes over the API tokens; 0 disables them. */
    query: z.object({ service_account_id: z._default(queryInteger(0, Number.MAX_SAFE_INTEGER), 0) }),
    reply: noData,
  },
  leave: {
    method: 'POST',
    path: '/api/organization/:id/leave',
    access: 'user',
    params: idParams,
    reply: noData,
  },
  offerOwnership: {
    method: 'POST',
    path: '/api/organization/:id/ownership',
    access: 'user',
    params: idParams,
    body: z.object({ user_id: rowId }),
    reply: organizationInvitation,
  },
  invitations: {
    method: 'GET',
    path: '/api/organization/:id/invitations',
    access: 'user',
    params: idParams,
    reply: z.array(organizationInvitation),
  },
  invite: {
    method: 'POST',
    path: '/api/organization/:id/invitations',
    access: 'user',
    limit: 'critical',
    params: idParams,
    body: z.object({
      /** Empty for an invitation by link, which one person can accept. */
      email: z._default(z.union([z.literal(''), emailAddress]), ''),
      role: z._default(organizationRole, 'member'),
      days: z._default(z.int().check(z.minimum(1), z.maximum(invitationDays.max)), invitationDays.default),
    }),
    reply: createdInvitation,
  },
  resend: {
    method: 'POST',
    path: '/api/organization/:id/invitations/:invitation/resend',
    access: 'user',
    limit: 'critical',
    params: invitationParams,
    reply: createdInvitation,
  },
  withdraw: {
    method: 'DELETE',
    path: '/api/organization/:id/invitations/:invitation',
    access: 'user',
    params: invitationParams,
    reply: noData,
  },
} as const satisfies EndpointTable;

/** Exactly one: the token of a link, or the ID of an invitation addressed to the caller. */
export const invitationReply = z
  .object({
    token: z._default(z.string().check(z.trim(), z.maxLength(100)), ''),
    id: z._default(z.int().check(z.minimum(0)), 0),
  })
  .check(z.refine(({ token, id }) => (token === '') !== (id === 0), { path: ['token'] }));

/** Invitations addressed to the caller. */
export const organizationInvitationApi = {
  own: {
    method: 'GET',
    path: '/api/organization/invitation/self',
    access: 'user',
    reply: z.array(organizationInvitation),
  },
  read: {
    method: 'POST',
    path: '/api/organization/invitation/read',
    access: 'user',
    limit: 'critical',
    body: invitationReply,
    reply: organizationInvitation,
  },
  accept: {
    method: 'POST',
    path: '/api/organization/invitation/accept',
    access: 'user',
    limit: 'critical',
    body: invitationReply,
    reply: organizationInvitation,
  },
  decline: {
    method: 'POST',
    path: '/api/organization/invitation/decline',
    access: 'user',
    limit: 'critical',
    body: invitationReply,
    reply: noData,
  },
} as const satisfies EndpointTable;
