import type { BudgetKind, BudgetPeriod } from '@headgate/contract';
import type { Generated } from 'kysely';

/** What somebody may spend in a day, a week, a month or in all. */
export interface BudgetTable {
  id: Generated<number>;
  owner_kind: BudgetKind;
  /** The token or the user; 0 for a group. */
  owner_id: number;
  /** The name of the group; empty for the others. */
  owner_group: string;
  amount: number;
  period: BudgetPeriod;
  time_zone: string;
  enabled: number;
  note: string;
  created_time: number;
}

/** What was charged to a budget by requests that began in one of its periods. Stays when the budget is deleted. */
export interface BudgetPeriodTable {
  id: Generated<number>;
  budget_id: number;
  /** The first second that counts. */
  start_time: number;
  used: Generated<number>;
  /** The largest share, in percent, that somebody was told of. */
  noticed: Generated<number>;
}

/** What was added to periods on PostgreSQL and is not in their rows yet; see decision 49. */
export interface BudgetChangeTable {
  period_id: number;
  quota: number;
}
