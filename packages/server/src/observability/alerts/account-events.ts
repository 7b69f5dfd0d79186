import type { MemberAdded } from '../../accounts/organizations/membership-service.ts';
import type { PaymentNotice } from '../../accounts/payments/payment-notifications.ts';
import type { EndingPlan } from '../../accounts/plans/plan-notices.ts';
import type { AlertEvent } from './alert-event.ts';

interface Person {
  readonly id: number;
  readonly username: string;
}

/** A user was promoted to admin. */
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

/** An admin signed in from an unknown network. */
export const newNetworkEvent = (
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
  /** Formats a quota for display. */
  readonly amount: (points: number) => string;
}

/**
 * A user's balance fell below the threshold of a rule. Raised only when it crosses the threshold, not while it stays
 * below.
 */
export const balanceEvent = ({ user, before, left, amount }: LowBalance, threshold: number): AlertEvent => ({
  kind: 'user_balance',
  subject: `user:${user.id}`,
  group: user.group,
  page: `/user/view/${user.id}`,
  values: { id: user.id, user: user.username, left: amount(left), threshold: amount(threshold) },
  isFor: (rule) => rule.threshold === threshold && dropsBelowThreshold(threshold, before, left),
});

interface LowOrganizationBalance extends Omit<LowBalance, 'user'> {
  readonly organization: { readonly id: number; readonly name: string; readonly group: string };
}

/** Like `balanceEvent`, for the balance of an organization. */
export const organizationBalanceEvent = (
  { organization, before, left, amount }: LowOrganizationBalance,
  threshold: number,
): AlertEvent => ({
  kind: 'organization_balance',
  subject: `organization:${organization.id}`,
  group: organization.group,
  page: `/organization?id=${organization.id}`,
  values: {
    id: organization.id,
    organization: organization.name,
    left: amount(left),
    threshold: amount(threshold),
  },
  isFor: (rule) => rule.threshold === threshold && dropsBelowThreshold(threshold, before, left),
});

/** A user joined an organization. */
export const memberAddedEvent = ({ organization, member, role, source }: MemberAdded): AlertEvent => ({
  kind: 'member_added',
  subject: `organization:${organization.id} ${member.id}`,
  page: `/organization?id=${organization.id}`,
  values: { id: organization.id, organization: organization.name, user: member.username, role, source },
});

export const dropsBelowThreshold = (threshold: number, before: number, left: number): boolean =>
  before >= threshold && left < threshold;

interface ReachedBudget {
  readonly id: number;
  /** Owner name for messages. */
  readonly owner: string;
  readonly percent: number;
  /** Quota formatted for display. */
  readonly spent: string;
  readonly budget: string;
}

/** A budget reached a notification threshold. */
export const budgetEvent = ({ id, percent, ...values }: ReachedBudget): AlertEvent => ({
  kind: 'budget_reached',
  subject: `budget:${id} ${percent}`,
  values: { ...values, percent },
  isFor: (rule) => percent >= rule.threshold,
});

/** A payment that was not credited, was disputed, or was discovered without a callback. */
export const planEndingEvent = ({ id, plan, userId, username, ends }: EndingPlan): AlertEvent => ({
  kind: 'plan_ending',
  subject: `plan:${id}`,
  page: `/user/view/${userId}`,
  values: { id: userId, plan, user: username, ends },
});

export const paymentEvent = ({ kind, orderId, number, price, verdict, reason }: PaymentNotice): AlertEvent => ({
  kind,
  subject: `order:${orderId} ${verdict}`,
  page: `/order/${orderId}`,
  values: { number, price, reason },
});
