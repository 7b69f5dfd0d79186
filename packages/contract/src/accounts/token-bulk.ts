import * as z from 'zod/mini';
import { bulkMode, bulkReport, bulkUndo, rowSelection } from '../records/bulk.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { commaList, keyword, queryInteger, quota } from '../wire/list.ts';
import { expiredTime, tokenNoteLength, tokenStatus } from './token.ts';

/** Filters of the token list. */
export const tokenFilter = z.object({ keyword, status: z.optional(queryInteger(0, 1000)) });

export type TokenFilter = z.output<typeof tokenFilter>;

export const tokenBulkChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), status: z.literal([tokenStatus.enabled, tokenStatus.disabled]) }),
  z.object({ kind: z.literal('expiry'), expired_time: expiredTime }),
  /** Remaining quota of each token; null: unlimited. */
  z.object({ kind: z.literal('quota'), remain_quota: z.nullable(quota) }),
  /** Empty: all models. */
  z.object({ kind: z.literal('models'), models: commaList(20_000) }),
  z.object({ kind: z.literal('note'), note: z.string().check(z.trim(), z.maxLength(tokenNoteLength.max)) }),
  z.object({ kind: z.literal('delete') }),
]);
export type TokenBulkChange = z.output<typeof tokenBulkChange>;

export const tokenBulkApi = {
  run: {
    method: 'POST',
    path: '/api/token/bulk',
    access: 'user',
    body: z.object({ chosen: rowSelection(tokenFilter), change: tokenBulkChange, ...bulkMode }),
    reply: bulkReport,
  },
  undo: {
    method: 'POST',
    path: '/api/token/bulk/undo',
    access: 'user',
    body: bulkUndo,
    reply: bulkReport,
  },
} as const satisfies EndpointTable;
