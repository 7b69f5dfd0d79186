import * as z from 'zod/mini';
import { tagList } from '../records/tags.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import {
  commaList,
  expectedQuota,
  idParams,
  keyword,
  listQuery,
  noData,
  quota,
  rowId,
  statusCounts,
  statusOnlyQuery,
} from '../wire/list.ts';
import { policy } from './policy.ts';

export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

export const tokenStatuses: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [tokenStatus.enabled]: { label: 'Enabled', color: 'green' },
  [tokenStatus.disabled]: { label: 'Disabled', color: 'red' },
  [tokenStatus.expired]: { label: 'Expired', color: 'yellow' },
  [tokenStatus.exhausted]: { label: 'Exhausted', color: 'gray' },
};

/** Prefix of every key as users see and send it. */
export const tokenKeyPrefix = 'sk-';
export const tokenNameLength = { max: 30 } as const;
export const neverExpires = -1;

export const token = z.object({
  id: z.int(),
  user_id: z.int(),
  /** Without the prefix. Empty: only a hash was imported, and the key has not been used yet. */
  key: z.string(),
  status: z.int(),
  name: z.string(),
  created_time: z.int(),
  accessed_time: z.int(),
  expired_time: z.int(),
  remain_quota: z.int(),
  unlimited_quota: z.boolean(),
  used_quota: z.int(),
  models: z._default(z.nullable(z.string()), ''),
  subnet: z._default(z.nullable(z.string()), ''),
  note: z._default(z.string(), ''),
  /** Subset of the user's groups; empty: all of them. */
  groups: z._default(z.string(), ''),
  /** Allowed dialects and endpoints; empty: all. */
  dialects: z._default(z.string(), ''),
  endpoints: z._default(z.string(), ''),
  /** True if an admin has restricted the token to some channels. */
  is_bound: z._default(z.boolean(), false),
  /** Time until which the previous key is valid; 0: it is no longer valid. */
  old_key_until: z._default(z.int(), 0),
  /** True if an admin disabled the token; only an admin can then enable it. */
  is_locked: z._default(z.boolean(), false),
  lock_reason: z._default(z.string(), ''),
  /** Tags of all requests, such as `team=search`, separated by commas; clients cannot change them. */
  fixed_tags: z._default(z.string(), ''),
});
export type Token = z.infer<typeof token>;

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(tokenNameLength.max));

/** Unix seconds, or -1 for never. */
export const expiredTime = z.int().check(z.minimum(neverExpires), z.maximum(100_000_000_000));

const models = commaList(20_000);
const subnet = commaList(4000);

export const tokenNoteLength = { max: 500 } as const;
export const lockReasonLength = { max: 200 } as const;
/** 30 days. */
export const maxGraceSeconds = 2_592_000;
const defaultGraceSeconds = 86_400;

/** Restrictions beyond those of One API. */
const scope = {
  note: z.string().check(z.trim(), z.maxLength(tokenNoteLength.max)),
  groups: commaList(2000),
  dialects: commaList(200),
  endpoints: commaList(500),
} as const;

export const tokenCreation = z.object({
  name,
  /** 0 comes from an empty form field and means never. */
  expired_time: z._default(expiredTime.check(z.overwrite((time) => time || neverExpires)), neverExpires),
  remain_quota: z._default(quota, 0),
  unlimited_quota: z._default(z.boolean(), false),
  models: z._default(models, ''),
  subnet: z._default(subnet, ''),
  note: z._default(scope.note, ''),
  groups: z._default(scope.groups, ''),
  dialects: z._default(scope.dialects, ''),
  endpoints: z._default(scope.endpoints, ''),
  fixed_tags: z._default(tagList, ''),
  policy: z.optional(policy),
});

/** Omitted fields are unchanged. The status values expired and exhausted are derived and ignored here. */
export const tokenUpdate = z.object({
  id: rowId,
  name: z.optional(name),
  status: z.optional(z.literal(Object.values(tokenStatus))),
  expired_time: z.optional(expiredTime),
  remain_quota: z.optional(quota),
  remain_quota_was: expectedQuota,
  unlimited_quota: z.optional(z.boolean()),
  models: z.optional(models),
  subnet: z.optional(subnet),
  note: z.optional(scope.note),
  groups: z.optional(scope.groups),
  dialects: z.optional(scope.dialects),
  endpoints: z.optional(scope.endpoints),
  fixed_tags: z.optional(tagList),
  policy: z.optional(policy),
});

/** Sort orders of the dropdown. Unlimited tokens sort as having the most quota left. */
export const tokenOrders = ['', 'remain_quota', 'used_quota'] as const;

const tokenColumns = ['id', 'name', 'status', 'used_quota', 'remain_quota', 'created_time', 'expired_time'] as const;

const tokenList = z.extend(listQuery(tokenColumns), { order: z._default(z.catch(z.enum(tokenOrders), ''), '') });

export const tokenApi = {
  list: {
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    query: tokenList,
    list: true,
    reply: z.array(token),
  },
  search: {
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    query: z.extend(tokenList, { keyword }),
    list: true,
    reply: z.array(token),
  },
  counts: {
    method: 'GET',
    path: '/api/token/counts',
    access: 'user',
    reply: statusCounts,
  },
  get: {
    method: 'GET',
    path: '/api/token/:id',
    access: 'user',
    params: idParams,
    reply: token,
  },
  create: {
    method: 'POST',
    path: '/api/token/',
    access: 'user',
    body: tokenCreation,
    reply: token,
  },
  update: {
    method: 'PUT',
    path: '/api/token/',
    access: 'user',
    query: statusOnlyQuery,
    body: tokenUpdate,
    reply: token,
  },
  rotate: {
    method: 'POST',
    path: '/api/token/:id/rotate',
    access: 'user',
    params: idParams,
    body: z.object({
      /** Seconds; 0: the old key stops working immediately. */
      grace: z._default(z.int().check(z.minimum(0), z.maximum(maxGraceSeconds)), defaultGraceSeconds),
    }),
    reply: token,
  },
  endOldKey: {
    method: 'POST',
    path: '/api/token/:id/rotate/end',
    access: 'user',
    params: idParams,
    reply: token,
  },
  remove: {
    method: 'DELETE',
    path: '/api/token/:id/',
    access: 'user',
    params: idParams,
    reply: noData,
  },
} as const satisfies EndpointTable;
