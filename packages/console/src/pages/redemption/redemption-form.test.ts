import { redemption } from '@headgate/contract';
import { expect, test } from 'vitest';
import { bodyOf, changeOf, codeFile, creationOf, formOf, newRedemption, parseExpiry } from './redemption-form.ts';

const plainCode = {
  id: 7,
  user_id: 1,
  key: 'k',
  status: 1,
  name: 'spring',
  quota: 5,
  created_time: 1,
  redeemed_time: 0,
};

test('[S9.26 S9.27] defaults to one new code worth 100000', () => {
  expect(newRedemption).toEqual({ name: '', quota: 100_000, count: 1, max_uses: 1, expiry: '', plan: '' });
});

test('[S5.50 S5.51] trims the name, and sends quota and count as integers', () => {
  expect(creationOf({ ...newRedemption, name: ' spring ', quota: 1500.9, count: 3.2 })).toEqual({
    name: 'spring',
    quota: 1500,
    count: 3,
  });
  expect(creationOf({ ...newRedemption, name: 'x', quota: '', count: '' })).toEqual({ name: 'x', quota: 0, count: 0 });
});

test('sends the number of uses and the expiry only if set or changed, because old gateways reject them', () => {
  const expiry = '2027-01-02 03:04:05';
  const expired_time = Date.UTC(2027, 0, 2, 3, 4, 5) / 1000;
  expect(creationOf({ ...newRedemption, name: 'x', max_uses: 20, expiry })).toMatchObject({
    max_uses: 20,
    expired_time,
  });
  const stored = redemption.parse({ ...plainCode, max_uses: 20, expired_time });
  expect(changeOf(stored, { ...formOf(stored), expiry: '' }, 'changes')).toEqual({ id: 7, expired_time: 0 });
  expect(changeOf(stored, formOf(stored), 'whole')).toEqual({ id: 7, name: 'spring', quota: 5 });
  expect(parseExpiry('soon')).toBeUndefined();
});

test('[S2.155] sends an existing code without a count', () => {
  const stored = redemption.parse(plainCode);
  expect(bodyOf(formOf(stored))).toEqual({ name: 'spring', quota: 5 });
});

test('[S2.156] names the download after the codes, and writes one code per line', () => {
  expect(codeFile('spring sale', ['a', 'b'])).toEqual({ name: 'spring sale.txt', text: 'a\nb\n' });
  expect(codeFile('../..', ['a']).name).toBe('_.txt');
});

test('creates plan codes without quota and keeps the plan when a code is edited', () => {
  const form = { ...newRedemption, name: 'x', plan: '3' };
  expect(creationOf(form)).toEqual({ name: 'x', count: 1, plan_id: 3 });
  const stored = redemption.parse({ ...plainCode, quota: 0, plan_id: 3 });
  expect(changeOf(stored, { ...formOf(stored), name: 'y' }, 'whole')).toEqual({ id: 7, name: 'y' });
});
