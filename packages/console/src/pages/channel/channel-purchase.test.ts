import { expect, test } from 'vitest';
import { purchaseFields, purchaseOf, readMultiplier, readPurchaseModels } from './channel-purchase.ts';

test('what is typed is sent and comes back as it was', () => {
  const form = { purchase_multiplier: '0.8', purchase_models: 'gpt-5 1 8\nclaude-opus-5 4 20 0.4 5' };
  expect(purchaseFields(purchaseOf(form))).toEqual(form);
});

test('an empty form pays list prices', () => {
  expect(purchaseOf({ purchase_multiplier: '', purchase_models: ' ' })).toBe('');
  expect(purchaseFields('')).toEqual({ purchase_multiplier: '', purchase_models: '' });
});

test.each(['gpt-5 1', 'gpt-5 cheap 2', 'gpt-5 -1 2', 'gpt-5 1 2 3 4 5', 'gpt-5 0 2'])(
  'the line %j is no price',
  (line) => {
    expect(readPurchaseModels(line)).toBeUndefined();
  },
);

test.each(['-1', '1001', 'much'])('%j is no multiple', (text) => {
  expect(readMultiplier(text)).toBeUndefined();
});
