import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, keyword, listQuery, noData, quota, rowId, statusCounts, statusOnlyQuery } from '../wire/list.ts';

export const redemptionStatus = { unused: 1, disabled: 2, used: 3 } as const;

export const redemptionStatuses: Readonly<Record<number, { readonly label: string; readonly color: string }>> = {
  [redemptionStatus.unused]: { label: 'Unused', color: 'green' },
  [redemptionStatus.disabled]: { label: 'Disabled', color: 'red' },
  [redemptionStatus.used]: { label: 'Used', color: 'gray' },
};

export const redemptionNameLength = { max: 20 } as const;
export const redemptionDefaults = { quota: 100_000, count: 1, max_uses: 1, expired_time: 0 } as const;
export const maxRedemptionUses = 1_000_000;

export const redemption = z.object({
  id: z.int(),
  /** The admin who created the code. */
  user_id: z.int(),
  key: z.string(),
  status: z.int(),
  name: z.string(),
  quota: z.int(),
  created_time: z.int(),
  /** Unix seconds; 0: unused. */
  redeemed_time: z.int(),
  /** The user who redeemed the code; 0: unused. */
  redeemed_user_id: z._default(z.int(), 0),
  /** Unix seconds; 0: never. */
  expired_time: z._default(z.int(), redemptionDefaults.expired_time),
  /** Number of users who can redeem the code, once each. */
  max_uses: z._default(z.int(), redemptionDefaults.max_uses),
  use_count: z._default(z.int(), 0),
  /** Plan that the code grants instead of quota; 0: none. */
  plan_id: z._default(z.int(), 0),
});
export type Redemption = z.infer<typeof redemption>;

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(redemptionNameLength.max));
const worth = quota.check(z.minimum(1));
const expiredTime = z.int().check(z.minimum(0), z.maximum(253_402_300_799));
const maxUses = z.int().check(z.minimum(1), z.maximum(maxRedemptionUses));

const redemptionColumns = ['id', 'name', 'status', 'quota', 'created_time', 'redeemed_time'] as const;

export const redemptionApi = {
  list: {
    method: 'GET',
    path: '/api/redemption/',
    access: 'admin',
    query: listQuery(redemptionColumns),
    list: true,
    reply: z.array(redemption),
  },
  search: {
    method: 'GET',
    path: '/api/redemption/search',
    access: 'admin',
    query: z.extend(listQuery(redemptionColumns), { keyword }),
    list: true,
    reply: z.array(redemption),
  },
  counts: {
    method: 'GET',
    path: '/api/redemption/counts',
    access: 'admin',
    reply: statusCounts,
  },
  get: {
    method: 'GET',
    path: '/api/redemption/:id',
    access: 'admin',
    params: idParams,
    reply: redemption,
  },
  create: {
    method: 'POST',
    path: '/api/redemption/',
    access: 'admin',
    body: z
      .object({
        name,
        quota: z._default(quota, 0),
        count: z._default(z.int().check(z.minimum(1)), redemptionDefaults.count),
        expired_time: z._default(expiredTime, redemptionDefaults.expired_time),
        max_uses: z._default(maxUses, redemptionDefaults.max_uses),
        plan_id: z._default(z.union([z.literal(0), rowId]), 0),
      })
      .check(
        z.refine(({ quota, plan_id }) => quota > 0 !== plan_id > 0, {
          path: ['quota'],
          error: 'either quota or plan_id',
        }),
      ),
    reply: z.array(z.string()),
  },
  update: {
    method: 'PUT',
    path: '/api/redemption/',
    access: 'admin',
    query: statusOnlyQuery,
    body: z.object({
      id: rowId,
      name: z.optional(name),
      quota: z.optional(worth),
      expired_time: z.optional(expiredTime),
      max_uses: z.optional(maxUses),
      status: z.optional(z.literal(Object.values(redemptionStatus))),
    }),
    reply: redemption,
  },
  remove: {
    method: 'DELETE',
    path: '/api/redemption/:id/',
    access: 'admin',
    params: idParams,
    reply: noData,
  },
} as const satisfies EndpointTable;
