import type { AlertEvent } from './alert-event.ts';

interface Person {
  readonly id: number;
  readonly username: string;
}

/** Somebody was made an admin. */
export const newAdminEvent = (admin: Person, user: Person): AlertEvent => ({
  kind: 'new_admin',
  subject: `user:${user.id}`,
  page: `/user/view/${user.id}`,
  values: { id: user.id, user: user.username, admin: admin.username },
});

interface SignIn {
  readonly address: string;
  readonly userAgent: string;
}

/** An admin signed in from a network that is not known. */
export const newPlaceEvent = (
  { id, username }: Person,
  { address, userAgent }: SignIn,
  network: string,
): AlertEvent => ({
  kind: 'new_place',
  subject: `user:${id} ${network}`,
  page: `/user/view/${id}`,
  values: { id, user: username, address, browser: userAgent },
});

interface LowBalance {
  readonly user: Person & { readonly group: string };
  readonly before: number;
  readonly left: number;
  /** A quota as people read it. */
  readonly amount: (points: number) => string;
}

/** A user's balance fell below what a rule names: told when it falls below, not while it is. */
export const balanceEvent = ({ user, before, left, amount }: LowBalance, threshold: number): AlertEvent => ({
  kind: 'user_balance',
  subject: `user:${user.id}`,
  group: user.group,
  page: `/user/view/${user.id}`,
  values: { id: user.id, user: user.username, left: amount(left), threshold: amount(threshold) },
  isFor: (rule) => rule.threshold === threshold && isCrossing(threshold, before, left),
});

export const isCrossing = (threshold: number, before: number, left: number): boolean =>
  before >= threshold && left < threshold;

interface ReachedBudget {
  readonly id: number;
  /** What people call whose it is. */
  readonly owner: string;
  readonly percent: number;
  /** Quotas as people read them. */
  readonly spent: string;
  readonly budget: string;
}

/** A budget has reached a share that is told of. */
export const budgetEvent = ({ id, percent, ...values }: ReachedBudget): AlertEvent => ({
  kind: 'budget_reached',
  subject: `budget:${id} ${percent}`,
  values: { ...values, percent },
  isFor: (rule) => percent >= rule.threshold,
});
