import * as z from 'zod/mini';
import { budgetPeriods, budgetTimeZone } from '../accounts/budget.ts';
import { isTagValue } from '../records/tags.ts';
import type { EndpointTable } from '../wire/endpoint.ts';
import { commaList, idParams, noData, pageQuery, queryInteger, quota, rowId } from '../wire/list.ts';
import { currencyNames } from './currencies.ts';
import { createdOrder, paymentProviderNames } from './order.ts';

/** Periods of a plan's windows: `hours` is a rolling window, `all` lasts as long as the plan. */
export const windowPeriods = ['hours', ...budgetPeriods] as const;
export type WindowPeriod = (typeof windowPeriods)[number];

export const planNameLength = { max: 60 } as const;
export const planTextLength = { max: 500 } as const;
export const maxPlanDays = 3650;
/** Longest period of a plan that renews, a limit of Stripe. */
export const maxRecurringDays = 1095;
export const maxWindowHours = 8784;
const maxListLength = 5000;
const maxGroupLength = 64;
const maxPrice = 1_000_000_000;
const maxPerUser = 1000;
const maxSort = 1_000_000;

/** Limit of a plan. A request needs room in every window. */
export const planWindow = z.object({
  period: z.enum(windowPeriods),
  /** Length of a rolling window; otherwise 0. */
  hours: z.int(),
  /** In points. */
  amount: z.int(),
});
export type PlanWindow = z.output<typeof planWindow>;

const windowTerms = z.object({
  period: z.enum(windowPeriods),
  hours: z._default(z.int().check(z.minimum(0), z.maximum(maxWindowHours)), 0),
  amount: quota.check(z.minimum(1)),
});

/** At least one window, each period once; only rolling windows have hours. */
export const planWindows = z.array(windowTerms).check(
  z.minLength(1),
  z.maxLength(windowPeriods.length),
  z.refine((list) => new Set(list.map(({ period }) => period)).size === list.length, { error: 'each period once' }),
  z.refine((list) => list.every(({ period, hours }) => (period === 'hours') === hours > 0), {
    error: 'hours of rolling windows',
  }),
);

/**
 * States of a user's plan. `removed`: ended by an admin; `canceled`: ended by its user; `refunded`: its payment was
 * refunded or disputed.
 */
export const userPlanStates = {
  active: { label: 'Active', color: 'green' },
  removed: { label: 'Removed', color: 'gray' },
  canceled: { label: 'Canceled', color: 'gray' },
  refunded: { label: 'Refunded', color: 'blue' },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly color: string }>>;

export type UserPlanState = keyof typeof userPlanStates;
export const userPlanStateNames = Object.keys(userPlanStates) as [UserPlanState, ...UserPlanState[]];

const terms = {
  /** Also the tag value of requests charged to the plan. */
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(planNameLength.max), z.refine(isTagValue)),
  description: z.string().check(z.trim(), z.maxLength(planTextLength.max)),
  currency: z.enum(currencyNames),
  /** In the smallest unit of the currency; 0: not for sale. */
  price: z.int().check(z.minimum(0), z.maximum(maxPrice)),
  /** Days of validity. */
  days: z.int().check(z.minimum(1), z.maximum(maxPlanDays)),
  windows: planWindows,
  time_zone: budgetTimeZone,
  /** Comma-separated; a name may end with `*`; empty: all. */
  models: commaList(maxListLength),
  /** Comma-separated; empty: all. */
  groups: commaList(maxListLength),
  /** Group of the user while the plan is valid; empty: none. */
  upgrade_group: z.string().check(
    z.trim(),
    z.maxLength(maxGroupLength),
    z.refine((name) => !name.includes(','), { error: 'one group' }),
  ),
  /** True: paid again for each period of `days`, until the user cancels the renewal. */
  recurring: z.boolean(),
  /** Number of valid plans per user; 0: no limit. */
  max_per_user: z.int().check(z.minimum(0), z.maximum(maxPerUser)),
  enabled: z.boolean(),
  /** Position in the list, ascending. */
  sort: z.int().check(z.minimum(-maxSort), z.maximum(maxSort)),
} as const;

export const plan = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  currency: terms.currency,
  price: z.int(),
  days: z.int(),
  /** Empty if the stored windows are unreadable; the plan can then be neither sold nor assigned. */
  windows: z.array(planWindow),
  time_zone: z.string(),
  models: z.string(),
  groups: z.string(),
  upgrade_group: z.string(),
  recurring: z.boolean(),
  max_per_user: z.int(),
  enabled: z.boolean(),
  sort: z.int(),
  created_time: z.int(),
});
export type Plan = z.output<typeof plan>;

/** A plan for sale. */
export const planOffer = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  currency: terms.currency,
  price: z.int(),
  days: z.int(),
  windows: z.array(planWindow),
  time_zone: z.string(),
  models: z.string(),
  groups: z.string(),
  upgrade_group: z.string(),
  recurring: z.boolean(),
  /** False if the user has as many valid plans as allowed. */
  available: z.boolean(),
  /** Providers that accept the currency, with their methods. */
  providers: z.array(z.object({ provider: z.enum(paymentProviderNames), methods: z.array(z.string()) })),
});
export type PlanOffer = z.output<typeof planOffer>;

