import {
  budgetApi,
  channelApi,
  type Input,
  limitRuleApi,
  role,
  subjectApi,
  tokenApi,
  userApi,
  userLimitApi,
  userSupportApi,
} from '@headgate/contract';
import { expect, test } from 'vitest';
import { createChannel } from '../../testing/catalog/channel-fixtures.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const admin = await app.as('admin');
const suggest = (query: Input<typeof subjectApi.suggest>['query']) => admin.call(subjectApi.suggest, { query });

test('finds users, tokens, channels, groups, models and tags by part of their names', async () => {
  const owner = await app.createUser({ display_name: 'Marie Curie' });
  const client = await app.signedIn(owner.username, owner.password);
  const token = await client.call(tokenApi.create, { body: { name: 'radium-50%', unlimited_quota: true } });
  const channel = await createChannel(app, admin, { name: 'Polonium EU', models: 'po-210,po-209', tag: 'heavy' });
  const alone = { owner: '', owner_id: 0 };
  const user = { ...alone, value: String(owner.id), name: owner.username };
  expect(await suggest({ kind: 'user', keyword: 'ie cur' })).toEqual([user]);
  expect(await suggest({ kind: 'user', keyword: String(owner.id) })).toContainEqual(user);
  const found = { value: String(token.id), name: 'radium-50%', owner: owner.username, owner_id: owner.id };
  expect(await suggest({ kind: 'token', keyword: 'RADIUM' })).toEqual([found]);
  expect(await suggest({ kind: 'token', keyword: '0%' })).toEqual([found]);
  expect(await suggest({ kind: 'token', keyword: owner.username })).toEqual([found]);
  expect(await suggest({ kind: 'channel', keyword: 'nium e' })).toEqual([
    { ...alone, value: String(channel.id), name: 'Polonium EU' },
  ]);
  expect((await suggest({ kind: 'model', keyword: 'PO-2' })).map(({ value }) => value)).toEqual(['po-209', 'po-210']);
  expect(await suggest({ kind: 'tag', keyword: 'eav' })).toEqual([{ ...alone, value: 'heavy', name: 'heavy' }]);
  expect((await suggest({ kind: 'group', keyword: 'DEF' })).map(({ value }) => value)).toEqual(['default']);
  expect(JSON.stringify(await suggest({ kind: 'token', keyword: '' }))).not.toContain(token.key);
});

test('resolves existing ids and skips deleted users', async () => {
  const [kept, gone] = [await app.createUser(), await app.createUser()];
  const client = await app.signedIn(gone.username, gone.password);
  const token = await client.call(tokenApi.create, { body: { name: 'orphan', unlimited_quota: true } });
  const rule = await admin.call(limitRuleApi.create, {
    body: { measure: 'requests_per_minute', amount: 9, user_id: gone.id, token_id: token.id },
  });
  expect(rule).toMatchObject({ gone: [], token_owner: gone.username, token_owner_id: gone.id });
  await admin.call(userApi.manage, { body: { username: gone.username, action: 'delete' } });
  const ids = `${kept.id},${gone.id},999999999`;
  expect((await suggest({ kind: 'user', ids })).map(({ value }) => value)).toEqual([String(kept.id)]);
  expect(await suggest({ kind: 'token', ids: String(token.id) })).toEqual([]);
  expect(await suggest({ kind: 'channel', ids: '' })).toEqual([]);
  const seen = await admin.call(limitRuleApi.get, { params: { id: rule.id } });
  expect(seen).toMatchObject({ gone: ['user', 'token'], username: '', token_owner: '' });
});

test.each([
  { kind: 'password' },
  { kind: '__proto__' },
  { kind: 'user', ids: '1 or 1=1' },
  { kind: 'user', ids: '0' },
  { kind: 'user', ids: '9'.repeat(16) },
  { kind: 'user', ids: Array.from({ length: 101 }, (_, index) => index + 1).join(',') },
  { kind: 'user', keyword: 'k'.repeat(301) },
])('rejects the subject query %j', async (query) => {
  expect((await admin.send(subjectApi.suggest, { query: query })).body).toMatchObject({ success: false });
});

test('an admin sees the effective limits of a user with a lower role: limits and budgets of account, tokens and groups', async () => {
  const user = await app.createUser({ group: 'iron' });
  const client = await app.signedIn(user.username, user.password);
  const token = await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  const limit = (body: object) =>
    admin.call(limitRuleApi.create, { body: { measure: 'requests_per_minute', amount: 9, ...body } });
  const limits = [
    await limit({ group: 'iron' }),
    await limit({ user_id: user.id }),
    await limit({ token_id: token.id }),
  ];
  await limit({ group: 'lead' });
  const budget = (body: Omit<Input<typeof budgetApi.create>['body'], 'amount' | 'period'>) =>
    admin.call(budgetApi.create, { body: { ...body, amount: 500, period: 'day' } });
  const budgets = [
    await budget({ kind: 'group', group: 'iron' }),
    await budget({ kind: 'user', owner_id: user.id }),
    await budget({ kind: 'token', owner_id: token.id }),
  ];
  await budget({ kind: 'group', group: 'lead' });
  const effective = await admin.call(userLimitApi.read, { params: { id: user.id } });
  expect(effective.limits.map(({ id, user_id }) => [id, user_id])).toEqual(
    limits.map(({ id, user_id }) => [id, user_id]),
  );
  expect(effective.budgets.map(({ id }) => id).sort()).toEqual(budgets.map(({ id }) => id).sort());
  expect(effective.budgets.map(({ user_id }) => user_id).sort()).toEqual([0, user.id, user.id].sort());
  const equal = await app.createUser({ role: role.admin });
  const rejected = await admin.send(userLimitApi.read, { params: { id: equal.id } });
  expect(rejected.body).toMatchObject({ success: false });
});

test("an admin can read the channel bindings of the admin's own tokens", async () => {
  const person = await app.createUser({ role: role.admin });
  const client = await app.signedIn(person.username, person.password);
  const token = await client.call(tokenApi.create, { body: { name: 'own', unlimited_quota: true } });
  const channel = await createChannel(app, admin, { name: 'bound' });
  const body = { token: token.id, channels: String(channel.id), tags: 'heavy' };
  await client.call(userSupportApi.bindToken, { params: { id: person.id }, body });
  const [seen] = await client.call(userSupportApi.tokens, { params: { id: person.id } });
  expect(seen).toMatchObject({ channels: String(channel.id), tags: 'heavy' });
  expect(seen).not.toHaveProperty('key');
  await admin.call(channelApi.remove, { params: { id: channel.id } });
});
