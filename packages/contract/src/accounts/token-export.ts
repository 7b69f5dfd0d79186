import * as z from 'zod/mini';
import { exportSettings, selectedExport } from '../records/export.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { token } from './token.ts';
import { tokenFilter } from './token-bulk.ts';

export const exportedToken = z.omit(token, { key: true });
export type ExportedToken = z.infer<typeof exportedToken>;

export const tokenExportApi = {
  all: {
    method: 'GET',
    path: '/api/token/export',
    access: 'user',
    query: z.object({ ...exportSettings, ...tokenFilter.shape }),
    file: true,
    reply: exportedToken,
  },
  chosen: {
    method: 'POST',
    path: '/api/token/export',
    access: 'user',
    body: selectedExport,
    file: true,
    reply: exportedToken,
  },
} as const satisfies EndpointTable;
