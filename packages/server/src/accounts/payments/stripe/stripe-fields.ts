import type { PaymentEvent } from '../payment-provider.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const text = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 300) : '');
export const amountIn = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : 0);

/** Id of an object, whether expanded or not. */
export const idOf = (value: unknown): string => text(typeof value === 'string' ? value : fieldsOf(value)['id']);

/** Order number in the metadata of a session, payment intent, charge or subscription. */
export const numberIn = (value: Fields): string => text(fieldsOf(value['metadata'])['order']);

export type Reading = (object: Fields) => Omit<PaymentEvent, 'event'>;

export const nothing: Omit<PaymentEvent, 'event'> = {
  kind: 'other',
  number: '',
  paymentId: '',
  amount: 0,
  currency: '',
};
