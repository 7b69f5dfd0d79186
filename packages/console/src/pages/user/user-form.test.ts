import type { User } from '@headgate/contract';
import { expect, test } from 'vitest';
import { bodyOf, formOf, profileBodyOf, profileOf } from './user-form.ts';

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
};

test('[S2.81 S3.6] the password is blank on load', () => {
  expect(formOf(wei).password).toBe('');
  expect(profileOf(wei)).toEqual({ username: 'wei', display_name: 'Wei', password: '' });
});

test('[S3.5] groups are a list in their order; none is the default one, both ways', () => {
  expect(formOf(wei).group).toEqual(['vip', 'default']);
  expect(formOf({ ...wei, group: '' }).group).toEqual(['default']);
  expect(bodyOf(7, { ...formOf(wei), group: ['b', 'a'] }).group).toBe('b,a');
  expect(bodyOf(7, { ...formOf(wei), group: [] }).group).toBe('default');
});

test('[S3.4 S7.27] quota is sent as a whole number, with the id and the profile', () => {
  expect(bodyOf(7, { ...formOf(wei), username: ' wei2 ', quota: 12.9 })).toEqual({
    id: 7,
    username: 'wei2',
    display_name: 'Wei',
    password: '',
    group: 'vip,default',
    quota: 12,
  });
  expect(bodyOf(7, { ...formOf(wei), quota: '' })).not.toHaveProperty('quota');
});

test('[S2.82 S3.3] what is read-only or only of the list is never sent', () => {
  const sent = Object.keys({ ...bodyOf(7, formOf(wei)), ...profileBodyOf(profileOf(wei)) });
  expect(sent.sort()).toEqual(['display_name', 'group', 'id', 'password', 'quota', 'username']);
});
