import { type Log, logType } from '@headgate/contract';
import { expect, test } from 'vitest';
import { chargeOf } from './log-charge.ts';
import { formatElapsed, localizeTimes, readDetail, speedColor } from './log-detail.ts';

const row = (detail: unknown, more: Partial<Log> = {}): Log => ({
  id: 1,
  user_id: 1,
  created_at: 1_795_000_000,
  type: logType.consumption,
  content: '',
  username: 'root',
  token_name: 'ci',
  model_name: 'gpt-4o',
  quota: 3200,
  prompt_tokens: 1200,
  completion_tokens: 340,
  channel: 7,
  request_id: '',
  elapsed_time: 0,
  is_stream: false,
  system_prompt_reset: false,
  ended_by: '',
  group: '',
  first_byte_time: 0,
  status: 0,
  reason: '',
  cached_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
  channel_name: '',
  cost: 0,
  node: '',
  detail: typeof detail === 'string' ? detail : JSON.stringify(detail),
  ...more,
});

const chargeIn = (log: Log) => chargeOf(log, readDetail(log));

test('multiplies tokens by their ratios', () => {
  const charge = chargeIn(row({ model_ratio: 1.25, completion_ratio: 4, group_ratio: 0.5, group: 'vip' }));
  expect(charge).toMatchObject({ sum: 1600, group: 'vip' });
  expect(charge?.lines.map(({ name }) => name)).toEqual(['Input', 'Output']);
});

test('lists cache reads, cache writes and reasoning separately', () => {
  const charge = chargeIn(
    row({
      model_ratio: 1,
      completion_ratio: 4,
      cached_tokens: 800,
      cache_read_ratio: 0.1,
      cache_write_tokens: 300,
      cache_write_ratio: 1.25,
      cache_long_write_tokens: 100,
      cache_long_write_ratio: 2,
      reasoning_tokens: 40,
    }),
  );
  expect(charge?.lines.map(({ name, tokens, pointsEach }) => [name, tokens, pointsEach])).toEqual([
    ['Input', 100, 1],
    ['Cache read', 800, 0.1],
    ['Cache write', 200, 1.25],
    ['Cache write (1 h)', 100, 2],
    ['Output', 300, 4],
    ['Reasoning', 40, 4],
  ]);
  expect(charge?.sum).toBe(100 + 80 + 250 + 200 + 1360);
});

test('lists audio and image tokens separately', () => {
  const detail = {
    model_ratio: 1,
    completion_ratio: 4,
    audio_tokens: 200,
    audio_ratio: 7,
    audio_completion_tokens: 40,
    audio_completion_ratio: 8,
    image_completion_tokens: 100,
    image_completion_ratio: 12,
  };
  const charge = chargeIn(row(detail));
  expect(charge?.lines.map(({ name, tokens, pointsEach }) => [name, tokens, pointsEach])).toEqual([
    ['Input', 1000, 1],
    ['Audio input', 200, 7],
    ['Output', 200, 4],
    ['Audio output', 40, 32],
    ['Image output', 100, 48],
  ]);
});

test('charges per image or search, without input tokens', () => {
  const charge = chargeIn(row({ model_ratio: 8, units: 1000 }, { prompt_tokens: 0, completion_tokens: 0 }));
  expect(charge?.lines).toEqual([{ name: 'Units', tokens: 1000, pointsEach: 8 }]);
});

test('uses 1 for missing ratios, but shows no breakdown without a model ratio', () => {
  expect(chargeIn(row({ model_ratio: 2 }))?.sum).toBe(3080);
  expect(chargeIn(row({ completion_ratio: 2 }))).toBeUndefined();
  expect(chargeIn(row({ model_ratio: 2 }, { type: logType.failure, quota: 0 }))).toBeUndefined();
  expect(chargeIn(row({ model_ratio: 2 }, { type: logType.failure }))?.sum).toBe(3080);
});

test.each(['', 'not JSON', '[]', 'null', '7', '{"event":"gone.long.ago","values":7,"attempts":{"0":1}}'])(
  'ignores an unreadable detail: %j',
  (detail) => {
    const { event, values, attempts, model_ratio } = readDetail(row(detail));
    expect([event, values, attempts, model_ratio]).toEqual([undefined, {}, [], undefined]);
  },
);

test('reads how the tokens were counted, and ignores unknown values', () => {
  const counted = ['tokenizer', 'estimate', 'guess', 7].map((word) => readDetail(row({ counted: word })).counted);
  expect(counted).toEqual(['tokenizer', 'estimate', undefined, undefined]);
  const odd = ['completion_tokens -5', undefined, 7].map((words) => readDetail(row({ odd_usage: words })).odd_usage);
  expect(odd).toEqual(['completion_tokens -5', '', '']);
});

test('reads each attempt separately, and drops invalid fields', () => {
  const attempts = [
    { channel: 7, reason: 'rate limited', status: 429, ms: 812 },
    { channel: 'x', ms: null },
  ];
  expect(readDetail(row({ attempts })).attempts).toEqual([
    { channel: 7, reason: 'rate limited', status: 429, ms: 812 },
    { channel: undefined, reason: '', status: undefined, ms: undefined },
  ]);
});

test.each([
  [999, 'green', '999 ms'],
  [1000, 'lime', '1.00 s'],
  [2999, 'lime', '3.00 s'],
  [3000, 'yellow', '3.00 s'],
  [5000, 'orange', '5.00 s'],
  [10_000, 'red', '10.0 s'],
])('shows %i ms in %s as %s', (milliseconds, color, message) => {
  expect([speedColor(milliseconds), formatElapsed(milliseconds)]).toEqual([color, message]);
});

// Tests run in UTC.
test.each([
  [{ time: 'whatever the server wrote', seconds: 1_700_000_000 }, '2023-11-14 22:13:20'],
  [{ time: '2023-11-14T22:13:20.000Z' }, '2023-11-14 22:13:20'],
  [{ time: 'no time' }, 'no time'],
  [{ time: '9', seconds: 1e30 }, '9'],
])('[S9.8] formats the time in the sentence of %j as %s', (values, time) => {
  expect(localizeTimes(values)).toMatchObject({ time });
});

test('leaves a sentence without a time unchanged', () => {
  expect(localizeTimes({ admin: 'root', count: 3 })).toEqual({ admin: 'root', count: 3 });
});
