import { expect, test } from 'vitest';
import { noRatios } from '../testing/no-ratios.ts';
import { costOf } from './cost.ts';
import { PriceCache, priceAt, priceOf, type SavedRatios } from './price.ts';
import { quotaOf } from './quota-of.ts';
import { modelRatios } from './ratios.ts';

const nothingSaved: SavedRatios = { ...noRatios, GroupRatio: { default: 1 } };
const openai = 1;
const price = (model: string, saved: Partial<SavedRatios> = {}, group = 'default') =>
  priceOf(model, { type: openai }, group, { ...nothingSaved, ...saved });

test('charges gpt-4o with 10 tokens in and 5 out (10 + 5 × 4) × 1.25, rounded up', () => {
  expect(quotaOf({ prompt: 10, completion: 5 }, price('gpt-4o'))).toBe(38);
});

test('charges 30 points per token for an unpriced model, and nothing for zero usage', () => {
  expect(quotaOf({ prompt: 1, completion: 0 }, price('never-heard-of'))).toBe(30);
  expect(quotaOf({ prompt: 0, completion: 0 }, price('never-heard-of'))).toBe(0);
});

test('charges nothing for a free model and at least one point for a nearly free one', () => {
  expect(quotaOf({ prompt: 100, completion: 9 }, price('x', { ModelRatio: { x: 0 } }))).toBe(0);
  expect(quotaOf({ prompt: 1, completion: 0 }, price('x', { ModelRatio: { x: 0.0001 } }))).toBe(1);
});

test.each([
  ['a cost that is not a number', { input: 1e-305, output: 100_000 }],
  ['an infinite cost', { input: 1e-300, output: Number.POSITIVE_INFINITY }],
  ['a price that is not a number', { input: 1, output: Number.NaN }],
])('reports a cost of zero for %s', (_, bought) => {
  const channel = { type: openai, purchase: { multiplier: 1, models: { x: bought } } };
  expect(costOf({ prompt: 0, completion: 5 }, channel, { models: ['x'], pointsPerDollar: 500_000 })).toBe(0);
});

test('prefers saved over built-in prices and channel type prices over general ones, and multiplies by the group ratio', () => {
  const saved = { ModelRatio: { 'gpt-4o': 7, 'gpt-4o(1)': 3 }, GroupRatio: { vip: 0.5 } };
  const ratios = { model_ratio: 3, completion_ratio: 4, group_ratio: 0.5 };
  expect(price('gpt-4o', saved, 'vip')).toMatchObject({ ...ratios, group: 'vip' });
  expect(priceOf('gpt-4o', { type: 2 }, 'nobody', { ...nothingSaved, ...saved })).toMatchObject({
    model_ratio: 7,
    group_ratio: 1,
  });
});

test.each([
  ['claude-sonnet-4-5', 200_000, 2, 1.5],
  ['anthropic.claude-sonnet-4-20250514-v1:0', 200_000, 2, 1.5],
  ['gemini-2.5-pro', 200_000, 2, 1.5],
  ['google/gemini-3.1-pro-preview', 200_000, 2, 1.5],
  ['gemini-1.5-flash', 128_000, 2, 2],
  ['gpt-5.4', 272_000, 2, 1.5],
])(
  '[A5.15] %s costs more for the whole request when the prompt exceeds %i tokens',
  (model, above, prompt, completion) => {
    const usual = price(model, { ModelRatio: { [model]: 10 }, CompletionRatio: { [model]: 4 } });
    expect(quotaOf({ prompt: above, completion: 100 }, usual)).toBe((above + 400) * 10);
    expect(quotaOf({ prompt: above + 1, completion: 100 }, usual)).toBe(
      Math.ceil((above + 1) * 10 * prompt + 4000 * completion),
    );
    expect(priceAt(usual, above)).not.toHaveProperty('tiers');
    expect(priceAt(usual, above + 1)).not.toHaveProperty('tiers');
  },
);

test.each(['claude-sonnet-4-6', 'claude-opus-5', 'gemini-2.5-flash', 'gpt-5.4-mini', 'gpt-4o'])(
  '%s costs the same for a prompt of any length',
  (model) => {
    const usual = price(model, { ModelRatio: { [model]: 10 } });
    expect(quotaOf({ prompt: 900_000, completion: 0 }, usual)).toBe(9_000_000);
  },
);

test('does not treat inherited property names as models', () => {
  expect(price('constructor').model_ratio).toBe(30);
  expect(price('__proto__').model_ratio).toBe(30);
});

test('[A7.2] rounds to safe integers without adding a point for floating-point error', () => {
  const tenth = { model_ratio: 0.1, completion_ratio: 1, group: 'default' };
  expect(quotaOf({ prompt: 3, completion: 0 }, { ...tenth, group_ratio: 10 })).toBe(3);
  expect(quotaOf({ prompt: 3, completion: 0 }, { ...tenth, group_ratio: 10.1 })).toBe(4);
  expect(quotaOf({ prompt: 1e15, completion: 1e15 }, price('gpt-4'))).toBe(Number.MAX_SAFE_INTEGER);
});

test('contains no built-in price that is negative, absurd or a thousand times too low', () => {
  for (const [name, ratio] of Object.entries(modelRatios)) {
    expect(ratio, name).toBeGreaterThanOrEqual(0);
    expect(ratio, name).toBeLessThan(1000);
  }
  // Yuan at seven to the dollar: ¥0.5 per million tokens.
  expect(modelRatios['glm-4-air']).toBeCloseTo(0.5 / 7 / 2, 5);
  expect(price('llama-3.1-8b-instant').model_ratio).toBe(0.025);
});

const keyOf = (model: string) => ({ channelType: 1, group: 'default', model, sentAs: model });

test('caches prices even after clients have sent many unknown model names', () => {
  const prices = new PriceCache<number>();
  for (let count = 0; count < 10_000; count += 1) prices.add(keyOf(`invented-${count}`), count);
  prices.add(keyOf('gpt-5'), 7);
  expect(prices.get(keyOf('gpt-5'))).toBe(7);
  expect(prices.get(keyOf('invented-0'))).toBeUndefined();
});

test('caches a price per channel type, group and upstream model', () => {
  const prices = new PriceCache<number>();
  prices.add({ channelType: 1, group: 'a', model: 'b', sentAs: 'c' }, 7);
  expect(prices.get({ channelType: 1, group: 'a', model: 'b', sentAs: 'c' })).toBe(7);
  for (const other of [{ channelType: 2 }, { group: 'b' }, { model: 'c' }, { sentAs: 'b' }])
    expect(prices.get({ channelType: 1, group: 'a', model: 'b', sentAs: 'c', ...other })).toBeUndefined();
});