const usedWindow = z.extend(planWindow, {
  /** Points charged in the current period, without reservations of in-flight requests. */
  used: z.int(),
  /** When the window resets; 0: never. */
  reset_time: z.int(),
});

/** Renewal of a plan by a subscription that has not ended. */
export const planRenewal = z.object({
  /** False if the subscription ends with the period. */
  renews: z.boolean(),
  /** True if the last payment failed; the provider repeats it. */
  payment_failed: z.boolean(),
  /** End of the paid period: the time of the next payment, or the end of the subscription. */
  period_end: z.int(),
});

export type PlanRenewal = z.output<typeof planRenewal>;

export const ownPlan = z.object({
  id: z.int(),
  plan_id: z.int(),
  name: z.string(),
  models: z.string(),
  groups: z.string(),
  upgrade_group: z.string(),
  starts_time: z.int(),
  /** First second after the plan. */
  ends_time: z.int(),
  state: z.enum(userPlanStateNames),
  windows: z.array(usedWindow),
  /** Null if the plan was paid once. */
  renewal: z.nullable(planRenewal),
});
export type OwnPlan = z.output<typeof ownPlan>;

export const userPlan = z.extend(ownPlan, {
  user_id: z.int(),
  /** Empty if the account was deleted. */
  username: z.string(),
  /** 0 if an admin assigned the plan. */
  order_id: z.int(),
  created_by: z.int(),
  note: z.string(),
});
export type UserPlan = z.output<typeof userPlan>;

const planNote = z.string().check(z.trim(), z.maxLength(planTextLength.max));

/** Plans for sale. */
export const planApi = {
  list: { method: 'GET', path: '/api/plan/', access: 'admin', reply: z.array(plan) },
  get: { method: 'GET', path: '/api/plan/:id', access: 'admin', params: idParams, reply: plan },
  create: {
    method: 'POST',
    path: '/api/plan/',
    access: 'admin',
    body: z.object({
      name: terms.name,
      description: z._default(terms.description, ''),
      currency: z._default(terms.currency, 'usd'),
      price: z._default(terms.price, 0),
      days: terms.days,
      windows: terms.windows,
      time_zone: z._default(terms.time_zone, 'UTC'),
      models: z._default(terms.models, ''),
      groups: z._default(terms.groups, ''),
      upgrade_group: z._default(terms.upgrade_group, ''),
      recurring: z._default(terms.recurring, false),
      max_per_user: z._default(terms.max_per_user, 0),
      enabled: z._default(terms.enabled, true),
      sort: z._default(terms.sort, 0),
    }),
    reply: plan,
  },
  update: {
    method: 'PUT',
    path: '/api/plan/',
    access: 'admin',
    body: z.extend(z.partial(z.object(terms)), { id: rowId }),
    reply: plan,
  },
  remove: { method: 'DELETE', path: '/api/plan/:id/', access: 'admin', params: idParams, reply: noData },
} as const satisfies EndpointTable;

/** Plans of users. */
export const userPlanApi = {
  list: {
    method: 'GET',
    path: '/api/plan/user',
    access: 'admin',
    query: z.extend(pageQuery, {
      user_id: z.optional(queryInteger(1, Number.MAX_SAFE_INTEGER)),
      plan_id: z.optional(queryInteger(1, Number.MAX_SAFE_INTEGER)),
    }),
    list: true,
    reply: z.array(userPlan),
  },
  assign: {
    method: 'POST',
    path: '/api/plan/user',
    access: 'admin',
    body: z.object({
      user_id: rowId,
      plan_id: rowId,
      /** Days of validity; by default those of the plan. */
      days: z.optional(terms.days),
      note: z._default(planNote, ''),
    }),
    reply: userPlan,
  },
  remove: {
    method: 'POST',
    path: '/api/plan/user/:id/remove',
    access: 'admin',
    params: idParams,
    body: z.object({ note: z._default(planNote, '') }),
    reply: userPlan,
  },
} as const satisfies EndpointTable;

/** Plans of the caller. */
export const ownPlanApi = {
  offers: { method: 'GET', path: '/api/plan/offers', access: 'user', reply: z.array(planOffer) },
  own: { method: 'GET', path: '/api/plan/self', access: 'user', reply: z.array(ownPlan) },
  buy: {
    method: 'POST',
    path: '/api/plan/buy',
    access: 'user',
    body: z.object({
      plan_id: rowId,
      provider: z.enum(paymentProviderNames),
      method: z._default(z.string().check(z.maxLength(40)), ''),
    }),
    reply: createdOrder,
  },
  cancel: { method: 'POST', path: '/api/plan/self/:id/cancel', access: 'user', params: idParams, reply: ownPlan },
  renewal: {
    method: 'POST',
    path: '/api/plan/self/:id/renewal',
    access: 'user',
    params: idParams,
    body: z.object({ renews: z.boolean() }),
    reply: ownPlan,
  },
} as const satisfies EndpointTable;
