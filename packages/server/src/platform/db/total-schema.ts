import type { Generated } from 'kysely';

/** PostgreSQL only: changes of totals that are not in their tables yet; see decision 49. */

export interface BalanceChangeTable {
  kind: 'user' | 'token' | 'channel';
  owner_id: number;
  quota: number;
  /** Part of it that counts against the token's limit. */
  limited: number;
  /** Part of it that is in no log. */
  unlogged: number;
  /** Amount charged to budgets. A request counts once for each of its budgets. */
  budgeted: Generated<number>;
  requests: number;
  used_time: number;
}
