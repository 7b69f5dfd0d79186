import { expect, test } from 'vitest';
import { priceOf, quotaOf, type SavedRatios } from './price.ts';
import { modelRatios } from './ratios.ts';

const nothingSaved: SavedRatios = { ModelRatio: {}, CompletionRatio: {}, GroupRatio: { default: 1 } };
const openai = 1;
const price = (model: string, saved: Partial<SavedRatios> = {}, group = 'default') =>
  priceOf(model, openai, group, { ...nothingSaved, ...saved });

test('gpt-4o, 10 in and 5 out, costs (10 + 5 × 4) × 2.5', () => {
  expect(quotaOf({ prompt: 10, completion: 5 }, price('gpt-4o'))).toBe(75);
});

test('a model nobody priced costs 30 a token, and nothing used costs nothing', () => {
  expect(quotaOf({ prompt: 1, completion: 0 }, price('never-heard-of'))).toBe(30);
  expect(quotaOf({ prompt: 0, completion: 0 }, price('never-heard-of'))).toBe(0);
});

test('a free model is free, a nearly free one costs at least one point', () => {
  expect(quotaOf({ prompt: 100, completion: 9 }, price('x', { ModelRatio: { x: 0 } }))).toBe(0);
  expect(quotaOf({ prompt: 1, completion: 0 }, price('x', { ModelRatio: { x: 0.0001 } }))).toBe(1);
});

test('saved before built-in, the channel type’s own price before the general one, the group on top', () => {
  const saved = { ModelRatio: { 'gpt-4o': 7, 'gpt-4o(1)': 3 }, GroupRatio: { vip: 0.5 } };
  const ratios = { model_ratio: 3, completion_ratio: 4, group_ratio: 0.5 };
  expect(price('gpt-4o', saved, 'vip')).toEqual({ ...ratios, group: 'vip' });
  expect(priceOf('gpt-4o', 2, 'nobody', { ...nothingSaved, ...saved })).toMatchObject({
    model_ratio: 7,
    group_ratio: 1,
  });
});

test('names that every object has are no models', () => {
  expect(price('constructor').model_ratio).toBe(30);
  expect(price('__proto__').model_ratio).toBe(30);
});

test('[A7.2] rounding leaves no safe integer and does not add a point for the way numbers are stored', () => {
  const tenth = { model_ratio: 0.1, completion_ratio: 1, group: 'default' };
  expect(quotaOf({ prompt: 3, completion: 0 }, { ...tenth, group_ratio: 10 })).toBe(3);
  expect(quotaOf({ prompt: 3, completion: 0 }, { ...tenth, group_ratio: 10.1 })).toBe(4);
  expect(quotaOf({ prompt: 1e15, completion: 1e15 }, price('gpt-4'))).toBe(Number.MAX_SAFE_INTEGER);
});

test('no built-in price is negative, absurd or a thousand times too cheap', () => {
  for (const [name, ratio] of Object.entries(modelRatios)) {
    expect(ratio, name).toBeGreaterThanOrEqual(0);
    expect(ratio, name).toBeLessThan(1000);
  }
  // Yuan at seven to the dollar: 0.0008 ¥ a thousand tokens.
  expect(modelRatios['qwen-plus']).toBeCloseTo((0.0008 * 500) / 7, 5);
  expect(modelRatios['llama-3.1-8b-instant']).toBe(0.025);
});
