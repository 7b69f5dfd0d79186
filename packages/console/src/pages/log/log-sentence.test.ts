import { expect, test } from 'vitest';
import { withLocalTime } from './log-sentence.ts';

// Tests run in UTC.
test.each([
  [{ time: 'whatever the server wrote', seconds: 1_700_000_000 }, '2023-11-14 22:13:20'],
  [{ time: '2023-11-14T22:13:20.000Z' }, '2023-11-14 22:13:20'],
  [{ time: 'no time' }, 'no time'],
  [{ time: '9', seconds: 1e30 }, '9'],
])('[S9.8] the time in the sentence of %j is written as %s', (values, time) => {
  expect(withLocalTime(values)).toMatchObject({ time });
});

test('a sentence without a time stays as it is', () => {
  expect(withLocalTime({ admin: 'root', count: 3 })).toEqual({ admin: 'root', count: 3 });
});
