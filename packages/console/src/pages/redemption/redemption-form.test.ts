import { redemption } from '@headgate/contract';
import { expect, test } from 'vitest';
import { bodyOf, codeFile, creationOf, formOf, newRedemption } from './redemption-form.ts';

test('[S9.26 S9.27] a new code is worth 100000 and comes alone', () => {
  expect(newRedemption).toEqual({ name: '', quota: 100_000, count: 1 });
});

test('[S5.50 S5.51] name is trimmed, quota and count are whole numbers', () => {
  expect(creationOf({ name: ' spring ', quota: 1500.9, count: 3.2 })).toEqual({
    name: 'spring',
    quota: 1500,
    count: 3,
  });
  expect(creationOf({ name: 'x', quota: '', count: '' })).toEqual({ name: 'x', quota: 0, count: 0 });
});

test('[S2.155] an existing code is sent without a count', () => {
  const stored = redemption.parse({
    id: 7,
    user_id: 1,
    key: 'k',
    status: 1,
    name: 'spring',
    quota: 5,
    created_time: 1,
    redeemed_time: 0,
  });
  expect(bodyOf(formOf(stored))).toEqual({ name: 'spring', quota: 5 });
});

test('[S2.156] the file is named after the codes and has one a line, the last line ended', () => {
  expect(codeFile('spring sale', ['a', 'b'])).toEqual({ name: 'spring sale.txt', text: 'a\nb\n' });
  expect(codeFile('../..', ['a']).name).toBe('_.txt');
});
