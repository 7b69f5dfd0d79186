import * as z from 'zod/mini';
import type { EndpointTable } from './endpoint.ts';

/** For each user: credited − used − remaining − reserved. All are 0 when the books balance. */
export const ledger = z.object({
  users: z.int(),
  drift: z.int(),
  offenders: z.array(z.object({ id: z.int(), username: z.string(), drift: z.int() })),
  /** Groups of charges that a crash left in a form that cannot be read: kept, and not charged. */
  set_aside: z._default(z.int(), 0),
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
