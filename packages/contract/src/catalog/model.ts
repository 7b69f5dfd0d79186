import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';

export const modelApi = {
  byType: {
    method: 'GET',
    path: '/api/models',
    access: 'user',
    reply: z.record(z.string(), z.array(z.string())),
  },
} as const satisfies EndpointTable;
