import type {
  CallbackVerdict,
  Currency,
  OrderState,
  PaymentCallback,
  PaymentProviderName,
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
  provider: PaymentProviderName;
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
  provider: PaymentProviderName;
  /** 0 for an unknown order. */
  order_id: number;
  number: string;
  source: PaymentCallback['source'];
  event: string;
  kind: string;
  payment_id: string;
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

export interface PaymentTables {
  orders: OrderTable;
  plans: PlanTable;
  user_plans: UserPlanTable;
  payment_callbacks: PaymentCallbackTable;
}
