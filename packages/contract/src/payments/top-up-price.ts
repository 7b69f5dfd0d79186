import { type Currency, currencies } from './currencies.ts';
import type { TopUpAmount } from './top-up-amounts.ts';

export interface PriceSettings {
  readonly currency: Currency;
  /** Price of one dollar of quota, in the currency. */
  readonly unitPrice: number;
  /** Points per dollar. */
  readonly quotaPerUnit: number;
  /** Price multiplier, such as the group ratio. */
  readonly discount: number;
}

export interface TopUpPrice {
  /** In the smallest unit of the currency. */
  readonly amount: number;
  /** Points to credit, including the bonus. */
  readonly quota: number;
  /** Points of the bonus. */
  readonly bonus_quota: number;
}

const micros = 1_000_000n;
const inMicros = (value: number) => BigInt(Math.round(value * Number(micros)));

/** Payment providers accept at most eight digits. */
const maxAmount = 99_999_999n;
const maxQuota = 1_000_000_000_000_000n;

/**
 * Exact price and points of an amount: the price is rounded up, points are rounded down. Undefined if the amount cannot
 * be sold.
 */
export function topUpPrice({ cents, bonus }: TopUpAmount, settings: PriceSettings): TopUpPrice | undefined {
  const smallest = 10n ** BigInt(currencies[settings.currency]);
  const product = BigInt(cents) * inMicros(settings.unitPrice) * inMicros(settings.discount) * smallest;
  const scale = 100n * micros * micros;
  const amount = (product + scale - 1n) / scale;
  const bought = (BigInt(cents) * inMicros(settings.quotaPerUnit)) / (100n * micros);
  const extra = (bought * BigInt(bonus)) / 100n;
  if (amount < 1n || amount > maxAmount || bought < 1n || bought + extra > maxQuota) return undefined;
  return { amount: Number(amount), quota: Number(bought + extra), bonus_quota: Number(extra) };
}
