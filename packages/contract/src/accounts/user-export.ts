import * as z from 'zod/mini';
import { chosenExport, exportManner } from '../records/export.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { user, userFilter } from './user.ts';

export const userExportApi = {
  all: {
    method: 'GET',
    path: '/api/user/export',
    access: 'admin',
    query: z.object({ ...exportManner, ...userFilter.shape }),
    file: true,
    reply: user,
  },
  chosen: {
    method: 'POST',
    path: '/api/user/export',
    access: 'admin',
    body: chosenExport,
    file: true,
    reply: user,
  },
} as const satisfies EndpointTable;
