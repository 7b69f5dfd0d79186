import { createHmac, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type FormRequest, FormServer, redirect, sendJson, sendPaymentPage } from './form-server.ts';
import { StubSubscription } from './stub-subscriptions.ts';

export const stripeSecrets = { key: 'sk_test_gateway', webhook: 'whsec_gateway' } as const;

interface Session {
  readonly id: string;
  readonly number: string;
  readonly currency: string;
  readonly amount: number;
  /** Days of a period; 0 for a single payment. */
  readonly days: number;
  readonly successUrl: string;
  readonly cancelUrl: string;
  status: 'open' | 'complete' | 'expired';
  paymentIntent: string | null;
  refunded: number;
}

export interface SignedEvent {
  readonly body: string;
  readonly signature: string;
}

/** Signature header of a webhook. */
export function stripeSignature(body: string, secret: string, time: number): string {
  return `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')}`;
}

/** Fields that the gateway may send, as documented by Stripe. */
const knownFields =
  /^(mode|client_reference_id|success_url|cancel_url|expires_at|metadata\[order\]|(payment_intent|subscription)_data\[metadata\]\[order\]|(invoice_creation|adaptive_pricing)\[enabled\]|line_items\[0\]\[(quantity|price_data\](\[(currency|unit_amount|product_data\]\[name|recurring\]\[interval(_count)?)))\])$/;

/** Fake Stripe: checkout sessions, a payment page, and signed webhooks. */
export class StubStripe {
  readonly received: FormRequest[] = [];
  readonly sessions = new Map<string, Session>();
  readonly subscriptions = new Map<string, StubSubscription>();
  /** URL to which the payment page delivers its webhook; empty: not delivered. */
  webhookUrl = '';
  /** Status of all further responses of the API; 0: normal. */
  failure = 0;
  readonly #keys = new Map<string, { readonly body: string; readonly id: string }>();
  #server: FormServer | undefined;

  static async start(): Promise<StubStripe> {
    const stub = new StubStripe();
    stub.#server = await FormServer.start((request, response) => stub.#handle(request, response));
    return stub;
  }

  get url(): string {
    return this.#server?.url ?? '';
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }

  /** The session of an order. */
  sessionOf(number: string): Session {
    const found = [...this.sessions.values()].find((session) => session.number === number);
    if (!found) throw new Error(`no session of order ${number}`);
    return found;
  }

  /** Marks the session of an order as paid and returns its webhook. */
  pay(number: string, time = Math.floor(Date.now() / 1000)): SignedEvent {
    const session = this.sessionOf(number);
    session.status = 'complete';
    if (session.days > 0) this.#subscribe(session, time);
    else session.paymentIntent ??= `pi_${randomUUID().replaceAll('-', '')}`;
    return this.sign('checkout.session.completed', this.sessionObject(session), time);
  }

  /** The subscription of an order. */
  subscriptionOf(number: string): StubSubscription {
    const found = [...this.subscriptions.values()].find((subscription) => subscription.number === number);
    if (!found) throw new Error(`no subscription of order ${number}`);
    return found;
  }

