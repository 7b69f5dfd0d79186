import type { User } from '@headgate/contract';
import { expect, test } from 'vitest';
import { changeOf, formOf, profileBodyOf, profileChangeOf, profileOf } from './user-form.ts';

const wei: User = {
  id: 7,
  username: 'wei',
  display_name: 'Wei',
  role: 1,
  status: 1,
  email: 'wei@example.com',
  github_id: 'wei-hub',
  wechat_id: '',
  lark_id: '',
  oidc_id: '',
  quota: 5000,
  used_quota: 1,
  request_count: 2,
  group: 'vip,default',
  aff_code: '',
  inviter_id: 0,
  tokens_locked: false,
};

test('[S2.81 S3.6] the user form starts with a blank password', () => {
  expect(formOf(wei).password).toBe('');
  expect(profileOf(wei)).toEqual({ username: 'wei', display_name: 'Wei', password: '' });
});

test('[S3.5] reads and sends groups as an ordered list, with the default group for none', () => {
  expect(formOf(wei).group).toEqual(['vip', 'default']);
  expect(formOf({ ...wei, group: '' }).group).toEqual(['default']);
  expect(changeOf(wei, { ...formOf(wei), group: ['b', 'a'] }, 'changes')).toEqual({ id: 7, group: 'b,a' });
  expect(changeOf(wei, { ...formOf(wei), group: [] }, 'changes')).toEqual({ id: 7, group: 'default' });
});

test('[S3.4 S7.27] sends a changed quota as an integer, with the previous value', () => {
  expect(changeOf(wei, { ...formOf(wei), quota: 12.9 }, 'changes')).toEqual({ id: 7, quota: 12, quota_was: 5000 });
  expect(changeOf(wei, { ...formOf(wei), quota: '' }, 'changes')).toEqual({ id: 7 });
});

test('[A7.3] sends only changed fields, so that a new name does not reset the quota', () => {
  expect(changeOf(wei, formOf(wei), 'changes')).toEqual({ id: 7 });
  expect(changeOf(wei, { ...formOf(wei), username: ' wei2 ' }, 'changes')).toEqual({ id: 7, username: 'wei2' });
  expect(profileChangeOf(wei, { ...profileOf(wei), password: 'long enough' }, 'changes')).toEqual({
    password: 'long enough',
  });
});

test('[S2.82 S3.3] never sends read-only and list-only fields', () => {
  const all = { username: 'a', display_name: 'b', password: 'c', group: ['d'], quota: 1 };
  expect(Object.keys(changeOf(wei, all, 'changes')).sort()).toEqual([
    ...['display_name', 'group', 'id', 'password', 'quota', 'quota_was', 'username'],
  ]);
  expect(Object.keys(profileBodyOf(profileOf(wei))).sort()).toEqual(['display_name', 'password', 'username']);
});

test('[S1.23 S7.27] sends the whole form to a server without partial updates, and no unknown fields', () => {
  expect(changeOf(wei, { ...formOf(wei), display_name: 'New' }, 'whole')).toEqual({
    id: 7,
    username: 'wei',
    display_name: 'New',
    password: '',
    group: 'vip,default',
    quota: 5000,
  });
  expect(profileChangeOf(wei, profileOf(wei), 'whole')).toEqual({ username: 'wei', display_name: 'Wei', password: '' });
});
