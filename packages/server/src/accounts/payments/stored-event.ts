import type { CallbackRow } from './callback-repository.ts';
import type { PaymentEvent } from './payment-provider.ts';

const maxTextLength = 100;

/** Sanitizes a provider's text for storage. */
export const plain = (text: string): string => text.toWellFormed().replaceAll('\0', '').slice(0, maxTextLength);

const eventKinds = ['linked', 'refunded', 'disputed', 'dispute_won', 'dispute_lost'] as const;

/** The event of a stored callback. */
export const storedEvent = (row: CallbackRow): PaymentEvent => ({
  kind: eventKinds.find((kind) => kind === row.kind) ?? 'other',
  event: row.event,
  number: '',
  paymentId: row.payment_id,
  chargeId: row.charge_id,
  amount: row.amount,
  currency: row.currency,
});
