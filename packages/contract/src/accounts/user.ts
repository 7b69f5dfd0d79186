import * as z from 'zod/mini';
import { displayNameLength, passwordLength, usernameLength } from '../catalog/limits.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import {
  commaList,
  idParams,
  keyword,
  listQuery,
  nothing,
  queryInteger,
  quota,
  quotaBefore,
  rowId,
  statusCounts,
} from '../wire/list.ts';
import { withoutControls } from '../wire/names.ts';

export const userStatus = { enabled: 1, disabled: 2, deleted: 3 } as const;

export const userStatuses: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [userStatus.enabled]: { label: 'Activated', color: 'green' },
  [userStatus.disabled]: { label: 'Banned', color: 'red' },
};

/** A user as every reply shows one: secrets (password, access token) are never part of it. */
export const user = z.object({
  id: z.int(),
  username: z.string(),
  display_name: z.string(),
  role: z.int(),
  status: z.int(),
  email: z.string(),
  github_id: z.string(),
  wechat_id: z.string(),
  lark_id: z.string(),
  oidc_id: z.string(),
  quota: z.int(),
  used_quota: z.int(),
  request_count: z.int(),
  group: z.string(),
  aff_code: z.string(),
  inviter_id: z.int(),
});
export type User = z.infer<typeof user>;

/** What login answers and the browser keeps. */
export const signedInUser = z.pick(user, { id: true, username: true, display_name: true, role: true, status: true });
export type SignedInUser = z.infer<typeof signedInUser>;

/** In one form of those that look the same; what may be in a new one is the server's to say. */
export const username = z.string().check(z.trim(), z.normalize('NFC'), z.minLength(1), z.maxLength(usernameLength.max));
export const displayName = z.string().check(z.overwrite(withoutControls), z.trim(), z.maxLength(displayNameLength.max));
export const password = z.string().check(z.minLength(passwordLength.min), z.maxLength(passwordLength.max));

/** What the bot check gave the browser; it works for one call. */
export const turnstileToken = z.optional(z.string().check(z.maxLength(4000)));

/** A field left blank stays as it is. */
const unlessBlank = <S extends z.ZodMiniType>(schema: S) =>
  z.optional(
    z.union([
      z.pipe(
        z.literal(''),
        z.transform(() => undefined),
      ),
      schema,
    ]),
  );

export const profileUpdate = z.object({
  username: unlessBlank(username),
  display_name: unlessBlank(displayName),
  password: unlessBlank(password),
});

export const userCreation = z.object({
  username,
  display_name: z._default(displayName, ''),
  password,
});

/**
 * What an admin may change of another user. Fields that are left out stay, and so do blank ones, but for the group: an
 * empty one is the default group. Role and status have their own call.
 */
export const userUpdate = z.object({
  id: rowId,
  username: unlessBlank(username),
  display_name: unlessBlank(displayName),
  password: unlessBlank(password),
  group: z.optional(commaList(500)),
  quota: z.optional(quota),
  quota_was: quotaBefore,
});

export const manageActions = ['promote', 'demote', 'delete', 'enable', 'disable'] as const;
export type ManageAction = (typeof manageActions)[number];

/** The orders that the dropdown offers, descending; the empty one is newest first. */
export const userOrders = ['', 'quota', 'used_quota', 'request_count'] as const;

const userColumns = [
  'id',
  'username',
  'group',
  'quota',
  'used_quota',
  'request_count',
  'role',
  'status',
  'created_time',
] as const;

const mostPoints = Number.MAX_SAFE_INTEGER;

/** What can be asked of users beside a keyword; all of it must hold. */
const narrowing = {
  role: z.optional(queryInteger(0, 1000)),
  group: z.optional(z.string().check(z.trim(), z.maxLength(500))),
  /** Who has this much or more left, and who has less than that. */
  quota_from: z.optional(queryInteger(-mostPoints, mostPoints)),
  quota_below: z.optional(queryInteger(-mostPoints, mostPoints)),
} as const;

/** Which users: the filters of the list. */
export const userFilter = z.object({ keyword, status: z.optional(queryInteger(0, 1000)), ...narrowing });
export type UserFilter = z.output<typeof userFilter>;

const userList = z.extend(listQuery(userColumns), {
  order: z._default(z.catch(z.enum(userOrders), ''), ''),
  ...narrowing,
});

/** Own consumption of one day and model. */
export const dashboardRow = z.object({
  Day: z.string(),
  ModelName: z.string(),
  RequestCount: z.int(),
  Quota: z.int(),
  PromptTokens: z.int(),
  CompletionTokens: z.int(),
});

export const userApi = {
  list: {
    method: 'GET',
    path: '/api/user/',
    access: 'admin',
    query: userList,
    list: true,
    reply: z.array(user),
  },
  search: {
    method: 'GET',
    path: '/api/user/search',
    access: 'admin',
    query: z.extend(userList, { keyword }),
    list: true,
    reply: z.array(user),
  },
  counts: {
    method: 'GET',
    path: '/api/user/counts',
    access: 'admin',
    reply: statusCounts,
  },
  self: { method: 'GET', path: '/api/user/self', access: 'user', reply: user },
  updateSelf: {
    method: 'PUT',
    path: '/api/user/self',
    access: 'user',
    body: profileUpdate,
    reply: nothing,
  },
  removeSelf: {
    method: 'DELETE',
    path: '/api/user/self',
    access: 'user',
    proof: 'recent',
    reply: nothing,
  },
  makeAccessToken: {
    method: 'GET',
    path: '/api/user/token',
    access: 'user',
    changes: true,
    proof: 'recent',
    reply: z.string(),
  },
  inviteCode: {
    method: 'GET',
    path: '/api/user/aff',
    access: 'user',
    changes: true,
    reply: z.string(),
  },
  redeem: {
    method: 'POST',
    path: '/api/user/topup',
    access: 'user',
    body: z.object({ key: z.string().check(z.trim(), z.maxLength(200)) }),
    reply: z.int(),
  },
  availableModels: {
    method: 'GET',
    path: '/api/user/available_models',
    access: 'user',
    reply: z.array(z.string()),
  },
  dashboard: {
    method: 'GET',
    path: '/api/user/dashboard',
    access: 'user',
    reply: z.array(dashboardRow),
  },
  get: {
    method: 'GET',
    path: '/api/user/:id',
    access: 'admin',
    params: idParams,
    reply: user,
  },
  create: {
    method: 'POST',
    path: '/api/user/',
    access: 'admin',
    body: userCreation,
    reply: nothing,
  },
  update: {
    method: 'PUT',
    path: '/api/user/',
    access: 'admin',
    body: userUpdate,
    reply: nothing,
  },
  manage: {
    method: 'POST',
    path: '/api/user/manage',
    access: 'admin',
    body: z.object({ username: z.string().check(z.minLength(1), z.maxLength(100)), action: z.enum(manageActions) }),
    reply: z.pick(user, { role: true, status: true }),
  },
  remove: {
    method: 'DELETE',
    path: '/api/user/:id',
    access: 'admin',
    params: idParams,
    reply: nothing,
  },
  topUp: {
    method: 'POST',
    path: '/api/topup',
    access: 'admin',
    body: z.object({
      user_id: rowId,
      quota: quota.check(z.minimum(1)),
      remark: z._default(z.string().check(z.trim(), z.maxLength(500)), ''),
    }),
    reply: nothing,
  },
} as const satisfies EndpointTable;
