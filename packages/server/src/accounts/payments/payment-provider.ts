import type { CallbackVerdict, Currency } from '@headgate/contract';

/** What a provider reports about a payment. Unknown texts are empty and unknown amounts 0. */
export interface PaymentEvent {
  readonly kind: 'paid' | 'expired' | 'failed' | 'refunded' | 'disputed' | 'dispute_won' | 'dispute_lost' | 'other';
  /** Name of the event at the provider. */
  readonly event: string;
  /** Number of the order; empty: found by the payment. */
  readonly number: string;
  readonly paymentId: string;
  /** In the smallest unit; for refunds the total so far. */
  readonly amount: number;
  /** In lower case. */
  readonly currency: string;
}

/** Result of reading a callback: an event, or the reason why the callback is not from the provider. */
export type CallbackReading = { readonly event: PaymentEvent } | { readonly rejected: string };

export interface RawCallback {
  readonly method: string;
  /** Query string without the question mark. */
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

/** Order as far as a provider needs it. */
export interface CheckoutOrder {
  readonly number: string;
  readonly method: string;
  readonly currency: Currency;
  readonly amount: number;
  readonly provider_id: string;
  readonly created_time: number;
}

export interface CheckoutPages {
  /** Text on the page of the provider. */
  readonly title: string;
  /** Page of the console to which the buyer returns. */
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
  /** Id of the checkout at the provider; empty: it has none. */
  readonly providerId: string;
}

/** A payment provider with its settings. Pure: it describes requests and reads responses, and sends nothing. */
export interface PaymentProvider {
  readonly currency: Currency;
  /** Price of a dollar of quota. */
  readonly unitPrice: number;
  /** Payment methods to choose from; empty: chosen on the page of the provider. */
  readonly methods: readonly string[];
  /** True if new orders are accepted. Callbacks of earlier orders are read anyway. */
  readonly isOn: boolean;
  /** The page of the provider, or the request that creates it. */
  checkout(order: CheckoutOrder, pages: CheckoutPages): Checkout | { readonly request: ProviderRequest };
  /** Reads the response to that request; undefined: it is no checkout. */
  readCheckout(response: unknown): Checkout | undefined;
  readCallback(callback: RawCallback): CallbackReading;
  /** Request for the state of an order; undefined: there is nothing to query. */
  query(order: CheckoutOrder): ProviderRequest | undefined;
  /** Events in the response to a query; undefined: the response is unusable. */
  readQuery(response: unknown, order: CheckoutOrder): readonly PaymentEvent[] | undefined;
  /** Response to a callback that was stored. */
  reply(verdict: CallbackVerdict): CallbackReply;
}
