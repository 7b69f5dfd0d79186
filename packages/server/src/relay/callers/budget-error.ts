import type { BudgetPeriod } from '@headgate/contract';
import { RelayError } from '@headgate/relay';
import { effectiveZone } from '../../accounts/budgets/budget-period.ts';
import { nowInSeconds } from '../../platform/runtime/clock.ts';
import type { BudgetFacts } from './budget-period-repository.ts';

interface UsedUp {
  readonly facts: BudgetFacts;
  readonly end: number;
}

/** Longest Retry-After in seconds; clients that honor the header would otherwise sleep for days. */
const longestRetryAfter = 3600;

const names: Readonly<Record<BudgetPeriod, string>> = {
  day: 'daily budget',
  week: 'weekly budget',
  month: 'monthly budget',
  all: 'budget',
};

/**
 * Error for a request that exceeds a budget. 429, as OpenAI returns when a project budget is spent: SDKs handle it,
 * and other gateways treat it as a cooldown instead of an invalid key.
 */
export function budgetExhausted(
  { facts, end }: UsedUp,
  tokenName: string,
  amount: (points: number) => string,
): RelayError {
  const whose = {
    token: `token ${tokenName}`,
    user: 'your account',
    group: `group ${facts.owner_group}`,
  }[facts.owner_kind];
  const again = Number.isFinite(end) ? `; it resets on ${moment(end, effectiveZone(facts.time_zone))}` : '';
  const words = `The ${names[facts.period]} of ${whose} (${amount(facts.amount)}) is used up or too small for this request`;
  const error = new RelayError(429, `${words}${again}`, 'budget_exhausted');
  const seconds = end - nowInSeconds();
  if (seconds <= longestRetryAfter) error.retryAfter = Math.max(1, seconds);
  return error;
}

const moment = (seconds: number, timeZone: string): string => {
  const day = { year: 'numeric', month: 'long', day: 'numeric' } as const;
  const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const written = new Intl.DateTimeFormat('en-GB', { ...day, ...time, timeZone }).format(seconds * 1000);
  return `${written} (${timeZone})`;
};
