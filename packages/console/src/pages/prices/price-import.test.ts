import type { ModelPrice } from '@headgate/contract';
import { expect, test } from 'vitest';
import { differencesOf, parseAmount, parsePastedPrices, priceTable } from './price-import.ts';

const row = (model: string, input: number, source: ModelPrice['source'] = 'built_in'): ModelPrice => ({
  model,
  unit: 'tokens',
  source,
  price: {
    input,
    output: input * 4,
    cached: input / 10,
    cache_write: input,
    cache_long_write: input,
    reasoning: input * 4,
    audio: input,
    cached_audio: input / 10,
    audio_output: input * 4,
    image: input,
    cached_image: input / 10,
    image_output: input * 4,
    flex: 0,
    priority: 0,
    call: 0,
  },
  built_in: null,
  changed: null,
  model_ratio: input / 2,
  completion_ratio: 4,
  channels: 0,
});

test.each([
  ['1.25', 1.25],
  ['$ 1,250.5', 1250.5],
  ['1e-7', 1e-7],
  ['-1', undefined],
  ['1.5.2', undefined],
  ['', undefined],
])('reads %j as %s', (text, amount) => {
  expect(parseAmount(text)).toBe(amount);
});

test('round-trips exported prices without differences', () => {
  const rows = [row('gpt-5', 1.25), row('new', 30, 'none')];
  const { changes, odd } = parsePastedPrices(priceTable(rows));
  expect(odd).toEqual([]);
  expect(changes.map(({ model }) => model)).toEqual(['gpt-5']);
  expect(differencesOf(changes, rows)).toEqual([]);
});

test.each(['mine,2,8', 'mine\t2\t8', 'mine $2 $8', '{"mine":{"input":2,"output":8}}', 'model,input,output\nmine,2,8'])(
  'reads %j as a price in dollars',
  (text) => {
    expect(parsePastedPrices(text)).toEqual({ changes: [{ model: 'mine', price: { input: 2, output: 8 } }], odd: [] });
  },
);

test('reports invalid lines, and imports the others', () => {
  expect(parsePastedPrices('a,1\nb,cheap\nc,-1\nd,2')).toEqual({
    changes: [
      { model: 'a', price: { input: 1 } },
      { model: 'd', price: { input: 2 } },
    ],
    odd: [
      { line: 2, text: 'b,cheap' },
      { line: 3, text: 'c,-1' },
    ],
  });
});

test('shows the previous price in the diff, and none for a new model', () => {
  const { changes } = parsePastedPrices('gpt-5,1.25,20\nnew,3');
  expect(differencesOf(changes, [row('gpt-5', 1.25), row('new', 60, 'none')])).toEqual([
    { model: 'gpt-5', part: 'output', before: 5, after: 20 },
    { model: 'new', part: 'input', before: undefined, after: 3 },
  ]);
});
