import {
  type OwnPlan,
  type Plan,
  type PlanRenewal,
  type PlanWindow,
  planWindows,
  type UserPlan,
} from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import * as z from 'zod/mini';
import { ApiError } from '../../platform/errors/api-error.ts';
import { windowAt } from '../budgets/budget-period.ts';
import type { PlanRow } from './plan-repository.ts';
import type { NamedUserPlanRow, SubscribedPlanRow, WindowRow } from './user-plan-repository.ts';

/** Terms of a plan that a user gets. */
export interface PlanTerms {
  readonly plan_id: number;
  readonly name: string;
  readonly days: number;
  readonly windows: readonly PlanWindow[];
  readonly time_zone: string;
  readonly models: string;
  readonly groups: string;
  readonly upgrade_group: string;
}

const storedTerms = z.object({
  plan: z.object({
    plan_id: z.int(),
    name: z.string(),
    days: z.int(),
    windows: planWindows,
    time_zone: z.string(),
    models: z.string(),
    groups: z.string(),
    upgrade_group: z.string(),
  }),
});

/** Terms that were stored with an order; undefined if they are unreadable. */
export const readTerms = (price: string): PlanTerms | undefined => storedTerms.safeParse(parseJson(price)).data?.plan;

export const presentPlan = ({ windows, enabled, recurring, ...row }: PlanRow): Plan => ({
  ...row,
  windows: readWindows(windows),
  enabled: enabled === 1,
  recurring: recurring === 1,
});

/** Empty if unreadable: a restored row may hold anything, and must not break the list of plans. */
const readWindows = (text: string): PlanWindow[] => planWindows.safeParse(parseJson(text)).data ?? [];

/** Throws if the windows are unreadable, because a plan without windows would have no limits. */
export function termsOf(row: PlanRow): PlanTerms {
  const { id, name, days, time_zone, models, groups, upgrade_group } = row;
  const windows = readWindows(row.windows);
  if (windows.length === 0) throw new ApiError('planUnreadable');
  return { plan_id: id, name, days, windows, time_zone, models, groups, upgrade_group };
}

/** Shows a reset even if no request has started the new period yet. */
export function presentOwnPlan(row: SubscribedPlanRow, windows: readonly WindowRow[], now: number): OwnPlan {
  const { id, plan_id, name, models, groups, upgrade_group, starts_time, ends_time, state } = row;
  return {
    ...{ id, plan_id, name, models, groups, upgrade_group, starts_time, ends_time, state },
    windows: windows
      .filter(({ owner_id }) => owner_id === id)
      .map((window) => {
        const { period, hours, amount, start_time, used } = window;
        const span = windowAt(window, Math.max(now, start_time ?? 0));
        const isCurrent = start_time !== null && start_time >= span.start;
        const resets = state === 'active' && span.end < ends_time;
        return { period, hours, amount, used: isCurrent ? (used ?? 0) : 0, reset_time: resets ? span.end : 0 };
      }),
    renewal: renewalOf(row),
  };
}

function renewalOf({ subscription_state, renews, period_end }: SubscribedPlanRow): PlanRenewal | null {
  if (subscription_state === null || subscription_state === 'ended') return null;
  return { renews: renews === 1, payment_failed: subscription_state === 'past_due', period_end: period_end ?? 0 };
}

export const presentUserPlan = (row: NamedUserPlanRow, windows: readonly WindowRow[], now: number): UserPlan => ({
  ...presentOwnPlan(row, windows, now),
  user_id: row.user_id,
  username: row.username ?? '',
  order_id: row.order_id,
  created_by: row.created_by,
  note: row.note,
});
