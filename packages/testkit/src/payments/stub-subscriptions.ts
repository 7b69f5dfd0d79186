import { randomUUID } from 'node:crypto';

/** Shape of objects: that of current API versions, or the one before 2025-03-31. */
type Shape = 'current' | 'older';

interface Invoice {
  readonly id: string;
  readonly paymentIntent: string;
  readonly reason: 'subscription_create' | 'subscription_cycle';
  readonly start: number;
  readonly end: number;
  readonly isPaid: boolean;
}

interface NewSubscription {
  /** Order that started it. */
  readonly number: string;
  readonly currency: string;
  readonly amount: number;
  readonly days: number;
  /** Unix seconds. */
  readonly start: number;
}

const secondsPerDay = 86_400;
const newId = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`;

/** A subscription at the fake Stripe, with an invoice for each period. */
export class StubSubscription {
  readonly id = newId('sub');
  readonly invoices: Invoice[] = [];
  readonly #terms: NewSubscription;
  cancelAtPeriodEnd = false;
  status = 'active';

  constructor(terms: NewSubscription) {
    this.#terms = terms;
    this.#bill('subscription_create', terms.start, true);
  }

  get number(): string {
    return this.#terms.number;
  }

  get first(): Invoice {
    return this.at(0);
  }

  get last(): Invoice {
    return this.at(-1);
  }

  at(index: number): Invoice {
    const found = this.invoices.at(index);
    if (!found) throw new Error(`no invoice ${index}`);
    return found;
  }

  /** Adds the invoice of the next period. */
  renew(isPaid = true): Invoice {
    if (!this.last.isPaid) return this.#replaceLast(isPaid);
    this.status = isPaid ? 'active' : 'past_due';
    return this.#bill('subscription_cycle', this.last.end, isPaid);
  }

  #replaceLast(isPaid: boolean): Invoice {
    const paid = { ...this.last, isPaid };
    this.invoices[this.invoices.length - 1] = paid;
    this.status = isPaid ? 'active' : 'past_due';
    return paid;
  }

  #bill(reason: Invoice['reason'], start: number, isPaid: boolean): Invoice {
    const end = start + this.#terms.days * secondsPerDay;
    const invoice = { id: newId('in'), paymentIntent: newId('pi'), reason, start, end, isPaid };
    this.invoices.push(invoice);
    return invoice;
  }

  object(): object {
    const { end } = this.last;
    return {
      object: 'subscription',
      id: this.id,
      status: this.status,
      cancel_at: this.cancelAtPeriodEnd ? end : null,
      cancel_at_period_end: this.cancelAtPeriodEnd,
      metadata: { order: this.number },
      items: { object: 'list', data: [{ object: 'subscription_item', current_period_end: end }] },
    };
  }

  /** Webhooks contain the payments of an invoice only in the older shape. */
  invoiceObject(invoice: Invoice, { shape = 'current', isExpanded = false }: InvoiceView = {}): object {
    const { amount, currency, number } = this.#terms;
    const { id, paymentIntent, reason, start, end, isPaid } = invoice;
    const metadata = { order: number };
    const payment = { object: 'invoice_payment', invoice: id, status: isPaid ? 'paid' : 'open' };
    return {
      object: 'invoice',
      id,
      status: isPaid ? 'paid' : 'open',
      billing_reason: reason,
      amount_due: amount,
      amount_paid: isPaid ? amount : 0,
      currency,
      lines: { object: 'list', data: [{ object: 'line_item', amount, period: { start, end } }] },
      ...(shape === 'older'
        ? { subscription: this.id, subscription_details: { metadata }, payment_intent: paymentIntent }
        : { parent: { type: 'subscription_details', subscription_details: { subscription: this.id, metadata } } }),
      ...(isExpanded && {
        payments: {
          object: 'list',
          data: [{ ...payment, payment: { type: 'payment_intent', payment_intent: paymentIntent } }],
        },
      }),
    };
  }

  /** Object of `invoice_payment.paid`. */
  paymentObject({ id, paymentIntent }: Invoice): object {
    const { amount, currency } = this.#terms;
    const payment = { type: 'payment_intent', payment_intent: paymentIntent };
    return { object: 'invoice_payment', invoice: id, status: 'paid', amount_paid: amount, currency, payment };
  }

  /** A charge without metadata, as Stripe creates it for invoices. */
  chargeObject({ paymentIntent }: Invoice, refunded: number): object {
    const { amount, currency } = this.#terms;
    const charge = { object: 'charge', id: 'ch_1', amount, amount_refunded: refunded, currency };
    return { ...charge, payment_intent: paymentIntent, metadata: {} };
  }

  disputeObject({ paymentIntent }: Invoice, status: string): object {
    const { amount, currency } = this.#terms;
    return { object: 'dispute', id: 'dp_1', amount, currency, payment_intent: paymentIntent, status };
  }
}

interface InvoiceView {
  readonly shape?: Shape;
  readonly isExpanded?: boolean;
}
