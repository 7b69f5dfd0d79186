import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';

export const groupApi = {
  list: {
    method: 'GET',
    path: '/api/group/',
    access: 'admin',
    reply: z.array(z.string()),
  },
} as const satisfies EndpointTable;
