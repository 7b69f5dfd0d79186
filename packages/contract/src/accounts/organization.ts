import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { commaList, idParams, keyword, listQuery, noData, quota, rowId } from '../wire/list.ts';
import { isUsername } from '../wire/names.ts';
import { type OrganizationPermission, organizationPermissions, organizationRoles } from './organization-roles.ts';
import { userStatus } from './user.ts';

export const organizationNameLength = { max: 60 } as const;

/** Maximum number of organizations that a user may own. */
export const maxOwnedOrganizations = 10;

export const organizationRole = z.enum(organizationRoles);

/** Unknown roles from later versions are shown as the role with the fewest permissions. */
export const organizationRoleOrViewer = z.catch(organizationRole, 'viewer');

const permission = z.enum(Object.keys(organizationPermissions) as OrganizationPermission[]);

export const organization = z.object({
  /** Also the ID of the paying account, as in logs and statements. */
  id: z.int(),
  name: z.string(),
  status: z.int(),
  /** Groups whose channels serve the organization. */
  group: z.string(),
  /** Whether the organization may use a directory (SCIM) and its own sign-in providers. */
  sso_allowed: z.boolean(),
  created_time: z.int(),
  /** Points; 0 for callers without permission to see the balance. */
  quota: z.int(),
  used_quota: z.int(),
  members: z.int(),
  /** Role of the caller; empty for non-members. */
  role: z.union([organizationRoleOrViewer, z.literal('')]),
  /** What the caller may do. */
  permissions: z.array(permission),
});
export type Organization = z.infer<typeof organization>;

const name = z
  .string()
  .check(
    z.trim(),
    z.normalize('NFC'),
    z.minLength(1),
    z.maxLength(organizationNameLength.max),
    z.refine(isUsername, { error: 'a name without invisible characters or @' }),
  );

const organizationColumns = ['id', 'name', 'quota', 'used_quota', 'created_time'] as const;

export const redemptionKey = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));
const amount = quota.check(z.minimum(1));

export const organizationApi = {
  list: {
    method: 'GET',
    path: '/api/organization/',
    access: 'admin',
    query: z.extend(listQuery(organizationColumns), { keyword }),
    list: true,
    reply: z.array(organization),
  },
  own: { method: 'GET', path: '/api/organization/self', access: 'user', reply: z.array(organization) },
  get: { method: 'GET', path: '/api/organization/:id', access: 'user', params: idParams, reply: organization },
  create: {
    method: 'POST',
    path: '/api/organization/',
    access: 'user',
    // A deleted organization leaves its account behind.
    limit: 'critical',
    body: z.object({ name }),
    reply: organization,
  },
  update: {
    method: 'PUT',
    path: '/api/organization/',
    access: 'user',
    body: z.object({
      id: rowId,
      name: z.optional(name),
      /** Only gateway admins change the status, the group and whether SSO is allowed. */
      status: z.optional(z.literal([userStatus.enabled, userStatus.disabled])),
      group: z.optional(commaList(500)),
      sso_allowed: z.optional(z.boolean()),
    }),
    reply: organization,
  },
  remove: { method: 'DELETE', path: '/api/organization/:id/', access: 'user', params: idParams, reply: noData },
  topUp: {
    method: 'POST',
    path: '/api/organization/:id/topup',
    access: 'admin',
    params: idParams,
    body: z.object({ quota: amount, remark: z._default(z.string().check(z.trim(), z.maxLength(200)), '') }),
    reply: organization,
  },
  /** Taken from the balance of the caller. */
  transfer: {
    method: 'POST',
    path: '/api/organization/:id/transfer',
    access: 'user',
    limit: 'critical',
    params: idParams,
    body: z.object({ quota: amount }),
    reply: organization,
  },
  redeem: {
    method: 'POST',
    path: '/api/organization/:id/redeem',
    access: 'user',
    limit: 'critical',
    params: idParams,
    body: z.object({ key: redemptionKey }),
    /** Points added. */
    reply: z.int(),
  },
} as const satisfies EndpointTable;
