import { budgetApi, limitRuleApi, role, tokenApi, userApi, userSupportApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser } = accountsOf(app);
const root = await app.as('root');
const admin = await signedInUser({ role: role.admin });

async function rowsOf(kind: 'token' | 'user', id: number) {
  const budgets = await app.database.selectFrom('budgets').selectAll().where('owner_id', '=', id).execute();
  const limits = await app.database.selectFrom('limit_rules').selectAll().where(`${kind}_id`, '=', id).execute();
  return {
    budgets: budgets.filter((row) => row.owner_kind === kind).map(({ period, amount }) => [period, amount]),
    limits: limits.map(({ measure, amount }) => [measure, amount]),
  };
}

test('a token is created and changed together with its limits in one call', async () => {
  const policy = { day: 2_500_000, requests_per_minute: 10, time_zone: 'Europe/Berlin' };
  const { id } = await root.call(tokenApi.create, { body: { name: 'ci', policy } });
  expect(await rowsOf('token', id)).toEqual({ budgets: [['day', 2_500_000]], limits: [['requests_per_minute', 10]] });
  const change = { day: null, month: 50_000_000, requests_per_minute: 20, requests_under_way: 3 };
  await root.call(tokenApi.update, { query: {}, body: { id, policy: change } });
  expect(await rowsOf('token', id)).toEqual({
    budgets: [['month', 50_000_000]],
    limits: [
      ['requests_per_minute', 20],
      ['requests_under_way', 3],
    ],
  });
  await root.call(tokenApi.update, {
    query: {},
    body: { id, policy: { requests_per_minute: null, requests_under_way: null } },
  });
  expect(await rowsOf('token', id)).toMatchObject({ limits: [] });
});

test('nothing is saved if one limit is rejected, and the message names the field', async () => {
  const member = await signedInUser();
  const body = { name: 'mine', policy: { day: 500, requests_per_minute: 5 } };
  expect((await member.client.send(tokenApi.create, { body })).body).toEqual(
    apiFailure('policy.requests_per_minute: Only an admin with a higher role can change this limit'),
  );
  expect(await member.client.call(tokenApi.search, { query: { keyword: 'mine' } })).toEqual([]);
  const { id } = await member.client.call(tokenApi.create, { body: { name: 'other', policy: { day: 500 } } });
  const change = { id, name: 'renamed', policy: { day: 700, tokens_per_minute: 5 } };
  expect((await member.client.send(tokenApi.update, { body: change })).body).toMatchObject({ success: false });
  expect(await member.client.call(tokenApi.get, { params: { id } })).toMatchObject({ name: 'other' });
  expect(await rowsOf('token', id)).toEqual({ budgets: [['day', 500]], limits: [] });
  const invalid = await member.client.send(tokenApi.update, { body: { id, policy: { month: 0 } } });
  expect(invalid).toMatchObject({ status: 400, body: { message: expect.stringContaining('policy.month') } });
});

test('an admin creates a user with limits, and changes them', async () => {
  const [username, password] = ['limited', 'long-enough-1'];
  const policy = { month: 5_000_000, tokens_per_minute: 1000 };
  await admin.client.call(userApi.create, { body: { username, password, policy } });
  const [user] = await root.call(userApi.search, { query: { keyword: username } });
  const id = user?.id ?? 0;
  expect(await rowsOf('user', id)).toEqual({ budgets: [['month', 5_000_000]], limits: [['tokens_per_minute', 1000]] });
  await admin.client.call(userApi.update, { body: { id, display_name: 'Ada', policy: { month: null } } });
  expect(await rowsOf('user', id)).toMatchObject({ budgets: [] });
  const token = { name: 'ci', policy: { day: 900, requests_per_minute: 2 } };
  const made = await admin.client.call(userSupportApi.createToken, { params: { id }, body: token });
  expect(await rowsOf('token', made.id)).toEqual({ budgets: [['day', 900]], limits: [['requests_per_minute', 2]] });
});

test('rejects limits set by an admin on another admin, enables a disabled budget, and leaves per-model limits unchanged', async () => {
  const peer = await signedInUser({ role: role.admin });
  const change = { id: peer.user.id, policy: { day: 5 } };
  expect((await admin.client.send(userApi.update, { body: change })).body).toMatchObject({ success: false });
  const { id } = await root.call(tokenApi.create, { body: { name: 'shared' } });
  const owner = { kind: 'token', owner_id: id, period: 'day' } as const;
  await root.call(budgetApi.create, { body: { ...owner, amount: 3, enabled: false } });
  const rule = { token_id: id, measure: 'requests_per_minute' } as const;
  await root.call(limitRuleApi.create, { body: { ...rule, model: 'gpt-5', amount: 1 } });
  await root.call(limitRuleApi.create, { body: { ...rule, amount: 7 } });
  await root.call(limitRuleApi.create, { body: { ...rule, amount: 9 } });
  await root.call(tokenApi.update, { query: {}, body: { id, policy: { day: 4, requests_per_minute: 8 } } });
  expect(await rowsOf('token', id)).toEqual({
    budgets: [['day', 4]],
    limits: [
      ['requests_per_minute', 1],
      ['requests_per_minute', 8],
    ],
  });
  const [budget] = await root.call(budgetApi.list, { query: { owner_id: id } });
  expect(budget).toMatchObject({ enabled: true });
});
