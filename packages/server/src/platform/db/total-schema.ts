import type { Generated } from 'kysely';

/** What was added to totals on PostgreSQL and is not in their tables yet; see decision 49. */

export interface BalanceChangeTable {
  kind: 'user' | 'token' | 'channel';
  owner_id: number;
  /** What was spent. */
  quota: number;
  /** What of it counts against the limit of a token. */
  limited: number;
  /** What of it no log tells. */
  unlogged: number;
  /** What of it was charged to budgets, to each in full. */
  budgeted: Generated<number>;
  requests: number;
  used_time: number;
}
