import {
  type OptionValues,
  type OrderProviderName,
  type PaymentProviderName,
  paymentProviderNames,
} from '@headgate/contract';
import { requestJson } from '../../platform/outgoing/request-json.ts';
import { type EpaySettings, epay } from './epay/epay.ts';
import type {
  Checkout,
  CheckoutOrder,
  CheckoutPages,
  PaymentEvent,
  PaymentProvider,
  ProviderRequest,
  ProviderSubscriptions,
} from './payment-provider.ts';
import { type StripeSettings, stripe } from './stripe/stripe.ts';

interface PaymentProvidersDependencies {
  readonly options: { readonly values: StripeSettings & EpaySettings & Pick<OptionValues, 'SystemName'> };
  /** Base URL of Stripe. */
  readonly stripeUrl: string;
}

interface StoppedSubscription {
  readonly provider: OrderProviderName;
  readonly provider_id: string;
  readonly state: 'active' | 'past_due' | 'ended';
}

interface RenewalChange {
  readonly renews: boolean;
  /** Unix seconds. */
  readonly now: number;
}

/**
 * Reason why a provider call failed. The message contains nothing from the request, because requests contain secrets.
 */
class PaymentProviderError extends Error {
  override readonly name = 'PaymentProviderError';
}

const timeoutMs = 15_000;

/** The configured payment providers and the calls to them. */
export class PaymentProviders {
  readonly #dependencies: PaymentProvidersDependencies;

  constructor(dependencies: PaymentProvidersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Undefined while its settings are incomplete. */
  find(name: OrderProviderName): PaymentProvider | undefined {
    const { options, stripeUrl } = this.#dependencies;
    if (name === 'imported') return undefined;
    return name === 'stripe' ? stripe(options.values, stripeUrl) : epay(options.values);
  }

  /** Providers that accept new orders. */
  offered(): readonly { readonly name: PaymentProviderName; readonly provider: PaymentProvider }[] {
    return paymentProviderNames.flatMap((name) => {
      const provider = this.find(name);
      return provider?.isOn ? [{ name, provider }] : [];
    });
  }

  /** Creates the checkout of an order. */
  async checkout(provider: PaymentProvider, order: CheckoutOrder, pages: CheckoutPages): Promise<Checkout> {
    const created = provider.checkout(order, pages);
    if (!('request' in created)) return created;
    const checkout = provider.readCheckout(await send(created.request));
    if (!checkout) throw new PaymentProviderError('the response is not a checkout');
    return checkout;
  }

  /** Turns the renewal of a subscription on or off, and returns its state. */
  setRenewal(name: OrderProviderName, id: string, change: RenewalChange): Promise<PaymentEvent> {
    const subscriptions = this.#subscriptionsOf(name);
    return this.#state(subscriptions, subscriptions.setRenewal(id, change.renews), { id, now: change.now });
  }

  /**
   * Stops the payments of a subscription: at the end of the paid period, or at once if its last payment failed, because
   * the provider would repeat it.
   */
  stopSubscription(row: StoppedSubscription, now: number): Promise<PaymentEvent> {
    const { provider, provider_id: id, state } = row;
    if (state !== 'past_due') return this.setRenewal(provider, id, { renews: false, now });
    const subscriptions = this.#subscriptionsOf(provider);
    return this.#state(subscriptions, subscriptions.end(id), { id, now });
  }

  /** State of a subscription, and its latest payments. */
  async querySubscription(name: OrderProviderName, id: string, now: number): Promise<readonly PaymentEvent[]> {
    const subscriptions = this.#subscriptionsOf(name);
    const payments = subscriptions.readPayments(await send(subscriptions.queryPayments(id)), id);
    if (!payments) throw new PaymentProviderError('the response is not about this subscription');
    return [...payments, await this.#state(subscriptions, subscriptions.queryState(id), { id, now })];
  }

  #subscriptionsOf(name: OrderProviderName): ProviderSubscriptions {
    const subscriptions = this.find(name)?.subscriptions;
    if (!subscriptions) throw new PaymentProviderError('the provider is not configured');
    return subscriptions;
  }

  async #state(
    subscriptions: ProviderSubscriptions,
    request: ProviderRequest,
    { id, now }: { readonly id: string; readonly now: number },
  ): Promise<PaymentEvent> {
    const event = subscriptions.readState(await send(request), id, now);
    if (!event) throw new PaymentProviderError('the response is not about this subscription');
    return event;
  }

  /** Events that the provider reports for an order. */
  async query(name: OrderProviderName, order: CheckoutOrder): Promise<readonly PaymentEvent[]> {
    if (name === 'imported') return [];
    const provider = this.find(name);
    if (!provider) throw new PaymentProviderError('the provider is not configured');
    const request = provider.query(order);
    if (!request) return [];
    const events = provider.readQuery(await send(request), order);
    if (!events) throw new PaymentProviderError('the response is not about this order');
    return events;
  }
}

async function send({ url, method, headers = {}, body }: ProviderRequest): Promise<unknown> {
  const { status, json } = await requestJson(url, { method, headers, timeoutMs, ...(body && { body }) });
  if (status < 200 || status >= 300) throw new PaymentProviderError(`HTTP ${status}${reasonIn(json)}`);
  return json;
}

/** Error message of Stripe, without control characters. */
function reasonIn(json: unknown): string {
  const error = (json as { readonly error?: { readonly message?: unknown } } | null)?.error?.message;
  return typeof error === 'string' ? `: ${error.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, 200)}` : '';
}
