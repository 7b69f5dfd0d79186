import type { CallbackVerdict, Currency } from '@headgate/contract';

/** What a provider reports about a payment. Unknown strings are empty and unknown amounts are 0. */
export interface PaymentEvent {
  readonly kind:
    | 'paid'
    | 'expired'
    | 'failed'
    | 'refunded'
    | 'disputed'
    | 'dispute_won'
    | 'dispute_lost'
    /** Second id of a payment. */
    | 'linked'
    /** State of a subscription. */
    | 'subscription'
    | 'other';
  /** The provider's name for the event. */
  readonly event: string;
  /** Order number; if empty, the order is found by its payment. */
  readonly number: string;
  readonly paymentId: string;
  /** Second id of the payment, under which refunds and disputes are reported; empty or absent if unknown. */
  readonly chargeId?: string;
  /** When the provider created the event, in Unix seconds; absent if unknown. */
  readonly time?: number;
  /** Subscription that the event is about. */
  readonly subscription?: SubscriptionEvent;
  /** In the smallest currency unit; for refunds, the total so far. */
  readonly amount: number;
  /** In lower case. */
  readonly currency: string;
}

/** What a provider reports about a subscription. */
export interface SubscriptionEvent {
  /** The provider's id of the subscription. */
  readonly id: string;
  /** True if the payment is for a period after the first. */
  readonly isRenewal?: boolean;
  /** Paid period, in Unix seconds. */
  readonly period?: { readonly start: number; readonly end: number };
  readonly status?: SubscriptionStatus;
}

export interface SubscriptionStatus {
  readonly state: 'active' | 'past_due' | 'ended';
  /** False if the subscription ends with the period; absent if unknown. */
  readonly renews?: boolean;
}

/** Result of parsing a callback: an event, or the reason why the callback is not authentic. */
export type CallbackReading = { readonly event: PaymentEvent } | { readonly rejected: string };

export interface RawCallback {
  readonly method: string;
  /** Without the question mark. */
  readonly query: string;
  readonly body: string;
  readonly signature: string;
  /** Unix seconds. */
  readonly now: number;
}

export interface CallbackReply {
  readonly status: number;
  readonly text: string;
}

/** Order fields that a provider needs. */
export interface CheckoutOrder {
  readonly number: string;
  readonly method: string;
  readonly currency: Currency;
  readonly amount: number;
  readonly provider_id: string;
  readonly created_time: number;
  /** Days of a period if the order starts a subscription; otherwise 0. */
  readonly recurring_days: number;
}

export interface CheckoutPages {
  /** Description on the payment page. */
  readonly title: string;
  /** Console page to which the buyer returns. */
  readonly returnUrl: string;
  readonly cancelUrl: string;
  readonly callbackUrl: string;
}

export interface ProviderRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
}

export interface Checkout {
  readonly url: string;
  /** The provider's id of the checkout; empty if there is none. */
  readonly providerId: string;
}

/** Calls to the subscriptions of a provider. */
export interface ProviderSubscriptions {
  /** Request that turns the renewal on or off. Its response is read like that of the state. */
  setRenewal(id: string, renews: boolean): ProviderRequest;
  /** Request that ends the subscription now, with its unpaid invoices. Its response is read like that of the state. */
  end(id: string): ProviderRequest;
  queryState(id: string): ProviderRequest;
  /** Undefined if the response is unusable. */
  readState(response: unknown, id: string, now: number): PaymentEvent | undefined;
  /** Request for the latest payments. */
  queryPayments(id: string): ProviderRequest;
  readPayments(response: unknown, id: string): readonly PaymentEvent[] | undefined;
}

/** A configured payment provider. Pure: builds requests and reads responses but sends nothing. */
export interface PaymentProvider {
  readonly currency: Currency;
  /** Price of a dollar of quota. */
  readonly unitPrice: number;
  /** Payment methods to choose from; if empty, the buyer chooses on the payment page. */
  readonly methods: readonly string[];
  /** True if new orders are accepted. Callbacks for earlier orders are always processed. */
  readonly isOn: boolean;
  /** Undefined if the provider has no subscriptions. */
  readonly subscriptions?: ProviderSubscriptions;
  /** URL of the payment page, or the request that creates it. */
  checkout(order: CheckoutOrder, pages: CheckoutPages): Checkout | { readonly request: ProviderRequest };
  /** Reads the response to that request; undefined if it is not a checkout. */
  readCheckout(response: unknown): Checkout | undefined;
  readCallback(callback: RawCallback): CallbackReading;
  /** Request for the state of an order; undefined if there is nothing to query. */
  query(order: CheckoutOrder): ProviderRequest | undefined;
  /** Events in the response to a query; undefined if the response is unusable. */
  readQuery(response: unknown, order: CheckoutOrder): readonly PaymentEvent[] | undefined;
  /** Response to a callback after it is stored. */
  reply(verdict: CallbackVerdict): CallbackReply;
}
