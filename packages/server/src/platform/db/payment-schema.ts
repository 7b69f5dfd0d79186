import type {
  CallbackVerdict,
  Currency,
  OrderProviderName,
  OrderState,
  PaymentCallback,
  UserPlanState,
} from '@headgate/contract';
import type { Generated } from 'kysely';

/** A purchase of quota. */
interface OrderTable {
  id: Generated<number>;
  /** Random, so that it cannot be guessed; shared with the provider. */
  number: string;
  /** Account that receives the quota. */
  account_id: number;
  /** User who created the order. */
  created_by: number;
  provider: OrderProviderName;
  method: string;
  currency: Currency;
  /** In the smallest unit of the currency. */
  amount: number;
  /** Points to credit, including the bonus. */
  quota: number;
  bonus_quota: number;
  /** JSON: settings from which the price was calculated. */
  price: string;
  /** Derived from the columns below. */
  state: OrderState;
  /** Id of the checkout at the provider. */
  provider_id: Generated<string>;
  /** Id of the payment; empty if not paid. */
  payment_id: Generated<string>;
  /** How the checkout ended without a payment. */
  closing: Generated<'' | 'expired' | 'failed'>;
  refunded_amount: Generated<number>;
  disputed_amount: Generated<number>;
  dispute: Generated<'' | 'open' | 'won' | 'lost'>;
  /** Points added to the balance so far. */
  credited_quota: Generated<number>;
  note: Generated<string>;
  /** Plan that the order buys; 0 for quota. */
  plan_id: Generated<number>;
  plan_name: Generated<string>;
  /** Days after which the plan of the order renews; 0: never, or the order is a renewal. */
  recurring_days: Generated<number>;
  /** Subscription that the order started or renewed; 0: none. */
  subscription_id: Generated<number>;
  /** Period of a subscription that the order paid, in Unix seconds; 0: none. */
  period_start: Generated<number>;
  period_end: Generated<number>;
  /** Second id of the payment, under which the provider reports refunds and disputes; empty if it is the first. */
  charge_id: Generated<string>;
  /** JSON: seller and tax when the order was credited; empty: no invoice. */
  invoice_terms: Generated<string>;
  invoice_prefix: Generated<string>;
  /** Number of the invoice within its prefix; 0: none. */
  invoice_seq: Generated<number>;
  created_time: number;
  paid_time: Generated<number>;
  checked_time: Generated<number>;
  next_check_time: Generated<number>;
  /** Lease of the node that queries the provider, in milliseconds of the database clock. */
  leased_ms: Generated<number>;
}

/** A callback of a provider or its response to a query. */
interface PaymentCallbackTable {
  id: Generated<number>;
  provider: OrderProviderName;
  /** 0 for an unknown order. */
  order_id: number;
  number: string;
  source: PaymentCallback['source'];
  event: string;
  kind: string;
  payment_id: string;
  charge_id: Generated<string>;
  amount: number;
  currency: string;
  verdict: CallbackVerdict;
  detail: string;
  created_time: number;
}

/** A plan for sale. */
interface PlanTable {
  id: Generated<number>;
  name: string;
  description: Generated<string>;
  currency: Currency;
  /** In the smallest unit of the currency; 0: not for sale. */
  price: number;
  /** Validity after the start. */
  days: number;
  /** JSON. */
  windows: string;
  time_zone: string;
  /** Comma-separated; empty for all. */
  models: Generated<string>;
  groups: Generated<string>;
  /** Group of the user while the plan is valid; empty for none. */
  upgrade_group: Generated<string>;
  /** 1: renews each time its days have passed. */
  recurring: Generated<number>;
  /** 0: no limit. */
  max_per_user: Generated<number>;
  enabled: number;
  sort: Generated<number>;
  created_time: number;
}

/** A plan of a user, with the terms at the time at which it was bought or assigned. */
interface UserPlanTable {
  id: Generated<number>;
  user_id: number;
  plan_id: number;
  /** 0 if an admin assigned the plan. */
  order_id: Generated<number>;
  /** Subscription of the order; 0: none. */
  subscription_id: Generated<number>;
  created_by: number;
  name: string;
  models: Generated<string>;
  groups: Generated<string>;
  upgrade_group: Generated<string>;
  starts_time: number;
  /** First second after the plan. */
  ends_time: number;
  state: UserPlanState;
  note: Generated<string>;
  created_time: number;
  /** 1 after the user was notified that the plan ends soon. */
  ending_notified: Generated<number>;
}

/** Renews a plan. Each paid period is an order with a plan of the user. */
interface SubscriptionTable {
  id: Generated<number>;
  /** Order that started it, whose terms and price the renewals have. */
  order_id: number;
  account_id: number;
  provider: OrderProviderName;
  /** Id of the subscription at the provider. */
  provider_id: string;
  state: 'active' | 'past_due' | 'ended';
  /** 0: ends with the period. */
  renews: number;
  /** End of the last paid period. */
  period_end: number;
  /** When the provider created the newest applied event; older events are ignored. */
  event_time: Generated<number>;
  created_time: number;
  next_check_time: number;
  /** Lease of the node that queries the provider, in milliseconds of the database clock. */
  leased_ms: Generated<number>;
}

/** Corrects the invoice of an order. */
interface CreditNoteTable {
  id: Generated<number>;
  order_id: number;
  /** In the smallest unit of the currency. */
  amount: number;
  prefix: string;
  /** Number within its prefix; 0: none. */
  seq: number;
  created_time: number;
}

/** An inviter's share in an order of an invited user. */
interface ReferralShareTable {
  id: Generated<number>;
  /** Negative for earlier shares of an imported user. */
  order_id: number;
  inviter_id: number;
  invited_id: number;
  /** Share of the order without refunds. */
  full_quota: number;
  /** Maximum sum of the shares of the invited user; 0: no limit. */
  cap: number;
  quota: number;
  created_time: number;
  /** End of the waiting period. */
  available_time: number;
}

interface ReferralWithdrawalTable {
  id: Generated<number>;
  user_id: number;
  kind: 'transfer' | 'payout';
  quota: number;
  /** Where to pay, as entered by the user; encrypted. */
  details: string;
  state: 'requested' | 'paid' | 'rejected';
  note: Generated<string>;
  created_time: number;
  /** 0: open. */
  closed_time: number;
  /** The admin. */
  closed_by: Generated<number>;
}

export interface PaymentTables {
  referral_shares: ReferralShareTable;
  referral_withdrawals: ReferralWithdrawalTable;
  credit_notes: CreditNoteTable;
  orders: OrderTable;
  subscriptions: SubscriptionTable;
  plans: PlanTable;
  user_plans: UserPlanTable;
  payment_callbacks: PaymentCallbackTable;
}
