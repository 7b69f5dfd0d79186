import { role, tokenApi, type UserBulkChange, userApi, userBulkApi, userSupportApi } from '@headgate/contract';
import { describe, expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { expectBalancedLedger } from '../../testing/records/balanced-ledger.ts';
import { apiFailure, apiSuccess } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { rowOf, logsOf, signedInUser } = accountsOf(app);
const admin = await signedInUser({ role: role.admin });
const root = await app.as('root');

type Body = Parameters<typeof root.call<typeof userBulkApi.run>>[1]['body'];
const run = (body: Body) => admin.client.call(userBulkApi.run, { body });

const runOn = async (chosen: Body['chosen'], change: UserBulkChange) => run({ chosen, change });
const lastLog = async (id: number) => (await logsOf(id)).at(-1)?.content.replace(/^\S+ /, '');

describe('bulk edit of users', () => {
  test('sets the group and can be undone', async () => {
    const [one, other] = [await app.createUser({ group: 'vip' }), await app.createUser()];
    const report = await runOn({ ids: [one.id, other.id] }, { kind: 'group', group: 'svip' });
    expect(report).toMatchObject({ changed: 2, failed: 0 });
    expect([(await rowOf(one.id)).group, (await rowOf(other.id)).group]).toEqual(['svip', 'svip']);
    expect(await lastLog(one.id)).toBe(`changed the group of ${one.username} from vip to svip`);
    const { body } = await admin.client.send(userBulkApi.undo, { body: { undo: report.undo } });
    expect(body).toMatchObject({ success: true, data: { changed: 2 } });
    expect([(await rowOf(one.id)).group, (await rowOf(other.id)).group]).toEqual(['vip', 'default']);
  });

  test('a bulk edit is not undone if one of the users has changed since', async () => {
    const one = await app.createUser();
    const report = await runOn({ ids: [one.id] }, { kind: 'group', group: 'svip' });
    await admin.client.call(userApi.update, { body: { id: one.id, group: 'other' } });
    const { body } = await admin.client.send(userBulkApi.undo, { body: { undo: report.undo } });
    expect(body).toEqual(apiFailure(`Not undone: some rows have changed since (1), including ${one.username}`));
    expect((await rowOf(one.id)).group).toBe('other');
  });

  test('bans users and signs them out', async () => {
    const { user, client } = await signedInUser();
    await runOn({ ids: [user.id] }, { kind: 'status', status: 2 });
    expect((await rowOf(user.id)).status).toBe(2);
    expect((await client.send(userApi.self)).status).toBe(401);
    expect(await lastLog(user.id)).toBe(`banned ${user.username}`);
  });

  test('adds and deducts quota with a reason, never below zero, and the ledger stays balanced', async () => {
    const [rich, poor] = [await app.createUser({ quota: 1000 }), await app.createUser({ quota: 10 })];
    const ids = [rich.id, poor.id];
    await runOn({ ids }, { kind: 'quota', amount: 500_000, reason: 'the outage' });
    expect([(await rowOf(rich.id)).quota, (await rowOf(poor.id)).quota]).toEqual([501_000, 500_010]);
    expect((await logsOf(rich.id)).at(-1)).toMatchObject({ type: 1, quota: 500_000 });
    expect(await lastLog(rich.id)).toMatch(/^added .*: the outage$/);
    const report = await runOn({ ids }, { kind: 'quota', amount: -500_500, reason: 'a mistake' });
    expect(report).toMatchObject({ changed: 1, failed: 1 });
    expect(report.rows.find(({ id }) => id === poor.id)).toMatchObject({
      outcome: 'failed',
      message: 'The remaining quota is lower than the amount to deduct',
    });
    expect([(await rowOf(rich.id)).quota, (await rowOf(poor.id)).quota]).toEqual([500, 500_010]);
    expect(await lastLog(rich.id)).toMatch(/^subtracted .*: a mistake$/);
    await expectBalancedLedger(app.database);
  });

  test('requires a reason for quota changes', async () => {
    const body = { chosen: { ids: [1] }, change: { kind: 'quota', amount: 5, reason: ' ' } } as const;
    expect((await admin.client.send(userBulkApi.run, { body: body })).status).toBe(400);
  });

  test('disables all tokens of the selected users', async () => {
    const { user, client } = await signedInUser();
    for (const name of ['a', 'b']) await client.call(tokenApi.create, { body: { name } });
    const preview = await run({ chosen: { ids: [user.id] }, change: { kind: 'tokens_off' }, preview: true });
    expect(preview.rows[0]?.changes).toMatchObject([{ field: 'tokens', before: '2', after: '0' }]);
    expect(await client.call(tokenApi.counts)).not.toHaveProperty('2');
    await runOn({ ids: [user.id] }, { kind: 'tokens_off' });
    expect(await client.call(tokenApi.counts)).toEqual({ 2: 2 });
    expect(await runOn({ ids: [user.id] }, { kind: 'tokens_off' })).toMatchObject({ changed: 0, unchanged: 1 });
  });

  const kinds: readonly UserBulkChange[] = [
    { kind: 'group', group: 'stolen' },
    { kind: 'status', status: 2 },
    { kind: 'quota', amount: 5, reason: 'greed' },
    { kind: 'tokens_off' },
  ];
  test.each(kinds)('%j does not change users with an equal or higher role', async (change) => {
    const equal = await app.createUser({ role: role.admin });
    const higher = await app.createUser({ role: role.root });
    const before = [await rowOf(admin.user.id), await rowOf(equal.id), await rowOf(higher.id)];
    const report = await runOn({ ids: before.map(({ id }) => id) }, change);
    expect(report).toMatchObject({ changed: 0, failed: 3 });
    expect([await rowOf(admin.user.id), await rowOf(equal.id), await rowOf(higher.id)]).toEqual(before);
  });

  test('an admin cannot undo root’s change to another admin', async () => {
    const equal = await app.createUser({ role: role.admin });
    const report = await root.call(userBulkApi.run, {
      body: { chosen: { ids: [equal.id] }, change: { kind: 'group', group: 'svip' } },
    });
    const { body } = await admin.client.send(userBulkApi.undo, { body: { undo: report.undo } });
    expect(body).toEqual(apiFailure('You cannot change users with the same or a higher role'));
    expect((await rowOf(equal.id)).group).toBe('svip');
  });
});

describe('user filter', () => {
  test.each([
    [{ role: role.admin, keyword: 'filtered' }, ['filteredAdmin']],
    [{ group: 'gold', keyword: 'filtered' }, ['filteredGold']],
    [{ quota_from: 1000, keyword: 'filtered' }, ['filteredGold']],
    [{ quota_below: 1, keyword: 'filtered' }, ['filteredAdmin']],
  ])('finds users by %j', async (query, names) => {
    await app.database.deleteFrom('users').where('username', 'like', 'filtered%').execute();
    await app.createUser({ username: 'filteredAdmin', role: role.admin });
    await app.createUser({ username: 'filteredGold', group: 'default,gold', quota: 1000 });
    await app.createUser({ username: 'filteredSome', group: 'golden', quota: 999 });
    const found = await root.call(userApi.search, { query });
    expect(found.map(({ username }) => username)).toEqual(names);
    const change = { kind: 'group', group: 'x' } as const;
    const report = await root.call(userBulkApi.run, {
      body: { chosen: { filter: query, count: names.length }, change, preview: true },
    });
    expect(report.rows.map(({ name }) => name)).toEqual(names);
  });
});

describe('admin access to a single user', () => {
  test("an admin can list a user's tokens without keys and disable one or all of them", async () => {
    const { user, client } = await signedInUser();
    const [first] = [
      await client.call(tokenApi.create, { body: { name: 'first' } }),
      await client.call(tokenApi.create, { body: { name: 'second' } }),
      await client.call(tokenApi.create, { body: { name: 'third' } }),
    ];
    const params = { id: user.id };
    const response = await admin.client.send(userSupportApi.tokens, { params });
    expect(JSON.stringify(response.body)).not.toContain(first.key);
    expect(response.body).toMatchObject({ data: [{ name: 'third' }, { name: 'second' }, { name: 'first' }] });
    const disable = (body: { ids?: number[] }) => admin.client.call(userSupportApi.disableTokens, { params, body });
    expect(await disable({ ids: [first.id] })).toBe(1);
    expect(await client.call(tokenApi.counts)).toMatchObject({ 2: 1 });
    expect(await disable({})).toBe(2);
    expect(await client.call(tokenApi.counts)).toEqual({ 2: 3 });
    expect(await lastLog(user.id)).toBe(`disabled 2 tokens of ${user.username}`);
    expect(await disable({})).toBe(0);
  });

  test('disabling tokens by ids of other users changes nothing', async () => {
    const [one, other] = [await signedInUser(), await signedInUser()];
    const { id } = await other.client.call(tokenApi.create, { body: { name: 'theirs' } });
    const order = { params: { id: one.user.id }, body: { ids: [id] } };
    expect(await admin.client.call(userSupportApi.disableTokens, order)).toBe(0);
    expect(await other.client.call(tokenApi.counts)).not.toHaveProperty('2');
  });

  test('an admin can sign a user out everywhere', async () => {
    const { user, client } = await signedInUser();
    const params = { id: user.id };
    expect(await admin.client.call(userSupportApi.sessions, { params })).toHaveLength(1);
    expect((await admin.client.send(userSupportApi.endSessions, { params })).body).toEqual(apiSuccess);
    expect((await client.send(userApi.self)).status).toBe(401);
  });

  test.each(['tokens', 'sessions', 'models'] as const)(
    '%s of a user with an equal role are not shown',
    async (part) => {
      const equal = await app.createUser({ role: role.admin });
      const { body } = await admin.client.send(userSupportApi[part], { params: { id: equal.id } });
      expect(body).toEqual(apiFailure('You cannot view users with the same or a higher role'));
    },
  );
});
