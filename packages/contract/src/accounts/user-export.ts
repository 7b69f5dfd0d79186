import * as z from 'zod/mini';
import { exportSettings, selectedExport } from '../records/export.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { user, userFilter } from './user.ts';

export const userExportApi = {
  all: {
    method: 'GET',
    path: '/api/user/export',
    access: 'admin',
    query: z.object({ ...exportSettings, ...userFilter.shape }),
    file: true,
    reply: user,
  },
  chosen: {
    method: 'POST',
    path: '/api/user/export',
    access: 'admin',
    body: selectedExport,
    file: true,
    reply: user,
  },
} as const satisfies EndpointTable;
