import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';

/** Two equations for each user, and one for all budgets; all are 0 when the books balance. */
export const ledger = z.object({
  users: z.int(),
  /** Credited − used − remaining − reserved. */
  drift: z.int(),
  /** Used − consumed according to the log, and to what is known of rows that were cleaned or never written. */
  log_drift: z.int(),
  offenders: z.array(z.object({ id: z.int(), username: z.string(), drift: z.int(), log_drift: z.int() })),
  /** What was charged to budgets according to the users who were charged − what the budgets say was used of them. */
  budget_drift: z._default(z.int(), 0),
  /** Groups of charges that a crash left in a form that cannot be read: kept, and not charged. */
  set_aside: z._default(z.int(), 0),
});
export type Ledger = z.infer<typeof ledger>;

export const ledgerApi = {
  check: {
    method: 'GET',
    path: '/api/ledger',
    access: 'admin',
    reply: ledger,
  },
} as const satisfies EndpointTable;
