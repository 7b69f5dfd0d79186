import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';

/** Checks per user and for all budgets. All values are 0 when the ledger is balanced. */
export const ledger = z.object({
  users: z.int(),
  /** Credited − used − remaining − reserved. */
  drift: z.int(),
  /** Used − consumption according to the logs, including deleted rows and rows that are not written yet. */
  log_drift: z.int(),
  offenders: z.array(z.object({ id: z.int(), username: z.string(), drift: z.int(), log_drift: z.int() })),
  /** Budget usage computed from user totals − usage recorded in the budgets. */
  budget_drift: z._default(z.int(), 0),
  /** Charge batches that could not be read after a crash. They are stored but not charged. */
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
