import * as z from 'zod/mini';
import { type LimitMeasure, maxLimitAmount } from '../catalog/limit-rule.ts';
import { quota } from '../wire/list.ts';
import { type BudgetPeriod, budgetTimeZone } from './budget.ts';

/** Spending and rate limits in the forms of tokens and users. */
export const policyPeriods = ['day', 'month'] as const satisfies BudgetPeriod[];
export const policyMeasures = [
  'requests_per_minute',
  'tokens_per_minute',
  'requests_under_way',
] as const satisfies LimitMeasure[];
export type PolicyPeriod = (typeof policyPeriods)[number];
export type PolicyMeasure = (typeof policyMeasures)[number];

const spend = z.optional(z.nullable(quota.check(z.minimum(1))));
const rate = z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(maxLimitAmount))));

/**
 * Limits of a token or user, saved in the same transaction as budgets and limit rules. Omitted fields are unchanged,
 * null removes a limit.
 */
export const policy = z.object({
  /** Points per period. */
  day: spend,
  month: spend,
  requests_per_minute: rate,
  tokens_per_minute: rate,
  requests_under_way: rate,
  /** Time zone of new budgets. */
  time_zone: z._default(budgetTimeZone, 'UTC'),
});
export type Policy = z.output<typeof policy>;
