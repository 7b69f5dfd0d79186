import type { OrderState } from '@headgate/contract';
import type { PaymentEvent } from './payment-provider.ts';

/** Everything known about the payment of an order. */
export interface OrderFacts {
  readonly amount: number;
  readonly quota: number;
  /** True once the buyer may have reached the provider's page. */
  readonly sent: boolean;
  /** Empty if not paid. */
  readonly payment_id: string;
  /** Second id of the payment; empty if unknown. */
  readonly charge_id: string;
  readonly closing: '' | 'expired' | 'failed';
  readonly refunded_amount: number;
  readonly disputed_amount: number;
  readonly dispute: '' | 'open' | 'won' | 'lost';
}

const disputeRank = { '': 0, open: 1, won: 2, lost: 3 } as const;

const higherDispute = (one: OrderFacts['dispute'], other: OrderFacts['dispute']): OrderFacts['dispute'] =>
  disputeRank[other] > disputeRank[one] ? other : one;

/**
 * Facts after an event. Events only add facts, so they may arrive twice and in any order. A payment is accepted even
 * after the order has expired, because the money has arrived.
 */
export function mergeEvent(facts: OrderFacts, event: PaymentEvent): OrderFacts {
  const amount = Math.max(0, event.amount);
  switch (event.kind) {
    case 'paid':
    case 'linked': {
      const payment_id = facts.payment_id || (event.kind === 'paid' ? event.paymentId : '');
      return { ...facts, payment_id, charge_id: facts.charge_id || (event.chargeId ?? '') };
    }
    case 'expired':
    case 'failed':
      return facts.closing === 'failed' ? facts : { ...facts, closing: event.kind };
    case 'refunded':
      return { ...facts, refunded_amount: Math.max(facts.refunded_amount, Math.min(amount, facts.amount)) };
    case 'disputed':
    case 'dispute_won':
    case 'dispute_lost':
      return {
        ...facts,
        disputed_amount: Math.max(facts.disputed_amount, Math.min(amount, facts.amount)),
        dispute: higherDispute(facts.dispute, disputeOf[event.kind]),
      };
    case 'subscription':
    case 'other':
      return facts;
  }
}

const disputeOf = { disputed: 'open', dispute_won: 'won', dispute_lost: 'lost' } as const;

const isDisputed = ({ dispute }: OrderFacts): boolean => dispute === 'open' || dispute === 'lost';

/** Points that should be credited for the order so far: those for the paid amount minus refunds and lost disputes. */
export function creditableQuota(facts: OrderFacts): number {
  if (facts.payment_id === '') return 0;
  const disputed = isDisputed(facts) ? facts.disputed_amount : 0;
  const kept = Math.max(0, facts.amount - facts.refunded_amount - disputed);
  if (kept === facts.amount) return facts.quota;
  return Number((BigInt(facts.quota) * BigInt(kept)) / BigInt(facts.amount));
}

/** True if the plan of a paid order is valid: not completely refunded and not disputed. */
export const isPlanOwed = (facts: OrderFacts): boolean =>
  facts.payment_id !== '' && facts.refunded_amount < facts.amount && !isDisputed(facts);

/** State of an order for which these points have been credited. */
export function orderState(facts: OrderFacts, credited: number): OrderState {
  if (facts.payment_id === '') return facts.closing || (facts.sent ? 'pending' : 'created');
  if (credited !== creditableQuota(facts)) return 'paid';
  if (isDisputed(facts)) return 'disputed';
  return facts.refunded_amount >= facts.amount ? 'refunded' : 'credited';
}

/** True while the provider may still report a payment. */
export const isOpen = (state: OrderState): boolean => state === 'created' || state === 'pending';
