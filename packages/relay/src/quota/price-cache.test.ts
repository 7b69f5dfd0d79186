import { expect, test } from 'vitest';
import { PriceCache } from './price-cache.ts';

const keyOf = (model: string) => ({ channelType: 1, group: 'default', model, sentAs: model });

test('still caches prices after clients have sent many unknown model names', () => {
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
