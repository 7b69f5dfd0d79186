import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';

export const modelApi = {
  byType: {
    method: 'GET',
    path: '/api/models',
    access: 'user',
    summary: 'The models each channel type is known to offer, by type id',
    reply: z.record(z.string(), z.array(z.string())),
  },
} as const satisfies EndpointTable;
