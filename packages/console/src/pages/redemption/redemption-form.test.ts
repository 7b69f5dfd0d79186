import { redemption } from '@headgate/contract';
import { expect, test } from 'vitest';
import { bodyOf, codeFile, creationOf, formOf, newRedemption } from './redemption-form.ts';

test('[S9.26 S9.27] defaults to one new code worth 100000', () => {
  expect(newRedemption).toEqual({ name: '', quota: 100_000, count: 1 });
});

test('[S5.50 S5.51] trims the name, and sends quota and count as integers', () => {
  expect(creationOf({ name: ' spring ', quota: 1500.9, count: 3.2 })).toEqual({
    name: 'spring',
    quota: 1500,
    count: 3,
  });
  expect(creationOf({ name: 'x', quota: '', count: '' })).toEqual({ name: 'x', quota: 0, count: 0 });
});

test('[S2.155] sends an existing code without a count', () => {
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

test('[S2.156] names the file after the codes, with one code per line', () => {
  expect(codeFile('spring sale', ['a', 'b'])).toEqual({ name: 'spring sale.txt', text: 'a\nb\n' });
  expect(codeFile('../..', ['a']).name).toBe('_.txt');
});
