import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, noData, queryInteger, rowId } from '../wire/list.ts';
import { type OrganizationRole, organizationRoles } from './organization-roles.ts';
import { maxGraceSeconds } from './token.ts';

/** Path of the SCIM API, below the server address. */
export const scimPath = '/scim/v2';
export const scimTokenPrefix = 'hgscim_';
export const maxScimTokens = 10;
export const maxDirectoryGroups = 500;

/** Roles that a directory or sign-in provider may assign, highest first. Members become owners only by consent. */
export const directoryRoles = ['admin', 'billing', 'member', 'viewer'] as const satisfies readonly OrganizationRole[];
export type DirectoryRole = (typeof directoryRoles)[number];

/** Role of directory users without a mapped group. */
export const defaultDirectoryRole: DirectoryRole = 'member';

/** The highest of the given roles. */
export const highestDirectoryRole = (roles: readonly string[]): DirectoryRole =>
  directoryRoles.find((role) => roles.includes(role)) ?? defaultDirectoryRole;

/** Empty: the group does not affect roles. */
const groupRole = z.union([z.enum(directoryRoles), z.literal('')]);

export const scimToken = z.object({
  id: z.int(),
  /** First characters of the token. */
  prefix: z.string(),
  created_time: z.int(),
  expired_time: z.int(),
  /** 0: never used. */
  used_time: z.int(),
});
export type ScimToken = z.infer<typeof scimToken>;

/** A new SCIM token, including the token itself, which is returned only once. */
export const createdScimToken = z.extend(scimToken, {
  token: z.string(),
  /** URL for the directory; only the path while the gateway has no server address. */
  url: z.string(),
});
export type CreatedScimToken = z.infer<typeof createdScimToken>;

export const directoryUser = z.object({
  /** ID in SCIM. */
  id: z.int(),
  user_id: z.int(),
  username: z.string(),
  user_name: z.string(),
  external_id: z.string(),
  email: z.string(),
  is_active: z.boolean(),
  /** True if the directory created the account. */
  is_managed: z.boolean(),
  created_time: z.int(),
  updated_time: z.int(),
});
export type DirectoryUser = z.infer<typeof directoryUser>;

export const directoryGroup = z.object({
  id: z.int(),
  name: z.string(),
  external_id: z.string(),
  role: z.catch(z.union([z.enum(organizationRoles), z.literal('')]), ''),
  members: z.int(),
});
export type DirectoryGroup = z.infer<typeof directoryGroup>;

/** Provisioning of an organization by a directory (SCIM). */
export const organizationDirectoryApi = {
  tokens: {
    method: 'GET',
    path: '/api/organization/:id/scim/tokens',
    access: 'user',
    params: idParams,
    reply: z.array(scimToken),
  },
  createToken: {
    method: 'POST',
    path: '/api/organization/:id/scim/tokens',
    access: 'user',
    proof: 'recent',
    limit: 'critical',
    params: idParams,
    body: z.object({
      /** Grace period of the other tokens, in seconds. */
      grace: z._default(z.int().check(z.minimum(0), z.maximum(maxGraceSeconds)), 0),
    }),
    reply: createdScimToken,
  },
  revokeToken: {
    method: 'DELETE',
    path: '/api/organization/:id/scim/tokens/:scim_token',
    access: 'user',
    proof: 'session',
    params: z.extend(idParams, { scim_token: queryInteger(1, Number.MAX_SAFE_INTEGER) }),
    reply: noData,
  },
  users: {
    method: 'GET',
    path: '/api/organization/:id/scim/users',
    access: 'user',
    params: idParams,
    reply: z.array(directoryUser),
  },
  groups: {
    method: 'GET',
    path: '/api/organization/:id/scim/groups',
    access: 'user',
    params: idParams,
    reply: z.array(directoryGroup),
  },
  updateGroup: {
    method: 'PUT',
    path: '/api/organization/:id/scim/groups',
    access: 'user',
    proof: 'recent',
    params: idParams,
    body: z.object({ id: rowId, role: groupRole }),
    reply: noData,
  },
} as const satisfies EndpointTable;
