import type { BudgetKind, BudgetPeriod } from '@headgate/contract';
import type { Generated } from 'kysely';

/** Spending limit per day, week, month or in total. */
export interface BudgetTable {
  id: Generated<number>;
  owner_kind: BudgetKind;
  /** Id of the token or user; 0 for a group. */
  owner_id: number;
  /** Name of the group; empty for tokens and users. */
  owner_group: string;
  amount: number;
  period: BudgetPeriod;
  time_zone: string;
  enabled: number;
  note: string;
  created_time: number;
}

/** Quota charged to a budget by requests that started in one of its periods. Kept when the budget is deleted. */
export interface BudgetPeriodTable {
  id: Generated<number>;
  budget_id: number;
  /** First second of the period. */
  start_time: number;
  used: Generated<number>;
  /** Highest usage threshold, in percent, that a notification was sent for. */
  noticed: Generated<number>;
}

/** PostgreSQL only: charges to budget periods that are not in `budget_periods` yet; see decision 49. */
export interface BudgetChangeTable {
  period_id: number;
  quota: number;
}
