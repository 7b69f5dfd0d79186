import type { ComparedUsage } from '@headgate/contract';
import { expect, it } from 'vitest';
import { readSides, searchOfSides } from './compare-state.ts';
import { comparisonRows } from './comparison-rows.ts';

const none = { p50: null, p95: null, p99: null };
const side = (fields: Partial<ComparedUsage> = {}): ComparedUsage => ({
  ...{ requests: 0, failures: 0, quota: 0, cost: 0, uncosted_quota: 0 },
  ...{ prompt_tokens: 0, completion_tokens: 0, cached_tokens: 0, first_byte: none, elapsed: none },
  ...fields,
});

it('shows averages over successful requests, and dashes without requests', () => {
  const used = side({
    ...{ requests: 12, failures: 2, quota: 100, cost: 60, uncosted_quota: 10, completion_tokens: 505 },
    elapsed: { p50: 1200, p95: 3000, p99: 9000 },
  });
  const rows = comparisonRows(used, side(), (quota) => `$${quota}`);
  expect(Object.fromEntries(rows.map(({ name, values }) => [name, values.join(' | ')]))).toMatchObject({
    Failures: '2 (16.7%) | –',
    'Charged, cost unknown': '$10 | $0',
    Margin: '$30 | $0',
    'Cost per request': '$6 | –',
    'Output tokens per request': '51 | –',
    'First byte, median': '– | –',
    'Duration, 95%': '3,000 ms | –',
  });
});

it('round-trips the compared items through the URL', () => {
  const search = { range: '30', model: 'gpt-5', channel: 3, other_model: 'claude', other_channel: undefined };
  const state = readSides(search);
  expect(state).toEqual({
    range: '30',
    first: { model: 'gpt-5', channel: 3 },
    second: { model: 'claude', channel: 0 },
  });
  expect(searchOfSides(state)).toEqual(search);
  expect(readSides({ channel: '-1', range: 'x' })).toMatchObject({ range: '7', first: { channel: 0 } });
});
