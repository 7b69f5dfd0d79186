import { expect, test } from 'vitest';
import { timeFieldText } from './time-field-text.ts';

test.each([
  ['2027-01-02T03:04', '2027-01-02 03:04:00'],
  ['2027-01-02T03:04:05', '2027-01-02 03:04:05'],
  ['', ''],
])('shows the picked time %j as %j', (picked, text) => {
  expect(timeFieldText(picked)).toBe(text);
});
