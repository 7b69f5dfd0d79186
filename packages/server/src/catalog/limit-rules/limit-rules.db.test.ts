import { type LimitRule, limitRuleApi, logApi, tokenApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();

const rule = {
  group: 'gold',
  model: 'gpt-5*',
  measure: 'requests_per_minute',
  amount: 60,
  counts_per: 'user',
} as const;

test('limits are created, listed, found, changed and deleted, each with a log entry', async () => {
  const admin = await app.as('admin');
  const made = await admin.call(limitRuleApi.create, { body: { ...rule, note: ' Everybody ' } });
  expect(made).toMatchObject({ ...rule, note: 'Everybody', enabled: true, token_id: 0, user_id: 0, used: 0 });
  const other = await admin.call(limitRuleApi.create, {
    body: { measure: 'tokens_per_day', amount: 5, enabled: false },
  });
  const ids = async (query: object) =>
    (await admin.call(limitRuleApi.list, { query: query })).map(({ id }: LimitRule) => id);
  expect(await ids({})).toEqual([other.id, made.id]);
  expect(await ids({ keyword: 'GOLD' })).toEqual([made.id]);
  expect(await ids({ keyword: 'everyb' })).toEqual([made.id]);
  expect(await ids({ status: 2 })).toEqual([other.id]);
  expect(await ids({ measure: 'requests_per_minute' })).toEqual([made.id]);
  const changed = await admin.call(limitRuleApi.update, { body: { id: made.id, amount: 30, group: '' } });
  expect(changed).toMatchObject({ ...rule, amount: 30, group: '', note: 'Everybody' });
  await admin.call(limitRuleApi.remove, { params: { id: made.id } });
  expect((await admin.send(limitRuleApi.get, { params: { id: made.id } })).body).toMatchObject({ success: false });
  const logs = await admin.call(logApi.list, { query: { type: 3 } });
  const contents = logs.map(({ content }) => content).filter((content) => content.includes(`limit ${made.id}:`));
  expect(contents.map((content) => content.replace(/^\S+ /, ''))).toEqual([
    `deleted limit ${made.id}: 30 requests per minute for each user, on gpt-5*`,
    `changed limit ${made.id}: group gold → —, amount 60 → 30`,
    `created limit ${made.id}: 60 requests per minute for each user, group gold on gpt-5*`,
  ]);
});

test.each([
  { amount: 0 },
  { amount: -1 },
  { amount: 1.5 },
  { amount: 1e300 },
  { amount: Number.NaN },
  { measure: 'anything' },
  { measure: '__proto__' },
  { counts_per: 'nobody' },
  { model: 'x'.repeat(201) },
  { model: 'a\u0000b' },
  { group: 'a\u202eb' },
  { note: 'n'.repeat(201) },
  { user_id: -1 },
  { user_id: 999_999 },
  { token_id: 999_999 },
  { channel_id: 999_999 },
])('[A38.7] %j is rejected, and nothing is stored', async (wrong) => {
  const admin = await app.as('admin');
  const { body } = await admin.send(limitRuleApi.create, { body: { ...rule, note: 'wrong', ...wrong } });
  expect(body).toMatchObject({ success: false });
  expect(await app.database.selectFrom('limit_rules').selectAll().where('note', '=', 'wrong').execute()).toEqual([]);
});

test('[A38.7] concurrent changes are all saved', async () => {
  const admin = await app.as('admin');
  const { id } = await admin.call(limitRuleApi.create, { body: rule });
  await Promise.all([
    admin.call(limitRuleApi.update, { body: { id, amount: 7 } }),
    admin.call(limitRuleApi.update, { body: { id, note: 'both' } }),
    admin.call(limitRuleApi.update, { body: { id, model: '' } }),
  ]);
  expect(await admin.call(limitRuleApi.get, { params: { id } })).toMatchObject({ amount: 7, note: 'both', model: '' });
  await admin.call(limitRuleApi.remove, { params: { id } });
});

test('[A38.8] a user sees the limits that apply to them, but not those of others or of channels', async () => {
  const admin = await app.as('admin');
  const [one, other] = [await app.createUser({ group: 'silver' }), await app.createUser({ group: 'bronze' })];
  const client = await app.signedIn(one.username, one.password);
  const token = await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  const make = (body: object) =>
    admin.call(limitRuleApi.create, { body: { measure: 'requests_per_minute', amount: 9, ...body } });
  const his = [
    await make({ group: 'silver', note: 'not for his eyes' }),
    await make({ user_id: one.id }),
    await make({ token_id: token.id }),
  ];
  await make({ group: 'bronze' });
  await make({ user_id: other.id });
  await make({ enabled: false });
  const seen = await client.call(limitRuleApi.own);
  expect(seen.map(({ id }) => id)).toEqual(his.map(({ id }) => id));
  expect(JSON.stringify(seen)).not.toContain('eyes');
  expect(seen[2]).toMatchObject({ token_name: 'mine', amount: 9 });
});
