import { expect, test } from 'vitest';
import { costFields, readCostMultiplier, readCostOverrides, serializeCost } from './channel-cost.ts';

test('round-trips the purchase prices', () => {
  const models = ['gpt-5 1 8', 'claude-opus-5 4 20 0.4 5', 'gpt-4o* ×0.5', 'suno 0 0 +0.05', 'o3 1 2 0.5 +0.01'];
  const form = { purchase_multiplier: '0.8', purchase_models: models.join('\n') };
  expect(costFields(serializeCost(form))).toEqual(form);
});

test('reads an empty form as list prices', () => {
  expect(serializeCost({ purchase_multiplier: '', purchase_models: ' ' })).toBe('');
  expect(costFields('')).toEqual({ purchase_multiplier: '', purchase_models: '' });
});

test.each([
  'gpt-5 1',
  'gpt-5 cheap 2',
  'gpt-5 -1 2',
  'gpt-5 1 2 3 4 5',
  'gpt-5 0 2',
  'gpt-5 ×',
  'gpt-5 ×1 2',
  'gpt-5 ×-1',
  'gpt-5 1 2 +',
  'gpt-5 1 2 +1 +2',
])('rejects the price line %j', (line) => {
  expect(readCostOverrides(line)).toBeUndefined();
});

test.each(['-1', '1001', 'much'])('rejects the multiplier %j', (text) => {
  expect(readCostMultiplier(text)).toBeUndefined();
});
