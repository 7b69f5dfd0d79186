import * as z from 'zod/mini';
import { bulkMode, bulkReport, bulkUndo, rowSelection } from '../records/bulk.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { commaList } from '../wire/list.ts';
import { userFilter, userStatus } from './user.ts';

const maxPoints = 1_000_000_000_000_000;

export const userBulkChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), status: z.literal([userStatus.enabled, userStatus.disabled]) }),
  z.object({ kind: z.literal('group'), group: commaList(500) }),
  z.object({
    kind: z.literal('quota'),
    /** Points to add, or to remove if negative. A balance never falls below 0. */
    amount: z.int().check(
      z.minimum(-maxPoints),
      z.maximum(maxPoints),
      z.refine((amount) => amount !== 0),
    ),
    reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(500)),
  }),
  /** Disables all tokens of the users. */
  z.object({ kind: z.literal('tokens_off') }),
]);
export type UserBulkChange = z.output<typeof userBulkChange>;

export const userBulkApi = {
  run: {
    method: 'POST',
    path: '/api/user/bulk',
    access: 'admin',
    body: z.object({ chosen: rowSelection(userFilter), change: userBulkChange, ...bulkMode }),
    reply: bulkReport,
  },
  undo: {
    method: 'POST',
    path: '/api/user/bulk/undo',
    access: 'admin',
    body: bulkUndo,
    reply: bulkReport,
  },
} as const satisfies EndpointTable;
