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
export const redemptionDefaults = { quota: 100_000, count: 1 } as const;

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
});
export type Redemption = z.infer<typeof redemption>;

const name = z.string().check(z.trim(), z.minLength(1), z.maxLength(redemptionNameLength.max));
const worth = quota.check(z.minimum(1));

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
    body: z.object({ name, quota: worth, count: z._default(z.int().check(z.minimum(1)), redemptionDefaults.count) }),
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
