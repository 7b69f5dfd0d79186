import { role, tokenApi, tokenBulkApi, userApi, userBulkApi, userSupportApi } from '@headgate/contract';
import { expect, test } from 'vitest';
import { accountsOf } from '../../testing/accounts/accounts.ts';
import { apiFailure } from '../../testing/relay/api-responses.ts';
import { useTestApp } from '../../testing/test-app.ts';

const app = await useTestApp();
const { signedInUser } = accountsOf(app);
const admin = await signedInUser({ role: role.admin });

async function lockedToken(reason = '') {
  const owner = await signedInUser();
  const { id } = await owner.client.call(tokenApi.create, { body: { name: 'ci', unlimited_quota: true } });
  const params = { id: owner.user.id };
  await admin.client.call(userSupportApi.disableTokens, { params, body: { ids: [id], reason } });
  return { ...owner, id, params };
}

const isOff = { status: 2, is_locked: true };

test('a user cannot enable a token that an admin disabled, by any endpoint', async () => {
  const { client, id } = await lockedToken('leaked on GitHub');
  const params = { id };
  expect(await client.call(tokenApi.get, { params })).toMatchObject({ ...isOff, lock_reason: 'leaked on GitHub' });
  const rejection = apiFailure('An admin disabled this token: leaked on GitHub. Only an admin can enable it');
  const statusOnly = { query: { status_only: 'true' }, body: { id, status: 1 } } as const;
  expect((await client.send(tokenApi.update, statusOnly)).body).toEqual(rejection);
  expect((await client.send(tokenApi.update, { body: { id, name: 'other', status: 1 } })).body).toEqual(rejection);
  const change = { kind: 'status', status: 1 } as const;
  const bulk = await client.call(tokenBulkApi.run, { body: { chosen: { ids: [id] }, change, preview: false } });
  expect(bulk).toMatchObject({ changed: 0, failed: 1, rows: [{ message: rejection.message }] });
  await client.call(tokenApi.rotate, { params, body: { grace: 0 } });
  await client.call(tokenApi.endOldKey, { params });
  await client.call(tokenApi.update, {
    query: {},
    body: { id, expired_time: -1, remain_quota: 5, unlimited_quota: true },
  });
  expect(await client.call(tokenApi.get, { params })).toMatchObject(isOff);
  const all = { params: { id: admin.user.id }, body: { ids: [id] } };
  expect((await client.send(userSupportApi.enableTokens, all)).status).toBe(403);
  const chinese = await client.send(tokenApi.update, { ...statusOnly, headers: { 'accept-language': 'zh' } });
  expect(chinese.body).toEqual(apiFailure('管理员已禁用此令牌：leaked on GitHub。只有管理员可以启用'));
});

test('undoing a bulk change does not enable a token that an admin has disabled since', async () => {
  const owner = await signedInUser();
  const { id } = await owner.client.call(tokenApi.create, { body: { name: 'ci', unlimited_quota: true } });
  const change = { kind: 'status', status: 2 } as const;
  const { undo } = await owner.client.call(tokenBulkApi.run, {
    body: { chosen: { ids: [id] }, change, preview: false },
  });
  const params = { id: owner.user.id };
  await admin.client.call(userSupportApi.disableTokens, { params, body: { ids: [id] } });
  expect((await owner.client.send(tokenBulkApi.undo, { body: { undo } })).body).toEqual(
    apiFailure('An admin disabled this token. Only an admin can enable it'),
  );
  expect(await owner.client.call(tokenApi.get, { params: { id } })).toMatchObject(isOff);
});

test('after an admin enables the token again, its user can disable and enable it', async () => {
  const { client, id, params } = await lockedToken();
  expect(await admin.client.call(userSupportApi.enableTokens, { params, body: { ids: [id] } })).toBe(1);
  expect(await client.call(tokenApi.get, { params: { id } })).toMatchObject({ status: 1, is_locked: false });
  for (const status of [2, 1] as const) {
    await client.call(tokenApi.update, { query: { status_only: 'true' }, body: { id, status } });
  }
  expect(await client.call(tokenApi.get, { params: { id } })).toMatchObject({ status: 1 });
});

test('disabling all tokens of a user locks the enabled ones, including in bulk edits', async () => {
  const owner = await signedInUser();
  const make = (name: string) => owner.client.call(tokenApi.create, { body: { name, unlimited_quota: true } });
  const [mine, on] = [await make('mine'), await make('on')];
  await owner.client.call(tokenApi.update, { query: { status_only: 'true' }, body: { id: mine.id, status: 2 } });
  const change = { kind: 'tokens_off' } as const;
  await admin.client.call(userBulkApi.run, { body: { chosen: { ids: [owner.user.id] }, change, preview: false } });
  expect(await owner.client.call(tokenApi.get, { params: { id: on.id } })).toMatchObject(isOff);
  expect(await owner.client.call(tokenApi.get, { params: { id: mine.id } })).toMatchObject({ is_locked: false });
  expect((await owner.client.send(tokenApi.create, { body: { name: 'new' } })).body).toEqual(blocked);
});

const blocked = apiFailure('An admin disabled your tokens. Only an admin can create or enable tokens for you');

test('a user whose tokens were all disabled can neither create nor enable tokens until an admin allows it', async () => {
  const { client, user } = await signedInUser();
  const off = (id: number, status: 1 | 2) => ({ query: { status_only: 'true' }, body: { id, status } }) as const;
  const { id } = await client.call(tokenApi.create, { body: { name: 'mine', unlimited_quota: true } });
  const switching = (status: 1 | 2) => ({
    body: { chosen: { ids: [id] }, change: { kind: 'status' as const, status }, preview: false },
  });
  const { undo } = await client.call(tokenBulkApi.run, switching(2));
  const params = { id: user.id };
  await admin.client.call(userSupportApi.disableTokens, { params, body: {} });
  expect(await client.call(userApi.self)).toMatchObject({ tokens_locked: true });
  expect((await client.send(tokenApi.create, { body: { name: 'new', unlimited_quota: true } })).body).toEqual(blocked);
  expect((await client.send(tokenApi.update, off(id, 1))).body).toEqual(blocked);
  expect((await client.send(tokenBulkApi.run, switching(1))).body).toEqual(blocked);
  expect((await client.send(tokenBulkApi.undo, { body: { undo } })).body).toEqual(blocked);
  expect(await client.call(tokenApi.get, { params: { id } })).toMatchObject({ status: 2 });
  const given = await admin.client.call(userSupportApi.createToken, {
    params,
    body: { name: 'given', unlimited_quota: true },
  });
  expect(given.status).toBe(1);
  expect((await client.send(userSupportApi.enableTokens, { params, body: { unlock: true } })).status).toBe(403);
  expect(await admin.client.call(userSupportApi.enableTokens, { params, body: { unlock: true } })).toBe(0);
  expect(await client.call(tokenApi.update, off(id, 1))).toMatchObject({ status: 1 });
  expect(await client.call(tokenApi.create, { body: { name: 'new', unlimited_quota: true } })).toMatchObject({
    status: 1,
  });
});

test("disabling some of a user's tokens does not prevent new ones", async () => {
  const { client } = await lockedToken();
  expect(await client.call(tokenApi.create, { body: { name: 'new', unlimited_quota: true } })).toMatchObject({
    status: 1,
  });
});
