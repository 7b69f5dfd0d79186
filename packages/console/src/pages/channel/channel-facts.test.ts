import { channelTypes } from '@headgate/contract';
import { expect, test } from 'vitest';
import { defaultTestModel, formatChannelBalance, responseTimeColor } from './channel-facts.ts';

test.each([
  [0, 'gray'],
  [1, 'green'],
  [1000, 'green'],
  [1001, 'olive'],
  [3000, 'olive'],
  [3001, 'yellow'],
  [5000, 'yellow'],
  [5001, 'red'],
])('[S4.22 S4.23 S4.24 S4.25 S4.26] shows a response time of %i ms in %s', (milliseconds, color) => {
  expect(responseTimeColor(milliseconds)).toBe(color);
});

test.each([
  [1, 12.345, '$12.35'],
  [8, 0, '$0.00'],
  [4, 7, '¥7.00'],
  [12, 7.1, '¥7.10'],
  [44, 0.004, '¥0.004'],
  [5, 123_456, '¥12.35'],
  [10, 1_500_000, '1.5M'],
  [13, 900, '900'],
  [14, 5, undefined],
  [43, 5, undefined],
  [99, 5, undefined],
])('[S9.30 S9.31 S9.32 S9.33 S9.34] formats the balance of a type %i channel with %f as %s', (type, balance, text) => {
  expect(formatChannelBalance(type, balance)).toBe(text);
});

test('[S9.34] shows a balance only for the specified types and three more providers that report one', () => {
  const listed = [1, 8, 4, 12, 44, 5, 10, 13];
  const beyond = [20, 25, 36];
  const telling = channelTypes.map(({ id }) => id).filter((id) => formatChannelBalance(id, 1) !== undefined);
  expect(new Set(telling)).toEqual(new Set([...listed, ...beyond]));
});

test('[S9.28 S9.29] tests with gpt-3.5-turbo if available, otherwise with the first model', () => {
  expect(defaultTestModel('gpt-4o,gpt-3.5-turbo')).toBe('gpt-3.5-turbo');
  expect(defaultTestModel('gpt-4o,gpt-3.5-turbo-16k')).toBe('gpt-4o');
  expect(defaultTestModel('')).toBe('');
});
