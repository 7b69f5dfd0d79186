import { describe, expect, it } from 'vitest';
import { noRatios } from '../testing/no-ratios.ts';
import { priceOf, type SavedRatios } from './price.ts';
import { applyPriceConditions, chargedTier, reservedTier } from './price-conditions.ts';
import { maxQuotaOf, quotaOf } from './quota-of.ts';

const model = 'tiered';
const price = (saved: Partial<SavedRatios> = {}, name = model) =>
  priceOf(name, { type: 1 }, 'default', {
    ...noRatios,
    ModelRatio: { [name]: 2 },
    CompletionRatio: { [name]: 5 },
    CallRatio: { [name]: 0.1 },
    FlexRatio: { [name]: 0.5 },
    PriorityRatio: { [name]: 2 },
    ...saved,
  });
const used = { prompt: 100, completion: 10 };
const standard = 100 * 2 + 10 * 2 * 5 + 100;

describe('conditional prices', () => {
  it.each([
    ['the standard tier', undefined, 1, standard],
    ['flex', 'flex', 1, standard / 2],
    ['priority', 'priority', 1, standard * 2],
    ['off-peak hours', undefined, 0.25, standard / 4],
    ['priority in peak hours', 'priority', 3, standard * 6],
    ['free hours', undefined, 0, 0],
  ] as const)('multiply token prices and the per-request price in %s', (_, tier, clock, expected) => {
    const own = applyPriceConditions(price(), { tier, clock });
    expect(quotaOf(used, own)).toBe(expected);
    expect(maxQuotaOf(used, own)).toBe(expected);
    expect(applyPriceConditions(price(), { tier, clock })).toEqual(own);
  });

  it('multiply the rates of long prompts', () => {
    const long = price({}, 'gemini-2.5-pro');
    const prompt = { prompt: 300_000, completion: 0 };
    const multiplied = quotaOf(prompt, applyPriceConditions(long, { tier: 'priority', clock: 1 }));
    expect(multiplied).toBe(2 * quotaOf(prompt, long));
  });
});

describe('service tier', () => {
  it.each([
    ['the standard tier for flex, which may be served as standard', 'flex', undefined],
    ['priority', 'priority', 'priority'],
    ['the standard tier without a request', undefined, undefined],
  ] as const)('reserved is %s', (_, requested, expected) => {
    expect(reservedTier(price(), requested)).toBe(expected);
  });

  it.each([
    ['as requested without a report', 'priority', undefined, 'priority'],
    ['as reported when priority is served as standard', 'priority', 'standard', undefined],
    ['as reported when flex is served as standard', 'flex', 'standard', undefined],
    ['as reported when a cheaper tier served', undefined, 'flex', 'flex'],
    ['within the reservation when a dearer tier is reported', undefined, 'priority', undefined],
    ['within the reservation when flex is served as priority', 'flex', 'priority', undefined],
  ] as const)('is charged %s', (_, requested, reported, expected) => {
    expect(chargedTier(price(), requested, reported)).toBe(expected);
  });
});
