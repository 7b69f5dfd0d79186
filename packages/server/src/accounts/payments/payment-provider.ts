import type { CallbackVerdict, Currency } from '@headgate/contract';

/** What a provider reports about a payment. Unknown strings are empty and unknown amounts are 0. */
export interface PaymentEvent {
  readonly kind: 'paid' | 'expired' | 'failed' | 'refunded' | 'disputed' | 'dispute_won' | 'dispute_lost' | 'other';
  /** The provider's name for the event. */
  readonly event: string;
  /** Order number; if empty, the order is found by its payment. */
  readonly number: string;
  readonly paymentId: string;
  /** In the smallest currency unit; for refunds, the total so far. */
  readonly amount: number;
  /** In lower case. */
  readonly currency: string;
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
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams;
}

export interface Checkout {
  readonly url: string;
  /** The provider's id of the checkout; empty if there is none. */
  readonly providerId: string;
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
