import { isCurrency, type OptionValues, splitCommas } from '@headgate/contract';
import { parseJson } from '@headgate/dialects';
import type {
  CheckoutOrder,
  CheckoutPages,
  PaymentProvider,
  ProviderRequest,
  ProviderSubscriptions,
} from '../payment-provider.ts';
import { sessionEvents, stripeEvent } from './stripe-events.ts';
import { fieldsOf } from './stripe-fields.ts';
import { signatureFault } from './stripe-signature.ts';
import { invoiceEvents, subscriptionEvent } from './stripe-subscription-events.ts';

/** Options of Stripe. */
export type StripeSettings = Pick<
  OptionValues,
  | 'StripeEnabled'
  | 'StripeSecretKey'
  | 'StripeWebhookSecret'
  | 'StripeCurrency'
  | 'StripeUnitPrice'
  | 'StripeInvoiceEnabled'
>;

/** How long a buyer can pay. Stripe allows half an hour to a day. */
const sessionSeconds = 7200;

/** Stripe Checkout. Undefined while a secret is missing, which rejects all callbacks. */
export function stripe(settings: StripeSettings, baseUrl: string): PaymentProvider | undefined {
  const { StripeSecretKey: key, StripeWebhookSecret, StripeCurrency } = settings;
  const secrets = splitCommas(StripeWebhookSecret);
  if (key === '' || secrets.length === 0 || !isCurrency(StripeCurrency)) return undefined;
  const headers = { authorization: `Bearer ${key}` };
  return {
    currency: StripeCurrency,
    unitPrice: settings.StripeUnitPrice,
    methods: [],
    isOn: settings.StripeEnabled,
    subscriptions: stripeSubscriptions(baseUrl, headers),
    checkout: (order, pages) => ({
      request: {
        url: `${baseUrl}/v1/checkout/sessions`,
        method: 'POST',
        // Repeating the request returns the same session.
        headers: { ...headers, 'idempotency-key': order.number },
        body: sessionFields(order, pages, settings.StripeInvoiceEnabled),
      },
    }),
    readCheckout: (response) => {
      const { id, url } = fieldsOf(response);
      return typeof id === 'string' && typeof url === 'string' && isWebUrl(url) ? { providerId: id, url } : undefined;
    },
    readCallback: ({ body, signature, now }) => {
      const fault = signatureFault({ header: signature, body, secrets, now });
      if (fault !== undefined) return { rejected: fault };
      const event = stripeEvent(parseJson(body));
      return event ? { event } : { rejected: 'the body is not an event' };
    },
    query: ({ provider_id }) => (provider_id === '' ? undefined : sessionRequest(baseUrl, provider_id, headers)),
    readQuery: (response, order) => {
      const events = sessionEvents(response);
      return events?.every(({ number }) => number === order.number) ? events : undefined;
    },
    // Other events of the same Stripe account are unrelated to our orders; returning an error would make Stripe repeat
    // them for days.
    reply: () => ({ status: 200, text: 'received' }),
  };
}

const sessionRequest = (baseUrl: string, id: string, headers: Readonly<Record<string, string>>): ProviderRequest => ({
  url: `${baseUrl}/v1/checkout/sessions/${encodeURIComponent(id)}?expand[]=payment_intent.latest_charge`,
  method: 'GET',
  headers,
});

/** Latest invoices, far more than are paid between two queries. */
const maxInvoices = 10;

function stripeSubscriptions(baseUrl: string, headers: Readonly<Record<string, string>>): ProviderSubscriptions {
  const urlOf = (id: string) => `${baseUrl}/v1/subscriptions/${encodeURIComponent(id)}`;
  return {
    setRenewal: (id, renews) => ({
      url: urlOf(id),
      method: 'POST',
      headers,
      body: new URLSearchParams({ cancel_at_period_end: String(!renews) }),
    }),
    end: (id) => ({ url: urlOf(id), method: 'DELETE', headers }),
    queryState: (id) => ({ url: urlOf(id), method: 'GET', headers }),
    readState: subscriptionEvent,
    queryPayments: (id) => ({
      url: `${baseUrl}/v1/invoices?${new URLSearchParams({
        subscription: id,
        status: 'paid',
        limit: String(maxInvoices),
        'expand[]': 'data.payments',
      })}`,
      method: 'GET',
      headers,
    }),
    readPayments: invoiceEvents,
  };
}

const isWebUrl = (url: string): boolean => /^https?:\/\//i.test(url);

function sessionFields(order: CheckoutOrder, pages: CheckoutPages, hasInvoice: boolean): URLSearchParams {
  const item = 'line_items[0]';
  const isRecurring = order.recurring_days > 0;
  return new URLSearchParams({
    mode: isRecurring ? 'subscription' : 'payment',
    [`${item}[quantity]`]: '1',
    [`${item}[price_data][currency]`]: order.currency,
    [`${item}[price_data][unit_amount]`]: String(order.amount),
    [`${item}[price_data][product_data][name]`]: pages.title,
    client_reference_id: order.number,
    'metadata[order]': order.number,
    ...(isRecurring
      ? {
          [`${item}[price_data][recurring][interval]`]: 'day',
          [`${item}[price_data][recurring][interval_count]`]: String(order.recurring_days),
          // Copied to the invoices.
          'subscription_data[metadata][order]': order.number,
        }
      : // Copied to the charge, so that its refunds include the order number.
        { 'payment_intent_data[metadata][order]': order.number }),
    success_url: pages.returnUrl,
    cancel_url: pages.cancelUrl,
    expires_at: String(order.created_time + sessionSeconds),
    // Refunds and disputes of payments in other currencies could not be compared with the order.
    'adaptive_pricing[enabled]': 'false',
    // Subscriptions always have invoices.
    ...(hasInvoice && !isRecurring && { 'invoice_creation[enabled]': 'true' }),
  });
}
