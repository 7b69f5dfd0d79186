import { expect, it } from 'vitest';
import { costOf, expectedCost } from './cost.ts';

const channel = {
  type: 1,
  purchase: {
    multiplier: 0.8,
    models: {
      'gpt-4o': { input: 6, output: 24 },
      'gpt-4o*': { multiplier: 0.5 },
      'gpt-*': { multiplier: 2 },
      'suno*': { input: 0, output: 0, call: 0.05 },
      'free-*': { multiplier: 0 },
    },
  },
};
const used = { prompt: 1_000_000, completion: 1_000_000 };
const dollars = (...models: (string | undefined)[]) =>
  costOf(used, channel, { models, pointsPerDollar: 500_000 }) / 500_000;

it.each([
  ['a name before patterns', ['gpt-4o'], 30],
  ['the longest matching pattern', ['gpt-4o-mini'], (0.15 + 0.6) * 0.5],
  ['a shorter pattern', ['gpt-5'], (1.25 + 10) * 2],
  ['the multiplier of the channel', ['o3'], (2 + 8) * 0.8],
  ['a price per request', ['suno-v5'], 0.05],
  ['the upstream model before the requested one', ['gpt-5', 'gpt-4o'], (1.25 + 10) * 2],
  ['the requested model when the upstream model has no price', ['unknown', 'gpt-4o'], 30],
  ['0 when a multiple has no list price', ['gpt-unheard-of'], 0],
  ['0 for a free pattern', ['free-x'], 0],
])('uses the cost of %s', (_, models, expected) => {
  expect(dollars(...models)).toBeCloseTo(expected, 5);
});

it('the expected cost for comparing channels includes the per-request price', () => {
  const cost = (model: string) => expectedCost(used, channel, { models: [model], pointsPerDollar: 500_000 });
  expect(cost('suno-v5')).toBeCloseTo(25_000, 5);
  expect(cost('gpt-4o')).toBeCloseTo(15_000_000, 5);
  expect(cost('unheard-of')).toBeUndefined();
});
