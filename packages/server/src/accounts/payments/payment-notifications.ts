import type { CallbackVerdict, OrderProviderName } from '@headgate/contract';
import { type CallbackSource, eventAmount, type SettlementResult } from './settlement.ts';

/** A payment event reported to operators. */
export interface PaymentNotice {
  readonly kind: 'payment_failed' | 'payment_disputed' | 'payment_missed';
  readonly orderId: number;
  readonly number: string;
  readonly price: string;
  readonly verdict: CallbackVerdict;
  readonly reason: string;
}

const failures: ReadonlySet<CallbackVerdict> = new Set([
  'not_credited',
  'second_payment',
  'wrong_amount',
  'wrong_provider',
]);

/** Notice for an applied event; undefined if there is nothing to report. */
export function paymentNotice(settled: SettlementResult, source: CallbackSource): PaymentNotice | undefined {
  const { verdict, event, order, detail } = settled;
  if (!order) return undefined;
  const about = { orderId: order.id, number: order.number, price: eventAmount(event), verdict, reason: detail };
  if (failures.has(verdict) && event.kind === 'paid') return { kind: 'payment_failed', ...about };
  if (verdict === 'applied' && event.kind === 'disputed') return { kind: 'payment_disputed', ...about };
  if (verdict === 'credited' && source === 'query') return { kind: 'payment_missed', ...about };
  return undefined;
}

/** Callbacks since the start of this process, by provider and verdict. */
export class CallbackCounts {
  readonly #counts = new Map<string, { provider: OrderProviderName; verdict: CallbackVerdict; count: number }>();

  add(provider: OrderProviderName, verdict: CallbackVerdict): void {
    const key = `${provider} ${verdict}`;
    const known = this.#counts.get(key);
    if (known) known.count += 1;
    else this.#counts.set(key, { provider, verdict, count: 1 });
  }

  all(): readonly {
    readonly provider: OrderProviderName;
    readonly verdict: CallbackVerdict;
    readonly count: number;
  }[] {
    return [...this.#counts.values()];
  }
}