  #subscribe({ number, currency, amount, days }: Session, start: number): void {
    if ([...this.subscriptions.values()].some((subscription) => subscription.number === number)) return;
    const subscription = new StubSubscription({ number, currency, amount, days, start });
    this.subscriptions.set(subscription.id, subscription);
  }

  refund(number: string, amount: number): SignedEvent {
    const session = this.sessionOf(number);
    session.refunded = amount;
    return this.sign('charge.refunded', chargeOf(session));
  }

  dispute(number: string, type: 'created' | 'closed', status: string, time?: number): SignedEvent {
    const { amount, currency, paymentIntent } = this.sessionOf(number);
    const object = { object: 'dispute', id: 'dp_1', amount, currency, payment_intent: paymentIntent, status };
    return this.sign(`charge.dispute.${type}`, object, time);
  }

  /** A signed event with any object. */
  sign(type: string, object: object, time = Math.floor(Date.now() / 1000)): SignedEvent {
    const body = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type, created: time, data: { object } });
    return { body, signature: stripeSignature(body, stripeSecrets.webhook, time) };
  }

  sessionObject(session: Session, isExpanded = false): object {
    const { id, number, currency, amount, status, paymentIntent } = session;
    const subscription = [...this.subscriptions.values()].find((one) => one.number === number);
    const intent = paymentIntent && { object: 'payment_intent', id: paymentIntent, latest_charge: chargeOf(session) };
    return {
      object: 'checkout.session',
      id,
      url: `${this.url}/pay/${id}`,
      status,
      mode: session.days > 0 ? 'subscription' : 'payment',
      ...(subscription && { subscription: subscription.id, invoice: subscription.first.id }),
      payment_status: subscription || paymentIntent !== null ? 'paid' : 'unpaid',
      payment_intent: isExpanded ? intent : paymentIntent,
      amount_total: amount,
      currency,
      client_reference_id: number,
      metadata: { order: number },
    };
  }

  async #handle(request: FormRequest, response: ServerResponse): Promise<void> {
    this.received.push(request);
    const { method, path, headers } = request;
    const [, , id = ''] = path.split('/');
    if (path.startsWith('/pay/')) return this.#page(method, id, response);
    if (headers.authorization !== `Bearer ${stripeSecrets.key}`)
      return reject(response, 401, 'Invalid API Key provided');
    if (this.failure > 0) return reject(response, this.failure, 'Something went wrong');
    if (method === 'POST' && path === '/v1/checkout/sessions') return this.#create(request, response);
    if (path.startsWith('/v1/subscriptions/') || path === '/v1/invoices') return this.#billing(request, response);
    const session = this.sessions.get(path.replace('/v1/checkout/sessions/', ''));
    if (method !== 'GET' || !session) return reject(response, 404, 'No such checkout.session');
    sendJson(response, this.sessionObject(session, request.query.get('expand[]') === 'payment_intent.latest_charge'));
  }

  /** State and renewal of a subscription, and its invoices, newest first. */
  #billing({ method, path, query, form }: FormRequest, response: ServerResponse) {
    const isList = path === '/v1/invoices';
    const id = isList ? query.get('subscription') : path.replace('/v1/subscriptions/', '');
    const subscription = this.subscriptions.get(id ?? '');
    if (!subscription) return reject(response, 404, 'No such subscription');
    if (isList) {
      const isExpanded = query.get('expand[]') === 'data.payments';
      const paid = subscription.invoices.filter(({ isPaid }) => isPaid).toReversed();
      const data = paid.map((invoice) => subscription.invoiceObject(invoice, { isExpanded }));
      return sendJson(response, { object: 'list', has_more: false, data });
    }
    const cancels = form['cancel_at_period_end'];
    if (method === 'POST' && subscription.status === 'canceled')
      return reject(response, 400, 'A canceled subscription can only update its cancellation_details');
    if (method === 'DELETE') subscription.status = 'canceled';
    if (method === 'POST') subscription.cancelAtPeriodEnd = cancels === 'true';
    sendJson(response, subscription.object());
  }

  #create({ form, body, headers }: FormRequest, response: ServerResponse) {
    const key = String(headers['idempotency-key'] ?? '');
    const earlier = this.#keys.get(key);
    if (earlier && earlier.body !== body)
      return reject(response, 400, 'Keys for idempotent requests can only be reused');
    const known = earlier && this.sessions.get(earlier.id);
    if (known) return sendJson(response, this.sessionObject(known));
    const unknown = Object.keys(form).find((name) => !knownFields.test(name));
    if (unknown !== undefined) return reject(response, 400, `Received unknown parameter: ${unknown}`);
    const price = priceOf(form);
    if (!price) return reject(response, 400, 'The total amount due must add up to at least 50 cents');
    const session = openSession(form, price);
    this.sessions.set(session.id, session);
    this.#keys.set(key, { body, id: session.id });
    sendJson(response, this.sessionObject(session));
  }

  async #page(method: string, id: string, response: ServerResponse): Promise<void> {
    const session = this.sessions.get(id);
    if (!session) return reject(response, 404, 'No such page');
    const { amount, currency, cancelUrl } = session;
    if (method === 'GET')
      return sendPaymentPage(response, { price: `${amount / 100} ${currency}`, pay: `/pay/${id}`, cancel: cancelUrl });
    const event = this.pay(session.number);
    if (this.webhookUrl !== '') await deliverStripe(this.webhookUrl, event);
    redirect(response, session.successUrl);
  }
}

function openSession(form: FormRequest['form'], price: Pick<Session, 'amount' | 'days'>): Session {
  return {
    id: `cs_test_${randomUUID().replaceAll('-', '')}`,
    number: form['metadata[order]'] ?? '',
    currency: form['line_items[0][price_data][currency]'] ?? '',
    ...price,
    successUrl: form['success_url'] ?? '',
    cancelUrl: form['cancel_url'] ?? '',
    status: 'open',
    paymentIntent: null,
    refunded: 0,
  };
}

/** Price and days of a period; undefined if they are not valid. */
function priceOf(form: FormRequest['form']) {
  const amount = Number(form['line_items[0][price_data][unit_amount]']);
  const days = Number(form['line_items[0][price_data][recurring][interval_count]'] ?? '0');
  const isKnownMode = form['mode'] === (days > 0 ? 'subscription' : 'payment');
  return isKnownMode && Number.isInteger(amount) && amount >= 50 ? { amount, days } : undefined;
}

/** Sends a webhook as Stripe does. */
export async function deliverStripe(url: string, { body, signature }: SignedEvent) {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature };
  const response = await fetch(url, { method: 'POST', headers, body });
  return { status: response.status, text: await response.text() };
}

const chargeOf = ({ number, currency, amount, paymentIntent, refunded }: Session) => ({
  object: 'charge',
  id: 'ch_1',
  amount,
  amount_refunded: refunded,
  currency,
  payment_intent: paymentIntent,
  metadata: { order: number },
});

const reject = (response: ServerResponse, status: number, message: string): void =>
  sendJson(response, { error: { type: 'invalid_request_error', message } }, status);
