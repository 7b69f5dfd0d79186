import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import {
  commaList,
  idParams,
  keyword,
  listQuery,
  nothing,
  quota,
  quotaBefore,
  rowId,
  statusCounts,
  statusOnlyQuery,
} from '../wire/list.ts';

export const tokenStatus = { enabled: 1, disabled: 2, expired: 3, exhausted: 4 } as const;

export const tokenStatuses: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [tokenStatus.enabled]: { label: 'Enabled', color: 'green' },
  [tokenStatus.disabled]: { label: 'Disabled', color: 'red' },
  [tokenStatus.expired]: { label: 'Expired', color: 'yellow' },
  [tokenStatus.exhausted]: { label: 'Exhausted', color: 'gray' },
};

/** Stands before every key that people see or send. */
export const tokenKeyPrefix = 'sk-';
export const tokenNameLength = { max: 30 } as const;
export const neverExpires = -1;

export const token = z.object({
  id: z.int(),
  user_id: z.int(),
  /** 48 characters, without the prefix. */
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
  /** Of the groups of its user; empty: all of them. */
  groups: z._default(z.string(), ''),
  /** In whose words it may ask, and for what; empty: anything. */
  dialects: z._default(z.string(), ''),
  endpoints: z._default(z.string(), ''),
  /** Whether an admin has bound it to some channels. */
  is_bound: z._default(z.boolean(), false),
  /** Until when the key before this one works too; 0: it does not. */
  old_key_until: z._default(z.int(), 0),
});
export type Token = z.infer<typeof token>;

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(tokenNameLength.max));

/** Seconds since 1970, or -1 for never. */
export const expiredTime = z.int().check(z.minimum(neverExpires), z.maximum(100_000_000_000));

const models = commaList(20_000);
const subnet = commaList(4000);

export const tokenNoteLength = { max: 500 } as const;
/** A month. */
export const longestGrace = 2_592_000;
const usualGrace = 86_400;

/** What a token may be narrowed to beside the fields of old. */
const scope = {
  note: z.string().check(z.trim(), z.maxLength(tokenNoteLength.max)),
  groups: commaList(2000),
  dialects: commaList(200),
  endpoints: commaList(500),
} as const;

export const tokenCreation = z.object({
  name,
  /** 0 is an empty field, and that means never. */
  expired_time: z._default(expiredTime.check(z.overwrite((time) => time || neverExpires)), neverExpires),
  remain_quota: z._default(quota, 0),
  unlimited_quota: z._default(z.boolean(), false),
  models: z._default(models, ''),
  subnet: z._default(subnet, ''),
  note: z._default(scope.note, ''),
  groups: z._default(scope.groups, ''),
  dialects: z._default(scope.dialects, ''),
  endpoints: z._default(scope.endpoints, ''),
});

/** Fields that are left out stay as they are. Expired and exhausted follow from the rest: sent back, they say nothing. */
export const tokenUpdate = z.object({
  id: rowId,
  name: z.optional(name),
  status: z.optional(z.literal(Object.values(tokenStatus))),
  expired_time: z.optional(expiredTime),
  remain_quota: z.optional(quota),
  remain_quota_was: quotaBefore,
  unlimited_quota: z.optional(z.boolean()),
  models: z.optional(models),
  subnet: z.optional(subnet),
  note: z.optional(scope.note),
  groups: z.optional(scope.groups),
  dialects: z.optional(scope.dialects),
  endpoints: z.optional(scope.endpoints),
});

/** The orders that the dropdown offers; unlimited tokens have the most left. */
export const tokenOrders = ['', 'remain_quota', 'used_quota'] as const;

const tokenColumns = ['id', 'name', 'status', 'used_quota', 'remain_quota', 'created_time', 'expired_time'] as const;

const tokenList = z.extend(listQuery(tokenColumns), { order: z._default(z.catch(z.enum(tokenOrders), ''), '') });

export const tokenApi = {
  list: {
    method: 'GET',
    path: '/api/token/',
    access: 'user',
    summary: 'The own tokens, newest first unless ordered otherwise',
    query: tokenList,
    list: true,
    reply: z.array(token),
  },
  search: {
    method: 'GET',
    path: '/api/token/search',
    access: 'user',
    summary: 'The own tokens whose name contains the keyword',
    query: z.extend(tokenList, { keyword }),
    list: true,
    reply: z.array(token),
  },
  counts: {
    method: 'GET',
    path: '/api/token/counts',
    access: 'user',
    summary: 'How many own tokens are in each status',
    reply: statusCounts,
  },
  get: {
    method: 'GET',
    path: '/api/token/:id',
    access: 'user',
    summary: 'One own token',
    params: idParams,
    reply: token,
  },
  create: {
    method: 'POST',
    path: '/api/token/',
    access: 'user',
    summary: 'Create a token',
    body: tokenCreation,
    reply: token,
  },
  update: {
    method: 'PUT',
    path: '/api/token/',
    access: 'user',
    summary: 'Change a token; with status_only nothing but its status',
    query: statusOnlyQuery,
    body: tokenUpdate,
    reply: token,
  },
  rotate: {
    method: 'POST',
    path: '/api/token/:id/rotate',
    access: 'user',
    summary: 'Give a token a new key; the old one works for a while, a day unless told otherwise',
    params: idParams,
    body: z.object({
      /** Seconds; 0: the old key ends at once. */
      grace: z._default(z.int().check(z.minimum(0), z.maximum(longestGrace)), usualGrace),
    }),
    reply: token,
  },
  endOldKey: {
    method: 'POST',
    path: '/api/token/:id/rotate/end',
    access: 'user',
    summary: 'End the old key of a token now',
    params: idParams,
    reply: token,
  },
  remove: {
    method: 'DELETE',
    path: '/api/token/:id/',
    access: 'user',
    summary: 'Delete a token',
    params: idParams,
    reply: nothing,
  },
} as const satisfies EndpointTable;
