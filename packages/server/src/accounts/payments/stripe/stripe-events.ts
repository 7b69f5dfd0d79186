import type { PaymentEvent } from '../payment-provider.ts';
import { amountIn, type Fields, fieldsOf, idOf, nothing, numberIn, type Reading, text } from './stripe-fields.ts';
import { failedInvoice, invoicePayment, paidInvoice, subscriptionState } from './stripe-subscription-events.ts';

const session =
  (kindOf: (session: Fields) => PaymentEvent['kind']): Reading =>
  (object) => ({
    kind: kindOf(object),
    number: numberIn(object),
    amount: amountIn(object['amount_total']),
    currency: text(object['currency']).toLowerCase(),
    // A subscription is paid by invoices.
    ...(object['mode'] === 'subscription'
      ? { paymentId: idOf(object['invoice']), subscription: { id: idOf(object['subscription']) } }
      : { paymentId: idOf(object['payment_intent']) }),
  });

/** A session can be complete before a delayed payment arrives. */
const paidIf = (object: Fields) => (object['payment_status'] === 'paid' ? 'paid' : 'other');

const dispute =
  (kindOf: (dispute: Fields) => PaymentEvent['kind']): Reading =>
  (object) => ({
    kind: kindOf(object),
    number: numberIn(object),
    paymentId: idOf(object['payment_intent']),
    amount: amountIn(object['amount']),
    currency: text(object['currency']).toLowerCase(),
  });

/** An inquiry does not withdraw money. */
const isInquiry = ({ status }: Fields) => typeof status === 'string' && status.startsWith('warning_');

const closedDispute = (object: Fields): PaymentEvent['kind'] => {
  if (object['status'] === 'won') return 'dispute_won';
  return object['status'] === 'lost' ? 'dispute_lost' : 'other';
};

const refundedCharge: Reading = (charge) => ({
  kind: 'refunded',
  number: numberIn(charge),
  paymentId: idOf(charge['payment_intent']),
  amount: amountIn(charge['amount_refunded']),
  currency: text(charge['currency']).toLowerCase(),
});

const readings: Readonly<Record<string, Reading>> = {
  'checkout.session.completed': session(paidIf),
  'checkout.session.async_payment_succeeded': session(paidIf),
  'checkout.session.async_payment_failed': session(() => 'failed'),
  'checkout.session.expired': session(() => 'expired'),
  'charge.refunded': refundedCharge,
  'charge.dispute.created': dispute((object) => (isInquiry(object) ? 'other' : 'disputed')),
  'charge.dispute.funds_withdrawn': dispute(() => 'disputed'),
  'charge.dispute.closed': dispute(closedDispute),
  'invoice.paid': paidInvoice,
  'invoice.payment_failed': failedInvoice,
  'invoice_payment.paid': invoicePayment,
  'customer.subscription.updated': subscriptionState,
  'customer.subscription.deleted': subscriptionState,
};

/** Parses the event of a webhook; undefined if the body is not an event. */
export function stripeEvent(value: unknown): PaymentEvent | undefined {
  const { type, data, created } = fieldsOf(value);
  if (typeof type !== 'string') return undefined;
  const read = Object.hasOwn(readings, type) ? readings[type] : undefined;
  const time = amountIn(created);
  const reading = { ...nothing, ...read?.(fieldsOf(fieldsOf(data)['object'])), ...(time > 0 && { time }) };
  return { ...reading, event: type.slice(0, 100) };
}

/** Events of a checkout session with its expanded charge; undefined if it is not a session. */
export function sessionEvents(value: unknown): readonly PaymentEvent[] | undefined {
  const found = fieldsOf(value);
  const { status } = found;
  if (found['object'] !== 'checkout.session') return undefined;
  const kindOf = () => (status === 'expired' ? 'expired' : paidIf(found));
  const events = [{ ...session(kindOf)(found), event: `session ${text(status)}` }];
  if (found['mode'] === 'subscription') return events;
  const charge = fieldsOf(fieldsOf(found['payment_intent'])['latest_charge']);
  if (amountIn(charge['amount_refunded']) === 0) return events;
  const refund = { ...refundedCharge(charge), event: 'charge', paymentId: idOf(found['payment_intent']) };
  return [...events, { ...refund, number: numberIn(found) }];
}
