import * as z from 'zod/mini';
import type { EndpointTable } from '../wire/endpoint.ts';
import { idParams, pageQuery, quota } from '../wire/list.ts';

/** States of a referral share. */
export const shareStates = {
  waiting: { label: 'Waiting', color: 'yellow' },
  available: { label: 'Available', color: 'green' },
  cancelled: { label: 'Canceled', color: 'gray' },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly color: string }>>;

export type ShareState = keyof typeof shareStates;
const shareStateNames = Object.keys(shareStates) as [ShareState, ...ShareState[]];

/** States of a payout request. */
export const payoutStates = {
  requested: { label: 'Requested', color: 'yellow' },
  paid: { label: 'Paid out', color: 'green' },
  rejected: { label: 'Rejected', color: 'red' },
} as const satisfies Readonly<Record<string, { readonly label: string; readonly color: string }>>;

export type PayoutState = keyof typeof payoutStates;
export const payoutStateNames = Object.keys(payoutStates) as [PayoutState, ...PayoutState[]];

/** Maximum length of payment details and notes. */
export const payoutTextLength = { max: 500 } as const;

/** Terms and sums of a user's referral shares, in points. */
export const referralSummary = z.object({
  /** True if orders earn shares. */
  enabled: z.boolean(),
  percent: z.number(),
  /** Points per order, in addition to the percentage. */
  fixed: z.int(),
  first_order_only: z.boolean(),
  /** Maximum share per invited user; 0: no limit. */
  cap: z.int(),
  wait_days: z.int(),
  /** 0: no payouts. */
  payout_minimum: z.int(),
  invited_users: z.int(),
  waiting: z.int(),
  available: z.int(),
  transferred: z.int(),
  requested: z.int(),
  paid_out: z.int(),
});
export type ReferralSummary = z.output<typeof referralSummary>;

/** The share of one order. */
export const referralShare = z.object({
  id: z.int(),
  /** Name of the invited user. */
  username: z.string(),
  quota: z.int(),
  state: z.enum(shareStateNames),
  created_time: z.int(),
  /** End of the waiting period. */
  available_time: z.int(),
});
export type ReferralShare = z.output<typeof referralShare>;

export const ownPayout = z.object({
  id: z.int(),
  quota: z.int(),
  /** Where to pay, as entered by the user. */
  details: z.string(),
  state: z.enum(payoutStateNames),
  /** Note of the admin. */
  note: z.string(),
  created_time: z.int(),
  /** When an admin marked the payout as paid or rejected it; 0: open. */
  closed_time: z.int(),
});
export type OwnPayout = z.output<typeof ownPayout>;

export const payout = z.extend(ownPayout, { user_id: z.int(), username: z.string() });
export type Payout = z.output<typeof payout>;

const amount = quota.check(z.minimum(1));
const text = (min: number) => z.string().check(z.trim(), z.minLength(min), z.maxLength(payoutTextLength.max));

export const referralApi = {
  read: { method: 'GET', path: '/api/referral/self', access: 'user', reply: referralSummary },
  shares: {
    method: 'GET',
    path: '/api/referral/self/share',
    access: 'user',
    query: pageQuery,
    list: true,
    reply: z.array(referralShare),
  },
  transfer: {
    method: 'POST',
    path: '/api/referral/self/transfer',
    access: 'user',
    body: z.object({ quota: amount }),
    reply: referralSummary,
  },
  ownPayouts: {
    method: 'GET',
    path: '/api/referral/self/payout',
    access: 'user',
    query: pageQuery,
    list: true,
    reply: z.array(ownPayout),
  },
  requestPayout: {
    method: 'POST',
    path: '/api/referral/self/payout',
    access: 'user',
    proof: 'recent',
    body: z.object({ quota: amount, details: text(1) }),
    reply: referralSummary,
  },
  payouts: {
    method: 'GET',
    path: '/api/referral/payout',
    access: 'admin',
    query: z.extend(pageQuery, { state: z.optional(z.enum(payoutStateNames)) }),
    list: true,
    reply: z.array(payout),
  },
  closePayout: {
    method: 'POST',
    path: '/api/referral/payout/:id',
    access: 'admin',
    params: idParams,
    body: z.object({ state: z.enum(['paid', 'rejected']), note: z._default(text(0), '') }),
    reply: payout,
  },
} as const satisfies EndpointTable;
