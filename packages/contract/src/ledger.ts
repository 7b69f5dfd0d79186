import * as z from 'zod/mini';
import type { EndpointTable } from './endpoint.ts';

/** For each user: credited − used − remaining − reserved. All are 0 when the books balance. */
export const ledger = z.object({
  users: z.int(),
  drift: z.int(),
  offenders: z.array(z.object({ id: z.int(), username: z.string(), drift: z.int() })),
});
export type Ledger = z.infer<typeof ledger>;

export const ledgerApi = {
  check: {
    method: 'GET',
    path: '/api/ledger',
    access: 'admin',
    summary: 'Whether the quota of every user adds up',
    reply: ledger,
  },
} as const satisfies EndpointTable;
