import { limitRule, limitRuleApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { bodyOf, formOf, newLimit, newLimitFor } from './limit-form.ts';

const stored = limitRule.parse({
  ...{ id: 3, user_id: 0, token_id: 7, channel_id: 0, group: 'vip', model: 'gpt-5*', measure: 'tokens_per_day' },
  ...{ amount: 1000, counts_per: 'all', note: 'n', enabled: false, created_time: 1, used: 0 },
  ...{ token_name: 't', username: '', channel_name: '' },
});

test('round-trips a stored limit', () => {
  const body = bodyOf(formOf(stored));
  expect(stored).toMatchObject(body);
  expect(limitRuleApi.create.body.parse(body)).toEqual(body);
});

test('reads an empty field as a wildcard, and trims names', () => {
  expect(formOf(stored)).toMatchObject({ user_id: '', token_id: 7, channel_id: '' });
  expect(bodyOf({ ...newLimit, group: ' vip ', model: ' gpt-5* ', amount: 60.9 })).toMatchObject({
    group: 'vip',
    model: 'gpt-5*',
    amount: 60,
    user_id: 0,
  });
});

test('prefills valid values from the URL, and ignores others', () => {
  expect(newLimitFor({ token_id: '7', user_id: 3, group: 'vip' })).toEqual({
    ...newLimit,
    ...{ token_id: 7, user_id: 3, group: 'vip' },
  });
  expect(newLimitFor({ token_id: '-1', user_id: 'x', channel_id: 1e300, group: {}, __proto__: 1 })).toEqual(newLimit);
});
