import * as z from 'zod/mini';
import { bulkMode, bulkReport, bulkUndo, rowSelection } from '../records/bulk.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { keyword, queryInteger } from '../wire/list.ts';
import { redemptionStatus } from './redemption.ts';

/** Filters of the redemption code list. */
export const redemptionFilter = z.object({ keyword, status: z.optional(queryInteger(0, 1000)) });

export type RedemptionFilter = z.output<typeof redemptionFilter>;

export const redemptionBulkChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), status: z.literal([redemptionStatus.unused, redemptionStatus.disabled]) }),
  z.object({ kind: z.literal('delete') }),
]);
export type RedemptionBulkChange = z.output<typeof redemptionBulkChange>;

export const redemptionBulkApi = {
  run: {
    method: 'POST',
    path: '/api/redemption/bulk',
    access: 'admin',
    body: z.object({ chosen: rowSelection(redemptionFilter), change: redemptionBulkChange, ...bulkMode }),
    reply: bulkReport,
  },
  undo: {
    method: 'POST',
    path: '/api/redemption/bulk/undo',
    access: 'admin',
    body: bulkUndo,
    reply: bulkReport,
  },
} as const satisfies EndpointTable;
