import { describe, expect, it } from 'vitest';
import { amountText } from './currencies.ts';
import { readTopUpAmounts, serializeTopUpAmounts } from './top-up-amounts.ts';
import { topUpPrice } from './top-up-price.ts';

const plain = { currency: 'usd', unitPrice: 1, quotaPerUnit: 500_000, discount: 1 } as const;

describe('quota price', () => {
  it.each([
    [{ cents: 1000, bonus: 0 }, plain, { amount: 1000, quota: 5_000_000, bonus_quota: 0 }],
    [{ cents: 1000, bonus: 15 }, plain, { amount: 1000, quota: 5_750_000, bonus_quota: 750_000 }],
    [
      { cents: 1000, bonus: 0 },
      { ...plain, discount: 0.9 },
      { amount: 900, quota: 5_000_000, bonus_quota: 0 },
    ],
    [
      { cents: 333, bonus: 0 },
      { ...plain, unitPrice: 7.2 },
      { amount: 2398, quota: 1_665_000, bonus_quota: 0 },
    ],
    [{ cents: 1000, bonus: 0 }, { ...plain, currency: 'jpy', unitPrice: 150.5 }, { amount: 1505 }],
    [{ cents: 10, bonus: 0 }, { ...plain, unitPrice: 0.1, discount: 0.3 }, { amount: 1 }],
  ] as const)('of %j at %j is exact and rounded up', (amount, settings, price) => {
    expect(topUpPrice(amount, settings)).toMatchObject(price);
  });

  it('is undefined for a price of 0 and for excessive amounts', () => {
    expect(topUpPrice({ cents: 1000, bonus: 0 }, { ...plain, discount: 0 })).toBeUndefined();
    expect(topUpPrice({ cents: 10_000_000, bonus: 0 }, { ...plain, unitPrice: 10_000 })).toBeUndefined();
    expect(topUpPrice({ cents: 10_000_000, bonus: 1000 }, { ...plain, quotaPerUnit: 1e15 })).toBeUndefined();
  });
});

describe('top-up amounts', () => {
  it('are sorted', () => {
    expect(serializeTopUpAmounts(readTopUpAmounts(' 100 + 10% ,5.5, 20') ?? [])).toBe('5.5, 20, 100 +10%');
  });

  it.each(['0', '-5', '5, 5', '1e3', '5 +', '5 10', '5.001', '100001', '5 +1001%', Array(21).fill(1).join(',')])(
    'rejects %s',
    (text) => {
      expect(readTopUpAmounts(text)).toBeUndefined();
    },
  );
});

it('amounts are written with the number of decimals of their currency', () => {
  expect([amountText(5, 'usd'), amountText(1234, 'eur'), amountText(1234, 'jpy')]).toEqual([
    '0.05 USD',
    '12.34 EUR',
    '1234 JPY',
  ]);
});
