import type { PaymentEvent, SubscriptionStatus } from '../payment-provider.ts';
import {
  amountIn,
  type Fields,
  fieldsOf,
  idOf,
  listOf,
  nothing,
  numberIn,
  type Reading,
  text,
} from './stripe-fields.ts';

/** Subscription of an invoice and its metadata: in `parent` since API version 2025-03-31, otherwise in the invoice. */
function subscriptionOf(invoice: Fields): { readonly id: string; readonly number: string } {
  const details = fieldsOf(fieldsOf(invoice['parent'])['subscription_details']);
  const older = fieldsOf(invoice['subscription_details']);
  return {
    id: idOf(details['subscription']) || idOf(invoice['subscription']),
    number: numberIn(details) || numberIn(older),
  };
}

/** The period that the invoice pays: the latest of its lines. */
function periodOf(invoice: Fields): { readonly start: number; readonly end: number } | undefined {
  const periods = listOf(fieldsOf(invoice['lines'])['data']).map((line) => {
    const { start, end } = fieldsOf(fieldsOf(line)['period']);
    return { start: amountIn(start), end: amountIn(end) };
  });
  const [latest] = periods
    .filter(({ start, end }) => start > 0 && end > start)
    .sort((one, other) => other.end - one.end);
  return latest;
}

/** Payment intent of an invoice; empty if it is not included, as in webhooks since API version 2025-03-31. */
function chargeOf(invoice: Fields): string {
  const intents = listOf(fieldsOf(invoice['payments'])['data']).map((payment) => {
    const { status, payment: details } = fieldsOf(payment);
    return status === 'paid' ? idOf(fieldsOf(details)['payment_intent']) : '';
  });
  return intents.find((id) => id !== '') ?? idOf(invoice['payment_intent']);
}

const reasons: Readonly<Record<string, boolean>> = { subscription_create: false, subscription_cycle: true };

/** Payment of a period. Invoices without a subscription, and prorated ones, are ignored. */
export const paidInvoice: Reading = (invoice) => {
  const { id, number } = subscriptionOf(invoice);
  const reason = text(invoice['billing_reason']);
  if (id === '' || invoice['status'] !== 'paid' || !Object.hasOwn(reasons, reason)) return nothing;
  const period = periodOf(invoice);
  return {
    kind: 'paid',
    number,
    paymentId: idOf(invoice),
    chargeId: chargeOf(invoice),
    amount: amountIn(invoice['amount_paid']),
    currency: text(invoice['currency']).toLowerCase(),
    subscription: { id, isRenewal: reasons[reason] === true, ...(period && { period }) },
  };
};

/** The provider repeats a failed payment of a renewal. */
export const failedInvoice: Reading = (invoice) => {
  const { id } = subscriptionOf(invoice);
  if (id === '' || text(invoice['billing_reason']) !== 'subscription_cycle') return nothing;
  const status = { state: 'past_due' } as const;
  return { ...nothing, kind: 'subscription', paymentId: idOf(invoice), subscription: { id, status } };
};

/** Payment intent of an invoice, under which refunds and disputes are reported. */
export const invoicePayment: Reading = (object) => {
  const chargeId = idOf(fieldsOf(object['payment'])['payment_intent']);
  if (object['status'] !== 'paid' || chargeId === '') return nothing;
  return { ...nothing, kind: 'linked', paymentId: idOf(object['invoice']), chargeId };
};

const states: Readonly<Record<string, SubscriptionStatus['state']>> = {
  active: 'active',
  trialing: 'active',
  canceled: 'ended',
  incomplete_expired: 'ended',
};

/** An unknown status is one in which the next period is not paid. */
const stateIn = (status: string): SubscriptionStatus['state'] =>
  Object.hasOwn(states, status) ? (states[status] ?? 'past_due') : 'past_due';

export const subscriptionState: Reading = (object) => {
  const cancels = object['cancel_at_period_end'] === true || amountIn(object['cancel_at']) > 0;
  const status = { state: stateIn(text(object['status'])), renews: !cancels };
  return { ...nothing, kind: 'subscription', number: numberIn(object), subscription: { id: idOf(object), status } };
};

/** A subscription returned by the API; undefined if the response is not this one. */
export function subscriptionEvent(value: unknown, id: string, now: number): PaymentEvent | undefined {
  const object = fieldsOf(value);
  if (object['object'] !== 'subscription' || idOf(object) !== id) return undefined;
  return { ...subscriptionState(object), event: `subscription ${text(object['status'])}`, time: now };
}

/** Payments of a list of invoices, oldest first; undefined if it is not such a list. */
export function invoiceEvents(value: unknown, id: string): readonly PaymentEvent[] | undefined {
  const { object, data } = fieldsOf(value);
  if (object !== 'list') return undefined;
  const events = listOf(data).map((invoice) => ({ ...paidInvoice(fieldsOf(invoice)), event: 'invoice' }));
  return events.filter(({ kind, subscription }) => kind === 'paid' && subscription?.id === id).reverse();
}
