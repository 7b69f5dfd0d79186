import * as z from 'zod/mini';
import { displayNameLength, maxConfigurablePasswordLength, passwordLength, usernameLength } from '../catalog/limits.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import {
  commaList,
  expectedQuota,
  idParams,
  keyword,
  listQuery,
  noData,
  queryInteger,
  quota,
  rowId,
  statusCounts,
} from '../wire/list.ts';
import { stripControlCharacters } from '../wire/names.ts';
import { policy } from './policy.ts';

export const userStatus = { enabled: 1, disabled: 2, deleted: 3 } as const;

export const userStatuses: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [userStatus.enabled]: { label: 'Activated', color: 'green' },
  [userStatus.disabled]: { label: 'Banned', color: 'red' },
};

/** A user as returned by the API. Secrets such as the password are never included. */
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
  /** True if an admin has disabled all tokens: only an admin can create or enable tokens of this user. */
  tokens_locked: z._default(z.boolean(), false),
});
export type User = z.infer<typeof user>;

/** The user as returned by a login and stored by the browser. */
export const signedInUser = z.pick(user, { id: true, username: true, display_name: true, role: true, status: true });
export type SignedInUser = z.infer<typeof signedInUser>;

/** NFC-normalized. The server decides which characters a new username may have. */
export const username = z.string().check(z.trim(), z.normalize('NFC'), z.minLength(1), z.maxLength(usernameLength.max));
export const displayName = z
  .string()
  .check(z.overwrite(stripControlCharacters), z.trim(), z.maxLength(displayNameLength.max));
/** The server also enforces the option PasswordMaxLength. */
export const password = z.string().check(z.minLength(passwordLength.min), z.maxLength(maxConfigurablePasswordLength));

/** Response token of the bot check, valid for one call. */
export const turnstileToken = z.optional(z.string().check(z.maxLength(4000)));

/** An empty field is unchanged. */
const emptyMeansUnchanged = <S extends z.ZodMiniType>(schema: S) =>
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
  username: emptyMeansUnchanged(username),
  display_name: emptyMeansUnchanged(displayName),
  password: emptyMeansUnchanged(password),
});

export const userCreation = z.object({
  username,
  display_name: z._default(displayName, ''),
  password,
  policy: z.optional(policy),
});

/**
 * Changes that an admin can make to another user. Omitted and empty fields are unchanged, except that an empty group
 * means the default group. Role and status have their own endpoint.
 */
export const userUpdate = z.object({
  id: rowId,
  username: emptyMeansUnchanged(username),
  display_name: emptyMeansUnchanged(displayName),
  password: emptyMeansUnchanged(password),
  group: z.optional(commaList(500)),
  quota: z.optional(quota),
  quota_was: expectedQuota,
  policy: z.optional(policy),
});

export const manageActions = ['promote', 'demote', 'delete', 'enable', 'disable'] as const;
export type ManageAction = (typeof manageActions)[number];

/** Sort orders of the dropdown, descending. Empty: newest first. */
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

const maxPoints = Number.MAX_SAFE_INTEGER;

/** Filters in addition to the keyword; all must match. */
const userFilters = {
  role: z.optional(queryInteger(0, 1000)),
  group: z.optional(z.string().check(z.trim(), z.maxLength(500))),
  /** Balance at least `quota_from` and less than `quota_below`. */
  quota_from: z.optional(queryInteger(-maxPoints, maxPoints)),
  quota_below: z.optional(queryInteger(-maxPoints, maxPoints)),
} as const;

/** Filters of the user list. */
export const userFilter = z.object({ keyword, status: z.optional(queryInteger(0, 1000)), ...userFilters });
export type UserFilter = z.output<typeof userFilter>;

const userList = z.extend(listQuery(userColumns), {
  order: z._default(z.catch(z.enum(userOrders), ''), ''),
  ...userFilters,
});

/** Consumption of the caller by day and model. */
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
    reply: noData,
  },
  removeSelf: {
    method: 'DELETE',
    path: '/api/user/self',
    access: 'user',
    proof: 'recent',
    reply: noData,
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
    reply: noData,
  },
  update: {
    method: 'PUT',
    path: '/api/user/',
    access: 'admin',
    body: userUpdate,
    reply: noData,
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
    reply: noData,
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
    reply: noData,
  },
} as const satisfies EndpointTable;
