import type { PaymentEvent } from '../payment-provider.ts';

type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 300) : '');
const amountIn = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : 0);

/** Id of an object, whether expanded or not. */
const idOf = (value: unknown): string => text(typeof value === 'string' ? value : fieldsOf(value)['id']);

/** Order number in the metadata of a session, payment intent or charge. */
const numberIn = (value: Fields): string => text(fieldsOf(value['metadata'])['order']);

type Reading = (object: Fields) => Omit<PaymentEvent, 'event'>;

const nothing: Omit<PaymentEvent, 'event'> = { kind: 'other', number: '', paymentId: '', amount: 0, currency: '' };

const session =
  (kindOf: (session: Fields) => PaymentEvent['kind']): Reading =>
  (object) => ({
    kind: kindOf(object),
    number: numberIn(object),
    paymentId: idOf(object['payment_intent']),
    amount: amountIn(object['amount_total']),
    currency: text(object['currency']).toLowerCase(),
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
};

/** Parses the event of a webhook; undefined if the body is not an event. */
export function stripeEvent(value: unknown): PaymentEvent | undefined {
  const { type, data } = fieldsOf(value);
  if (typeof type !== 'string') return undefined;
  const read = Object.hasOwn(readings, type) ? readings[type] : undefined;
  return { ...nothing, ...read?.(fieldsOf(fieldsOf(data)['object'])), event: type.slice(0, 100) };
}

/** Events of a checkout session with its expanded charge; undefined if it is not a session. */
export function sessionEvents(value: unknown): readonly PaymentEvent[] | undefined {
  const found = fieldsOf(value);
  const { status } = found;
  if (found['object'] !== 'checkout.session') return undefined;
  const kindOf = () => (status === 'expired' ? 'expired' : paidIf(found));
  const events = [{ ...session(kindOf)(found), event: `session ${text(status)}` }];
  const charge = fieldsOf(fieldsOf(found['payment_intent'])['latest_charge']);
  if (amountIn(charge['amount_refunded']) === 0) return events;
  const refund = { ...refundedCharge(charge), event: 'charge', paymentId: idOf(found['payment_intent']) };
  return [...events, { ...refund, number: numberIn(found) }];
}
