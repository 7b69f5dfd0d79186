import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { noData } from '../wire/list.ts';

/** The value of a secret is always empty; `stored` is true if a secret is stored. */
export const storedOption = z.object({ key: z.string(), value: z.string(), stored: z.optional(z.boolean()) });
export type StoredOption = z.infer<typeof storedOption>;

export const optionApi = {
  list: {
    method: 'GET',
    path: '/api/option/',
    access: 'admin',
    query: z.object({ ratios: z._default(z.enum(['effective', 'saved']), 'effective') }),
    reply: z.array(storedOption),
  },
  update: {
    method: 'PUT',
    path: '/api/option/',
    access: 'admin',
    body: z.object({ key: z.string().check(z.maxLength(100)), value: z.string() }),
    reply: noData,
  },
} as const satisfies EndpointTable;
