import type { OrderProviderName } from '@headgate/contract';
import { amountText } from '@headgate/contract';
import type { OrderRow } from './order-repository.ts';
import type { PaymentEvent } from './payment-provider.ts';

export const unknownOrder = { verdict: 'unknown_order', detail: '' } as const;

const withAmount: ReadonlySet<PaymentEvent['kind']> = new Set([
  'paid',
  'refunded',
  'disputed',
  'dispute_won',
  'dispute_lost',
]);

/** Reason why an event cannot belong to an order; undefined if it can. */
export function faultOf(order: OrderRow, provider: OrderProviderName, event: PaymentEvent) {
  if (order.provider !== provider)
    return { verdict: 'wrong_provider', detail: `the order uses ${order.provider}` } as const;
  if (event.kind === 'linked') return paymentFaultOf(order, event);
  if (!withAmount.has(event.kind)) return undefined;
  return amountFaultOf(order, event) ?? paymentFaultOf(order, event);
}

/** Reason why an event does not have the currency of an order or, for payments, its amount. */
export function amountFaultOf(order: Pick<OrderRow, 'amount' | 'currency'>, event: PaymentEvent) {
  const isWrongAmount = event.kind === 'paid' && event.amount !== order.amount;
  if (event.currency === order.currency && !isWrongAmount) return undefined;
  return { verdict: 'wrong_amount', detail: `expected ${amountText(order.amount, order.currency)}` } as const;
}

/** Refunds and disputes belong to one payment: those of a second payment must not deduct the quota of the first. */
function paymentFaultOf(order: OrderRow, { kind, paymentId }: PaymentEvent) {
  if (paymentId === '') return { verdict: 'ignored', detail: 'no payment' } as const;
  if (order.payment_id !== '' && order.payment_id !== paymentId && order.charge_id !== paymentId)
    return { verdict: 'second_payment', detail: `paid by ${order.payment_id}` } as const;
  // Applied when the payment arrives.
  if (order.payment_id === '' && kind !== 'paid') return { verdict: 'ignored', detail: 'not paid yet' } as const;
  return undefined;
}
