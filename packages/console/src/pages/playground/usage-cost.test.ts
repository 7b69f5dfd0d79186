import type { OwnPrice } from '@headgate/contract';
import { expect, test } from 'vitest';
import { usageCost } from './usage-cost.ts';

const usage = { prompt_tokens: 1000, completion_tokens: 200 };
const media = {
  audio: 5,
  cached_audio: 1,
  audio_output: 20,
  image: 5,
  cached_image: 1,
  image_output: 20,
  flex: 0,
  priority: 0,
  call: 0,
};
const dollars = { input: 5, output: 20, cached: 1, cache_write: 5, cache_long_write: 5, reasoning: 20, ...media };
const price: OwnPrice = { model: 'm', unit: 'tokens', has_price: true, price: dollars };

test('multiplies price and tokens if there is no log', () => {
  expect(usageCost(usage, price)).toBeCloseTo(0.009, 10);
  expect(usageCost(usage, { ...price, price: { ...dollars, call: 0.5 } })).toBeCloseTo(0.509, 10);
});

test('returns no cost for models without a price or not billed by tokens', () => {
  expect(usageCost(usage, undefined)).toBeUndefined();
  expect(usageCost(usage, { ...price, has_price: false })).toBeUndefined();
  expect(usageCost(usage, { ...price, unit: 'picture' })).toBeUndefined();
});
