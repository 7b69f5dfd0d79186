import type { Token } from '@headgate/contract';
import { expect, test } from 'vitest';
import { bodyOf, changeOf, creationOf, formOf, newToken, parseExpiry } from './token-form.ts';

const stored: Token = {
  id: 7,
  user_id: 1,
  key: 'k'.repeat(48),
  status: 1,
  name: 'ci',
  created_time: 1_795_000_000,
  accessed_time: 0,
  expired_time: -1,
  remain_quota: 250_000,
  unlimited_quota: false,
  used_quota: 10,
  models: 'gpt-4o,deepseek-chat',
  subnet: '10.0.0.0/8,fd00::/8',
  note: '',
  groups: '',
  dialects: '',
  endpoints: '',
  fixed_tags: '',
  is_bound: false,
  old_key_until: 0,
  is_locked: false,
  lock_reason: '',
};

test('[S9.23] defaults to 500000 points and no expiry', () => {
  expect(creationOf({ ...newToken, name: ' ci ' })).toEqual({
    name: 'ci',
    remain_quota: 500_000,
    unlimited_quota: false,
    expired_time: -1,
    models: '',
    subnet: '',
  });
});

test('sends patterns together with models, and restrictions of a new token only if set', () => {
  const form = { ...newToken, name: 'ci', models: ['o3'], patterns: ['gpt-5*'], note: ' Ada ', dialects: ['openai'] };
  expect(creationOf(form)).toMatchObject({ models: 'o3,gpt-5*', note: 'Ada', dialects: 'openai' });
  expect(Object.keys(creationOf(form))).not.toContain('endpoints');
  expect(formOf({ ...stored, models: 'o3,gpt-5*' })).toMatchObject({ models: ['o3'], patterns: ['gpt-5*'] });
});

test('[S3.39 S3.40 S5.34] round-trips an unchanged token', () => {
  expect(bodyOf(formOf(stored)).subnet).toBe('10.0.0.0/8,fd00::/8');
  expect(stored).toMatchObject(bodyOf(formOf(stored)));
  expect(stored).toMatchObject({ ...bodyOf(formOf({ ...stored, expired_time: 1_796_000_000 })), expired_time: -1 });
  expect(bodyOf(formOf({ ...stored, expired_time: 1_796_000_000 })).expired_time).toBe(1_796_000_000);
});

test('reads null lists as empty, and shows a negative quota as 0', () => {
  const form = formOf({ ...stored, models: null, subnet: null, remain_quota: -5 });
  expect([form.models, form.subnet, form.remain_quota]).toEqual([[], '', 0]);
});

test.each([
  ['', -1],
  ['  ', -1],
  ['-1', -1],
  ['2027-01-02 03:04:05', Date.UTC(2027, 0, 2, 3, 4, 5) / 1000],
  ['2027-01-02', Date.UTC(2027, 0, 2) / 1000],
  ['soon', undefined],
  ['2027-02-31 99:00:00', undefined],
])('[S5.30 S5.31 S5.32] reads the expiry %j as %s', (expiry, seconds) => {
  expect(parseExpiry(expiry)).toBe(seconds);
});

test('[S1.23 S7.50] sends only changes with the previous quota, and the whole form to a server without partial updates', () => {
  const form = { ...formOf(stored), remain_quota: 5 };
  expect(changeOf(stored, form, 'changes')).toEqual({ id: 7, remain_quota: 5, remain_quota_was: 250_000 });
  expect(changeOf(stored, form, 'whole')).toEqual({ id: 7, ...bodyOf(form) });
});
