import * as z from 'zod/mini';
import { exportSettings, selectedExport } from '../records/export.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { redemption } from './redemption.ts';
import { redemptionFilter } from './redemption-bulk.ts';

export const redemptionExportApi = {
  all: {
    method: 'GET',
    path: '/api/redemption/export',
    access: 'admin',
    query: z.object({ ...exportSettings, ...redemptionFilter.shape }),
    file: true,
    reply: redemption,
  },
  chosen: {
    method: 'POST',
    path: '/api/redemption/export',
    access: 'admin',
    body: selectedExport,
    file: true,
    reply: redemption,
  },
} as const satisfies EndpointTable;
